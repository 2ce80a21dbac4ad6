import type { Driver } from "../driver.ts";
import { launchOf } from "./command.ts";
import { readText } from "./stream.ts";

/** Any program that reads a prompt from standard input, works in the project and prints its answer. */
export function commandDriver(line: string): Driver {
  return {
    id: "command",
    title: "a command",
    program: null,
    keepsConversations: false,
    capsItself: false,
    canBeAsked: false,
    command: (turn) => launchOf(line, turn),
    permits: () => null,
    exampleRule: null,
    readStream: () => readText(),
  };
}
