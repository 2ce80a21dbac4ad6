import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../core/user-error.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { shellWord } from "../../system/text/command-line.ts";
import type { Context } from "./context.ts";

/** What a single word names that was given where words say what is wanted; null: it may be a spec. */
export type FileWord = "file" | "folder" | "missing" | null;

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
