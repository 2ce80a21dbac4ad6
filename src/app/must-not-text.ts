import type { MustNot } from "../core/loop.ts";
import { oneLine } from "../text/plain-text.ts";
import { UserError } from "../loops/user-error.ts";

/** `path:GLOB` stays unchanged; `run:COMMAND` keeps passing. */
export function parseMustNot(text: string, timeoutMs: number): MustNot {
  const [, kind, rest = ""] = /^(path|run):([\s\S]+)$/.exec(text) ?? [];
  if (kind === "path") return { kind: "path", glob: rest };
  if (kind === "run")
    return { kind: "run", check: { command: { kind: "shell", line: rest }, timeoutMs, passEnv: [] } };
  throw new UserError(
    `A must-not is path:GLOB (must stay unchanged) or run:COMMAND (must keep passing), not "${oneLine(text, 60)}".`,
  );
}
