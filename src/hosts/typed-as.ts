import type { Host } from "./host.ts";

/** A command of ours as the user of a host writes it: in the session, or else in a terminal. */
export function typedAs({ commandPrefix }: Pick<Host, "commandPrefix">, command: string): string {
  return `${commandPrefix ?? "loop "}${command}`;
}
