import { resolve } from "node:path";
import { UserError } from "../../core/user-error.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readUpTo } from "../../system/files/read-file.ts";
import { oneLine, shellWord } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";
import { existsSync, statSync } from "node:fs";

const LARGEST_TEXT_BYTES = 4 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. */
export function readText(context: Context, path: string): string {
  // A file or a heredoc ends with a line break that nobody means.
  return readWholeText(context, path).replace(/(\r?\n)+$/, "");
}

/** A text to its last byte, for what is known by its digest. */
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

/** What a single word names that was given where words say what is wanted; null: it may be a spec. */
type FileWord = "file" | "folder" | "missing" | null;

/** A word such as `PLAN.md` or `docs/plan` is nobody's spec. */
export function fileWord({ machine }: Pick<Context, "machine">, word: string): FileWord {
  const path = word.length < 1024 && !word.includes("\0") ? resolve(machine.cwd, word) : null;
  if (path !== null && word !== "" && existsSync(path))
    return statSync(path).isDirectory() ? "folder" : "file";
  const isName = /^\S+$/.test(word) && (/\.[A-Za-z]\w{0,7}$/.test(word) || word.includes("/"));
  return isName ? "missing" : null;
}

/** Before an agent is paid to do "PLAN.md". */
export function expectSpec(context: Pick<Context, "machine">, words: string): void {
  const named = fileWord(context, words);
  const word = oneLine(words, 200);
  if (named === "file")
    throw new UserError(
      `${word} is a file. If it is a plan, work on its tasks with: --plan ${shellWord(words)}; if it has the spec, read it with: -f ${shellWord(words)}`,
    );
  if (named === "missing")
    throw new UserError(
      `${word} does not exist; name a plan with --plan or the file of a spec with -f, or say in words what you want.`,
    );
}

/** What a subagent of a session passes as its answer to a brief. */
export const ANSWER = "the answer as a JSON object, a file with it, or - for standard input";

export function answerText(context: Context, answer: string): string {
  return answer.trimStart().startsWith("{") ? answer : readWholeText(context, answer);
}

/** Claude Code refuses JSON in a here-document, unless everything is allowed. */
export function howToRecord(command: string): string {
  return `\nRecord your answer, with '\\'' for each apostrophe in it: ${command} 'YOUR JSON OBJECT'`;
}
