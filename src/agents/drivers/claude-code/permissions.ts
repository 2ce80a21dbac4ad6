import type { AskedForm, AskedPermissions } from "../driver.ts";
import { withoutOptions } from "../user-arguments.ts";
import { LOOP_WORDS } from "../loop-words.ts";

/** Edits, and `rm`, `mv`, `mkdir` and the like, in the folder where the client starts. */
const MODE = "acceptEdits";
const ASKS_FOR_MODE = /^--(?:permission-mode(?:=.*)?|dangerously-skip-permissions)$/s;
const LOOP_RULES = LOOP_WORDS.map((word) => `Bash(loop ${word}:*)`);

/** For a question there are no other tools, so nothing can be written, whatever the user's settings allow. */
const READING = ["--tools=Read,Grep,Glob", "--strict-mcp-config", "--permission-mode=default"];

/** What holds a question to reading, and to the form of its answer. It follows the user's own arguments, so that it wins. */
export function questionArguments(form: AskedForm): readonly string[] {
  return [...READING, `--json-schema=${JSON.stringify(form.schema)}`];
}

export function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, {
    flags: ["--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"],
    valued: ["--permission-mode"],
  });
}

/** On top of the user's own settings: what they deny stays denied, what they allow stays allowed. */
export function permissionArguments(asked: AskedPermissions): readonly string[] {
  const { permissionMode, allow } = asked;
  const preset = isAsked(asked) ? [] : LOOP_RULES;
  const mode = isAsked(asked) ? permissionMode : MODE;
  return [
    ...(mode === null ? [] : [`--permission-mode=${mode}`]),
    ...[...preset, ...allow].map((rule) => `--allowedTools=${rule}`),
  ];
}

export function permits(asked: AskedPermissions): string | null {
  if (!isAsked(asked)) return "edit files here and run loop commands";
  return asked.permissionMode === null ? null : `do what permission mode ${asked.permissionMode} allows`;
}

/** A mode from the user replaces all of ours, wherever it appears. */
function isAsked({ permissionMode, args }: AskedPermissions): boolean {
  return permissionMode !== null || args.some((arg) => ASKS_FOR_MODE.test(arg));
}
