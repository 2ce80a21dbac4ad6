import { taskListOf } from "../adoption/task-list-mirror.ts";
import type { Loop } from "../core/loop.ts";
import type { FileEdit, Spent } from "../core/stop/facts.ts";
import type { Trouble } from "../core/trouble/trouble.ts";
import type { AgentEnding, Sighting, StreamReader, Turn, TurnReport } from "../drivers/driver.ts";
import type { AgentProcessEnding } from "../process/agent-process.ts";
import { runAgentProcess } from "../process/agent-process.ts";
import { renderOutput } from "../secrets/render-output.ts";
import { durationText } from "../text/duration.ts";
import { commandOnPath } from "./command-on-path.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { charge } from "./charge.ts";
import type { DeedKeeper } from "./deeds.ts";
import { keepDeeds } from "./deeds.ts";
import { watchForEnd } from "./end-watch.ts";
import { recordConversations } from "./record-conversations.ts";
import type { Redact } from "../secrets/redact.ts";
import { redactReport, redactSighting } from "./redact-turn.ts";
import type { RunContext } from "./run-context.ts";
import type { KeptEnding, TurnFolder } from "./turn-folder.ts";
import { keepEnding, keptEnding, keptLines, outputKeeper } from "./turn-folder.ts";

/** A turn with everything known about it. */
export interface TakenTurn {
  readonly report: TurnReport;
  readonly spent: Spent;
  readonly edits: readonly FileEdit[];
  /** Whether the agent did anything. */
  readonly worked: boolean;
  /** It ended itself at its budget. */
  readonly cappedItself: boolean;
}

/** Starts the agent for one turn and reads its output to the end. */
export async function takeTurn(
  context: RunContext,
  loop: Loop,
  folder: TurnFolder,
  turn: Turn,
): Promise<TakenTurn> {
  const { machine, driver, run, live, workplace, redact } = context;
  const launch = driver.command(turn);
  const reader = driver.readStream(turn);
  const keep = outputKeeper(folder);
  const deeds = keepDeeds(workplace.folder);
  const conversations = recordConversations(context);
  const watch = watchForEnd(context, loop);

  const see = (sighting: Sighting): void => {
    deeds.see(sighting);
    watch.sees(sighting);
    const spent = sighting.type === "billed" ? charge(sighting.bill, context.prices) : null;
    if (spent !== null) watch.costs(spent);
    if (sighting.type === "conversation") conversations.named(sighting.id);
    context.tell({ type: "seen", sighting: redactSighting(sighting, redact), usd: spent?.usd ?? null });
  };
  const outcome = await runAgentProcess({
    command: commandOnPath(launch.command, machine.env),
    cwd: workplace.folder,
    env: agentEnvironment(machine.env, {
      run,
      root: live.project.root,
      programs: context.programs,
      launch,
      taskList: taskListOf(machine, live.project.root, loop),
    }),
    stdin: launch.stdin,
    runId: `${run}.${folder.id}`,
    onLine: (printed) => {
      // Redacts before anything is parsed and shortened: half a secret could not be recognized.
      const line = redact(printed);
      const sightings = reader.line(line);
      const tellsCost = sightings.some(({ type }) => type === "billed");
      keep(line, tellsCost ? "vital" : (driver.weigh?.(line) ?? "plain"));
      for (const sighting of sightings) see(sighting);
    },
    silenceLimitMs: context.choice.hangLimitMs,
    signal: watch.signal,
    guard: (pid) => context.guardian.guard(pid),
  }).finally(() => watch.stop());
  const kept: KeptEnding = {
    ending: agentEnding(outcome.ending, renderOutput(outcome.stderr, redact), redact),
    cause: causeOf(outcome.ending) ?? watch.cause(),
    at: machine.now(),
  };
  keepEnding(folder, kept);
  await conversations.recorded();
  return outcomeOf(context, reader, kept, deeds);
}

/** A turn of an earlier run, from what it left behind. The content of its edits is lost. */
export function recallTurn(context: Recalling, reader: StreamReader, folder: TurnFolder): TakenTurn {
  const deeds = keepDeeds(context.workplace.folder);
  for (const line of keptLines(folder)) for (const sighting of reader.line(line)) deeds.see(sighting);
  const lost: KeptEnding = {
    ending: { type: "cut-off", why: "its end was not seen" },
    cause: null,
    at: context.machine.now(),
  };
  return { ...outcomeOf(context, reader, keptEnding(folder) ?? lost, deeds), edits: [] };
}

/** What is needed to settle a turn. */
export type Recalling = Pick<RunContext, "machine" | "live" | "workplace" | "prices" | "redact">;

function outcomeOf(
  { prices, redact }: Recalling,
  reader: StreamReader,
  { ending, cause, at }: KeptEnding,
  deeds: DeedKeeper,
): TakenTurn {
  const said = reader.end(ending, at);
  // An agent that finished before we ended it is finished.
  const trouble = said.trouble === null ? null : (cause ?? said.trouble);
  return {
    report: redactReport({ ...said, trouble }, redact),
    spent: charge(said.bill, prices),
    edits: deeds.edits(),
    worked: deeds.worked(),
    cappedItself: trouble?.kind === "budget" && cause === null,
  };
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
