import type { AskedPermissions } from "../driver.ts";
import { LOOP_WORDS } from "../loop-words.ts";
import { withoutOptions } from "../user-arguments.ts";

/** May write the project's files, but run no commands except ours. */
const MODE = "auto_edit";
const ASKS_FOR_MODE = /^(?:--approval-mode(?:=.*)?|--yolo|-y)$/s;
const LOOP_RULES = LOOP_WORDS.map((word) => `run_shell_command(loop ${word})`);

/** For a question: the client's own mode that only reads. */
export const READING = ["--approval-mode=plan"];

export function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, {
    flags: ["--yolo", "-y"],
    valued: ["--approval-mode", "--allowed-tools"],
  });
}

export function permissionArguments(asked: AskedPermissions): readonly string[] {
  const { permissionMode, allow } = asked;
  const preset = isAsked(asked) ? [] : LOOP_RULES;
  const mode = isAsked(asked) ? permissionMode : MODE;
  return [
    ...(mode === null ? [] : [`--approval-mode=${mode}`]),
    ...[...preset, ...allow].map((rule) => `--allowed-tools=${rule}`),
  ];
}

export function permits(asked: AskedPermissions): string | null {
  if (!isAsked(asked)) return "edit files here, fetch web pages and run loop commands";
  return asked.permissionMode === null ? null : `do what approval mode ${asked.permissionMode} allows`;
}

/** A mode from the user replaces all of ours, wherever it appears. */
function isAsked({ permissionMode, args }: AskedPermissions): boolean {
  return permissionMode !== null || args.some((arg) => ASKS_FOR_MODE.test(arg));
}
