import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../loops/user-error.ts";
import { errnoOf } from "../files/errno.ts";
import type { Context } from "./context.ts";

/** The text of a file, or of standard input for `-`. */
export function readText({ machine, readInput }: Context, path: string): string {
  try {
    // A file or a heredoc ends with a line break that nobody means.
    const text = path === "-" ? readInput() : readFileSync(resolve(machine.cwd, path), "utf8");
    return text.replace(/(\r?\n)+$/, "");
  } catch (error) {
    throw new UserError(`${path} cannot be read (${errnoOf(error) ?? "unknown error"}).`, { cause: error });
  }
}
