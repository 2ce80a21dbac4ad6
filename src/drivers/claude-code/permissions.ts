import type { AskedPermissions } from "../driver.ts";
import { LOOP_WORDS } from "../loop-words.ts";

/** Edits, and `rm`, `mv`, `mkdir` and the like, in the folder where the client starts. */
const MODE = "acceptEdits";
const ASKS_FOR_MODE = /^--(?:permission-mode(?:=.*)?|dangerously-skip-permissions)$/s;
const LOOP_RULES = LOOP_WORDS.map((word) => `Bash(loop ${word}:*)`);

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
