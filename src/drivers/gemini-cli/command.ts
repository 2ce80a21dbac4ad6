import { parseSessionId } from "../../core/id.ts";
import type { Launch, Turn } from "../driver.ts";

/** Files of the project may be written, commands may not be run: letting a model run what it likes is for the user to say. */
const PERMISSION_MODE = "auto_edit";
const ASKS_FOR_MODE = /^(?:--approval-mode(?:=.*)?|--yolo|-y)$/s;

export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  const mode = turn.permissionMode ?? (turn.args.some(asksForMode) ? null : PERMISSION_MODE);
  return {
    command: {
      kind: "argv",
      argv: [
        "gemini",
        "--output-format=stream-json",
        ...(mode === null ? [] : [`--approval-mode=${mode}`]),
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(conversation === null ? [] : [`--resume=${conversation}`]),
        ...turn.args,
      ],
    },
    stdin: verbatim(turn.prompt),
    env: {},
    // Nobody is there to be asked whether this folder is trusted. Who asks for a turn in it has answered, unless the user says otherwise.
    envDefaults: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  };
}

/** The client refuses to be told twice. */
function asksForMode(argument: string): boolean {
  return ASKS_FOR_MODE.test(argument);
}

/**
 * The client runs a prompt that begins with `/` as a command of its own, and puts files in the place of `@` and what
 * follows, even of `@@` in a diff and of an address: a text with output of checks in it would reach the model as another.
 */
function verbatim(prompt: string): string {
  const escaped = prompt.replace(/(?<!\\)@(?=\S)/g, "\\@");
  const text =
    escaped === prompt ? prompt : `${escaped}\n\n(In this message, \\@ stands for a plain at sign.)`;
  return text.startsWith("/") ? `\n${text}` : text;
}
