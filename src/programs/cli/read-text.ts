import { resolve } from "node:path";
import { UserError } from "../../core/user-error.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readUpTo } from "../../system/files/read-up-to.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";

const LARGEST_TEXT_BYTES = 4 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. */
export function readText(context: Context, path: string): string {
  // A file or a heredoc ends with a line break that nobody means.
  return readWholeText(context, path).replace(/(\r?\n)+$/, "");
}

/** The same to the last byte, for what is known by its digest. */
export function readWholeText({ machine, readInput }: Context, path: string): string {
  try {
    return path === "-" ? readInput() : readUpTo(resolve(machine.cwd, path), LARGEST_TEXT_BYTES);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new UserError(
        `${oneLine(path, 200)} does not exist; name another file, or - for standard input.`,
        { cause: error },
      );
    const why = code ?? (error instanceof Error ? error.message : "unknown error");
    throw new UserError(`${path} cannot be read (${why}).`, { cause: error });
  }
}
