import type { Trouble } from "../../core/stop/trouble.ts";
import type { AgentEnding, Driver, Sighting, StreamReader, Turn } from "../../agents/drivers/driver.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { AgentProcessEnding } from "../../system/process/agent-process.ts";
import { runAgentProcess } from "../../system/process/agent-process.ts";
import type { Guardian } from "../../system/process/guardian.ts";
import type { Redact } from "../../system/secrets/redact.ts";
import { renderOutput } from "../../system/secrets/redact.ts";
import { durationText } from "../../system/text/quantities.ts";
import type { Surroundings } from "./agent-environment.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { commandOnPath } from "./command-on-path.ts";
import type { KeptEnding, TurnFolder } from "./turn-folder.ts";
import { keepEnding, outputKeeper } from "./turn-folder.ts";

export interface AgentRun {
  readonly machine: Pick<Machine, "env" | "now">;
  readonly driver: Driver;
  readonly turn: Turn;
  /** Keeps what it prints, and how it ended. */
  readonly folder: TurnFolder;
  /** Where it is started. */
  readonly cwd: string;
  readonly surroundings: Omit<Surroundings, "launch">;
  readonly redact: Redact;
  /** As the agent printed it; a view redacts it again. */
  readonly see: (sighting: Sighting) => void;
  readonly silenceLimitMs: number;
  readonly signal: AbortSignal;
  /** Why it was ended by `signal`; null if it wasn't. */
  readonly cause: () => Trouble | null;
  readonly guardian: Guardian;
}

/** What is needed for a report. */
export interface RanAgent {
  readonly reader: StreamReader;
  readonly kept: KeptEnding;
}

/** Runs the agent for one turn. Each line is redacted, kept and then read. */
export async function runAgent(run: AgentRun): Promise<RanAgent> {
  const { machine, driver, turn, folder, surroundings, redact } = run;
  const launch = driver.command(turn);
  const reader = driver.readStream(turn);
  const keep = outputKeeper(folder);
  const outcome = await runAgentProcess({
    command: commandOnPath(launch.command, machine.env),
    cwd: run.cwd,
    env: agentEnvironment(machine.env, { ...surroundings, launch }),
    stdin: launch.stdin,
    runId: `${surroundings.run}.${folder.id}`,
    onLine: (printed) => {
      // Redacts before anything is parsed and shortened: half a secret could not be recognized.
      const line = redact(printed);
      const sightings = reader.line(line);
      const tellsCost = sightings.some(({ type }) => type === "billed");
      keep(line, tellsCost ? "vital" : (driver.weigh?.(line) ?? "plain"));
      for (const sighting of sightings) run.see(sighting);
    },
    silenceLimitMs: run.silenceLimitMs,
    signal: run.signal,
    guard: (pid) => run.guardian.guard(pid),
  });
  const kept: KeptEnding = {
    ending: agentEnding(outcome.ending, renderOutput(outcome.stderr, redact), redact),
    cause: causeOf(outcome.ending) ?? run.cause(),
    at: machine.now(),
  };
  keepEnding(folder, kept);
  return { reader, kept };
}

function agentEnding(ending: AgentProcessEnding, stderr: string, redact: Redact): AgentEnding {
  switch (ending.type) {
    case "exited":
      return { type: "exited", code: ending.code, stderr };
    case "signalled":
      return { type: "signalled", signal: ending.signal, stderr };
    case "not-started":
      return { type: "not-started", message: redact(ending.message) };
    case "silent":
    case "timed-out":
    case "aborted":
      return { type: "cut-off", why: `it was ended (${ending.type})` };
  }
}

/** Why the process's own limit ended it. */
function causeOf(ending: AgentProcessEnding): Trouble | null {
  if (ending.type !== "silent") return null;
  const detail = `the agent printed nothing for ${durationText(ending.limitMs)} and was ended`;
  return { kind: "transient", detail };
}
