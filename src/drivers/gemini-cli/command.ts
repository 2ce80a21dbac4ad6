import { parseSessionId } from "../../core/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { permissionArguments } from "./permissions.ts";

export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        "gemini",
        "--output-format=stream-json",
        ...permissionArguments(turn),
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
