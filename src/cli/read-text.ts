import { resolve } from "node:path";
import { UserError } from "../loops/user-error.ts";
import { errnoOf } from "../files/errno.ts";
import { readUpTo } from "../files/read-up-to.ts";
import type { Context } from "./context.ts";

const LARGEST_TEXT_BYTES = 4 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. */
export function readText({ machine, readInput }: Context, path: string): string {
  try {
    // The line break at the end of a file or heredoc is not part of the text.
    const text = path === "-" ? readInput() : readUpTo(resolve(machine.cwd, path), LARGEST_TEXT_BYTES);
    return text.replace(/(\r?\n)+$/, "");
  } catch (error) {
    const why = errnoOf(error) ?? (error instanceof Error ? error.message : "unknown error");
    throw new UserError(`${path} cannot be read (${why}).`, { cause: error });
  }
}
