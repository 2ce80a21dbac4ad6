import { UserError } from "../loops/user-error.ts";
import type { Machine } from "../loops/machine.ts";
import type { SessionId } from "../core/id.ts";
import type { Binding } from "../core/loop.ts";
import { callerNow } from "../loops/calling.ts";
import { DEFAULT_HOST } from "../hosts/hosts.ts";

/** The session to bind to: the one that a person names, else the caller's own. */
export function bindingOf(machine: Machine, named: SessionId | undefined): Binding | null {
  const caller = callerNow(machine);
  const host = caller.kind === "agent" ? caller.host : DEFAULT_HOST.id;
  if (caller.kind === "agent" && caller.session !== null && named !== undefined && named !== caller.session)
    throw new UserError(
      "An agent binds only its own session: leave out --session, or ask the user to run this from a terminal of their own.",
    );
  if (named !== undefined) return { session: named, host };
  return caller.kind === "agent" && caller.session !== null ? { session: caller.session, host } : null;
}
