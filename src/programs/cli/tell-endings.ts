import { untoldEndingsHere } from "../../engine/stop/announce.ts";
import { findHost } from "../../agents/hosts/hosts.ts";
import { callerNow } from "../../storage/loops/choose-loop.ts";
import type { Context } from "./context.ts";

/** Before a new loop: which loops of the project ended when nobody was left to be told. */
export async function tellEndings({ machine, terminal }: Context): Promise<void> {
  const caller = callerNow(machine);
  const commandPrefix = caller.kind === "agent" ? (findHost(caller.host)?.commandPrefix ?? null) : null;
  for (const { text, markTold } of await untoldEndingsHere(machine, { commandPrefix })) {
    terminal.complain(text);
    markTold();
  }
}
