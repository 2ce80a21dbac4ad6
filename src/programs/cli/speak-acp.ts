import { text } from "node:stream/consumers";
import { join, parse } from "node:path";
import { parseArgs } from "node:util";
import { speakTurn } from "../../agents/acp/speak-turn.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { leadsInto } from "../../system/files/folders.ts";
import { answerSignals } from "./ending-process.ts";

const LIST = { type: "string", multiple: true } as const;
const TEXT = { type: "string" } as const;

/** One turn with an agent that speaks the Agent Client Protocol: the prompt on standard input, what happens on standard output. */
export async function speakFor(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { conversation: TEXT, model: TEXT, "permission-mode": TEXT, allow: LIST, check: LIST },
  });
  const [program = "", ...args] = positionals;
  const cwd = process.cwd();
  const cancelled = new AbortController();
  answerSignals(() => cancelled.abort());
  return speakTurn({
    argv: [located(program), ...args],
    prompt: await text(process.stdin),
    conversation: values.conversation ?? null,
    model: values.model ?? null,
    permissionMode: values["permission-mode"] ?? null,
    allow: values.allow ?? [],
    checks: values.check ?? [],
    cwd,
    env: process.env,
    output: process.stdout,
    isInside: (path) => leadsInto(path, cwd),
    signal: cancelled.signal,
  });
}

/** By name alone, a relative PATH entry could find a program of the project. */
function located(program: string): string {
  if (/[\\/]/.test(program)) return program;
  return findOnPath(program, process.env) ?? join(parse(process.execPath).root, program);
}
