import type { Driver } from "../driver.ts";
import { launchOf, type RehearsalOptions } from "./command.ts";
import { readPlay } from "./stream.ts";

/** Plays a script with real edits and real commands: for demos, tests, and trying a policy without paying. */
export function rehearsalDriver(options: RehearsalOptions): Driver {
  return {
    id: "rehearsal",
    title: "a rehearsal",
    program: null,
    keepsConversations: true,
    capsItself: false,
    canBeAsked: true,
    command: (turn) => launchOf(options, turn),
    permits: () => null,
    exampleRule: null,
    readStream: readPlay,
  };
}
