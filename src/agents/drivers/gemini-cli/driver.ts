import type { Driver, Launch, Turn, AskedPermissions } from "../driver.ts";
import { readStream } from "./stream.ts";
import { parseSessionId } from "../../../core/loop/id.ts";
import { LOOP_WORDS, withoutOptions } from "../permissions.ts";

export const geminiCli: Driver = {
  id: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  keepsConversations: true,
  capsItself: false,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: "run_shell_command(npm test)",
  readStream,
};

export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        "gemini",
        "--output-format=stream-json",
        ...(turn.question === undefined ? permissionArguments(turn) : READING),
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(conversation === null ? [] : [`--resume=${conversation}`]),
        ...(turn.question === undefined ? turn.args : withoutPermissions(turn.args)),
      ],
    },
    stdin: verbatim(turn.prompt),
    env: {},
    // Nobody is there to say whether this folder is trusted. Asking for a turn in it answers that, unless the user says otherwise.
    envDefaults: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  };
}

/**
 * The client runs a prompt that starts with `/` as its own command, and replaces `@…` with files, even `@@` in a diff or an
 * address. Without this, a prompt with check output would reach the model changed.
 */
function verbatim(prompt: string): string {
  const escaped = prompt.replace(/(?<!\\)@(?=\S)/g, "\\@");
  const text =
    escaped === prompt ? prompt : `${escaped}\n\n(In this message, \\@ stands for a plain at sign.)`;
  return text.startsWith("/") ? `\n${text}` : text;
}

/** May write the project's files, but run no commands except ours. */
const MODE = "auto_edit";
const ASKS_FOR_MODE = /^(?:--approval-mode(?:=.*)?|--yolo|-y)$/s;
const LOOP_RULES = LOOP_WORDS.map((word) => `run_shell_command(loop ${word})`);

/** For a question: the client's own mode that only reads. */
const READING = ["--approval-mode=plan"];

function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, {
    flags: ["--yolo", "-y"],
    valued: ["--approval-mode", "--allowed-tools"],
  });
}

function permissionArguments(asked: AskedPermissions): readonly string[] {
  const { permissionMode, allow } = asked;
  const preset = isAsked(asked) ? [] : LOOP_RULES;
  const mode = isAsked(asked) ? permissionMode : MODE;
  return [
    ...(mode === null ? [] : [`--approval-mode=${mode}`]),
    ...[...preset, ...allow].map((rule) => `--allowed-tools=${rule}`),
  ];
}

function permits(asked: AskedPermissions): string | null {
  if (!isAsked(asked)) return "edit files here, fetch web pages and run loop commands";
  return asked.permissionMode === null ? null : `do what approval mode ${asked.permissionMode} allows`;
}

/** A mode from the user replaces all of ours, wherever it appears. */
function isAsked({ permissionMode, args }: AskedPermissions): boolean {
  return permissionMode !== null || args.some((arg) => ASKS_FOR_MODE.test(arg));
}
