import { readFileSync } from "node:fs";
import { UserError } from "../loops/user-error.ts";
import { errnoOf } from "../files/errno.ts";

/** The text of a file, or of standard input for `-`. */
export function readText(path: string): string {
  try {
    // A file or a heredoc ends with a line break that nobody means.
    return readFileSync(path === "-" ? 0 : path, "utf8").replace(/(\r?\n)+$/, "");
  } catch (error) {
    throw new UserError(`${path} cannot be read (${errnoOf(error) ?? "unknown error"}).`, { cause: error });
  }
}
