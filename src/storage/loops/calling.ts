import type { Caller } from "../../agents/hosts/caller.ts";
import { callerOf } from "../../agents/hosts/caller.ts";
import { stateHome } from "../home/state-home.ts";
import type { Machine } from "./machine.ts";

type Calling = Pick<Machine, "env" | "home" | "processes">;

/**
 * Who calls: an agent is recognized by the variables of its shell or of a parent process, since `env -i` removes its own.
 * Everybody else counts as a person: a terminal, cron, CI, ssh.
 */
export function callerNow(machine: Calling): Caller {
  const own = callerOf(machine.env);
  const above = shellsAbove(machine)
    .map(callerOf)
    .filter((caller) => caller.kind === "agent");
  if (own.kind === "person") return above[0] ?? own;
  // A session that no parent process has is made up.
  const known = above.filter(({ session }) => session !== null);
  return known.some(({ session }) => session === own.session) ? own : (known[0] ?? own);
}

/** The environments of parent processes with this state home: others have nothing to do with these loops. */
function shellsAbove({ home, processes }: Pick<Calling, "home" | "processes">): readonly NodeJS.ProcessEnv[] {
  return processes.environmentsAbove().filter((env) => stateHome(env) === home);
}
