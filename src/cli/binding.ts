import type { Machine } from "../loops/machine.ts";
import type { SessionId } from "../core/id.ts";
import type { Binding } from "../core/loop.ts";
import { callerOf } from "../hosts/caller.ts";
import { DEFAULT_HOST } from "../hosts/hosts.ts";

/** The session to bind to: the one that is named, else the caller's own. */
export function bindingOf(machine: Machine, named: SessionId | undefined): Binding | null {
  const caller = callerOf(machine.env);
  const host = caller.kind === "agent" ? caller.host : DEFAULT_HOST.id;
  if (named !== undefined) return { session: named, host };
  return caller.kind === "agent" && caller.session !== null ? { session: caller.session, host } : null;
}
