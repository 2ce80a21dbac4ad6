import { parseSessionId } from "../../../core/loop/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { permissionArguments, READING, withoutPermissions } from "./permissions.ts";

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
