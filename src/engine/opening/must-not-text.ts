import { globFrom } from "../../core/loop/folder.ts";
import type { MustNot } from "../../core/loop/loop.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { UserError } from "../../core/user-error.ts";

/** `path:GLOB` stays unchanged; `run:COMMAND` keeps passing. The glob is one of the folder in which it was written. */
export function parseMustNot(text: string, timeoutMs: number, folder: string): MustNot {
  const [, kind, rest = ""] = /^(path|run):([\s\S]+)$/.exec(text) ?? [];
  if (kind === "path") return { kind: "path", glob: globFrom(folder, rest) };
  if (kind === "run")
    return { kind: "run", check: { command: { kind: "shell", line: rest }, timeoutMs, passEnv: [] } };
  throw new UserError(
    `A must-not is path:GLOB (must stay unchanged) or run:COMMAND (must keep passing), not "${oneLine(text, 60)}".`,
  );
}
