import { agentProgram, callerOf, type Caller } from "../../agents/hosts/caller.ts";
import type { ProcessAbove } from "../../system/process/process-facts.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { findSession, isSameProcess, runOfProcesses, sessionsOfClients } from "../home/session-files.ts";
import { stateHome } from "../home/state-home.ts";
import type { Machine } from "./machine.ts";

type Calling = Pick<Machine, "env" | "home" | "processes">;

/**
 * Who calls: an agent is recognized by the variables of its shell or of a parent process, since `env -i` removes its own; and by
 * the processes above, since `exec` replaces that shell: an agent's program, or a run that drives one.
 * Everybody else counts as a person: a terminal, cron, CI, ssh.
 */
export function callerNow(machine: Calling): Caller {
  const caller = callerByMarks(machine);
  if (caller.kind === "person" || caller.session !== null) return caller;
  // Some hosts give their agent's shells no id: the session is the one that the client above has started.
  const marks = machine.processes.processesAbove().map(({ mark }) => mark);
  const started = sessionsOfClients(machine.home, marks);
  // oh-my-pi marks its shells as Claude Code's, too, so the client above counts for more than a mark.
  const client = started.find(({ host }) => host === caller.host) ?? started[0];
  return client === undefined ? caller : { kind: "agent", host: client.host, session: client.session };
}

function callerByMarks(machine: Calling): Caller {
  const own = callerOf(machine.env);
  const processes = processesAbove(machine);
  const above = processes.map(({ env }) => callerOf(env)).filter((caller) => caller.kind === "agent");
  if (own.kind === "person") return above[0] ?? runAbove(machine) ?? programAbove(processes) ?? own;
  // A session that no parent process has is made up.
  const known = above.filter(({ session }) => session !== null);
  return known.some(({ session }) => session === own.session) ? own : (known[0] ?? own);
}

function runAbove({ home, processes }: Pick<Calling, "home" | "processes">): Caller | null {
  const marks = processes.processesAbove().map(({ mark }) => mark);
  const run = runOfProcesses(home, marks);
  return run === null ? null : { kind: "agent", host: "loop", session: run };
}

function programAbove(processes: readonly ProcessAbove[]): Caller | null {
  const host = processes.map(({ words }) => agentProgram(words)).find((each) => each !== null);
  return host === undefined ? null : { kind: "agent", host, session: null };
}

/** Parent processes with this state home, or of a session that it knows: others have nothing to do with these loops. */
function processesAbove({ home, processes }: Pick<Calling, "home" | "processes">): readonly ProcessAbove[] {
  return processes
    .processesAbove()
    .filter(({ env }) => stateHome(env) === home || isKnown(home, callerOf(env)));
}

function isKnown(home: string, caller: Caller): boolean {
  return caller.kind === "agent" && caller.session !== null && findSession(home, caller.session) !== null;
}

/** Whether the caller is below the session that has this loop, or the run that drives it, whichever state home it names. */
export function isBelowAgentOf(
  { processes }: Pick<Calling, "processes">,
  { binding, driven }: Pick<Loop, "binding" | "driven">,
): boolean {
  const driver = driven?.process ?? null;
  return processes.processesAbove().some(({ env, mark }) => {
    const caller = callerOf(env);
    const isSessions =
      caller.kind === "agent" && caller.session !== null && caller.session === binding?.session;
    return isSessions || (driver !== null && isSameProcess(mark, driver));
  });
}
