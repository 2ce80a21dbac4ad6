import { UserError } from "../../core/user-error.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { SessionId } from "../../core/loop/id.ts";
import type { Binding } from "../../core/loop/loop.ts";
import { callerNow } from "../../storage/loops/choose-loop.ts";
import { DEFAULT_HOST } from "../../agents/hosts/hosts.ts";

/** The session to bind to: the one a person names, otherwise the caller's own. */
export function bindingOf(machine: Machine, named: SessionId | undefined): Binding | null {
  const caller = callerNow(machine);
  const host = caller.kind === "agent" ? caller.host : DEFAULT_HOST.id;
  if (caller.kind === "agent" && caller.session !== null && named !== undefined && named !== caller.session)
    throw new UserError(
      "An agent can only bind its own session: leave out --session, or ask the user to run this in their own terminal.",
    );
  if (named !== undefined) return { session: named, host };
  return caller.kind === "agent" && caller.session !== null ? { session: caller.session, host } : null;
}
