import { statSync } from "node:fs";
import type { Loop } from "../core/loop.ts";
import { elapsedMs } from "../core/loop.ts";
import type { FileEdit, Spent } from "../core/stop/facts.ts";
import type { Trouble } from "../core/trouble.ts";
import type { AgentEnding, Sighting, StreamReader, Turn, TurnReport } from "../drivers/driver.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { AgentProcessEnding } from "../process/agent-process.ts";
import { runAgentProcess } from "../process/agent-process.ts";
import { loadLoop } from "../store/loop-store.ts";
import { journalPath } from "../store/project.ts";
import { durationText } from "../views/duration.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { charge } from "./charge.ts";
import type { DeedKeeper } from "./deeds.ts";
import { keepDeeds } from "./deeds.ts";
import { recordConversations } from "./record.ts";
import type { RunContext } from "./run-context.ts";
import type { KeptEnding, TurnFolder } from "./turn-folder.ts";
import { keepEnding, keptEnding, keptLines, outputKeeper } from "./turn-folder.ts";

/** A turn with all that is known of it. */
export interface TurnOutcome {
  readonly report: TurnReport;
  readonly spent: Spent;
  readonly edits: readonly FileEdit[];
  /** The agent was seen at work. */
  readonly worked: boolean;
}

/** How often it is looked whether somebody paused or took the loop meanwhile, where the file system does not tell. */
const LOOK_MS = 500;
const GRACE_MS = 2_000;
const RETRYING_LIMIT_MS = 10 * 60_000;

/** Starts the agent for one turn and reads it to its end. */
export async function takeTurn(
  context: RunContext,
  loop: Loop,
  folder: TurnFolder,
  turn: Turn,
): Promise<TurnOutcome> {
  const { machine, driver, run, project, redact } = context;
  const launch = driver.command(turn);
  const reader = driver.readStream(turn);
  const keep = outputKeeper(folder);
  const deeds = keepDeeds(project.root);
  const conversations = recordConversations(context);
  const watch = watchForEnd(context, loop);

  const see = (sighting: Sighting): void => {
    deeds.see(sighting);
    watch.sees(sighting);
    let usd: number | null = null;
    if (sighting.type === "billed") {
      usd = charge(sighting.bill, context.prices).usd;
      if (loop.limits.budgetUsd !== null && loop.spend.usd + usd >= loop.limits.budgetUsd) {
        watch.endSoon({
          kind: "budget",
          detail: "the agent was ended in the middle of a turn, at the budget",
        });
      }
    }
    if (sighting.type === "conversation") conversations.named(sighting.id);
    context.tell({ type: "seen", sighting: withoutSecrets(sighting, redact), usd });
  };
  const outcome = await runAgentProcess({
    command: launch.command,
    cwd: project.root,
    env: agentEnvironment(machine.env, run, project.root, launch),
    stdin: launch.stdin,
    runId: `${run}.${folder.id}`,
    onLine: (line) => {
      const sightings = reader.line(line);
      const tellsCost = sightings.some(({ type }) => type === "billed");
      keep(redact(line), tellsCost ? "vital" : (driver.weigh?.(line) ?? "plain"));
      for (const sighting of sightings) see(sighting);
    },
    silenceLimitMs: context.choice.hangLimitMs,
    timeLimitMs: timeLeft(loop, machine.now()),
    signal: watch.signal,
    guard: (pid) => context.guardian.guard(pid),
  }).finally(() => watch.stop());
  const kept: KeptEnding = {
    ending: agentEnding(outcome.ending, redact(outcome.stderrTail)),
    cause: causeOf(outcome.ending) ?? watch.cause(),
    at: machine.now(),
  };
  keepEnding(folder, kept);
  await conversations.recorded();
  return outcomeOf(context, reader, kept, deeds);
}

/** A turn of an earlier run, from what it left behind. */
export function recallTurn(context: RunContext, reader: StreamReader, folder: TurnFolder): TurnOutcome {
  const deeds = keepDeeds(context.project.root);
  for (const line of keptLines(folder)) for (const sighting of reader.line(line)) deeds.see(sighting);
  const lost: KeptEnding = {
    ending: { type: "cut-off", why: "nobody saw its end" },
    cause: null,
    at: context.machine.now(),
  };
  return outcomeOf(context, reader, keptEnding(folder) ?? lost, deeds);
}

function outcomeOf(
  { redact, prices }: RunContext,
  reader: StreamReader,
  { ending, cause, at }: KeptEnding,
  deeds: DeedKeeper,
): TurnOutcome {
  const said = reader.end(ending, at);
  // An agent that was done before it was ended is done.
  const trouble = said.trouble === null ? null : (cause ?? said.trouble);
  const report: TurnReport = {
    ...said,
    trouble: trouble === null ? null : { ...trouble, detail: redact(trouble.detail) },
    denials: said.denials.map(({ tool, rule }) => ({ tool: redact(tool), rule: redact(rule) })),
  };
  return { report, spent: charge(report.bill, prices), edits: deeds.edits(), worked: deeds.worked() };
}

/** As it may be shown. */
function withoutSecrets(sighting: Sighting, redact: RunContext["redact"]): Sighting {
  switch (sighting.type) {
    case "said":
      return { ...sighting, text: redact(sighting.text) };
    case "used":
    case "retrying":
      return { ...sighting, detail: redact(sighting.detail) };
    case "failed":
      return { ...sighting, output: redact(sighting.output) };
    case "conversation":
    case "edited":
    case "billed":
      return sighting;
  }
}

/** Minutes are a limit like money: a turn does not run past them. */
function timeLeft(loop: Loop, now: number): number | null {
  const { minutes } = loop.limits;
  return minutes === null ? null : Math.max(1_000, minutes * 60_000 - elapsedMs(loop, now));
}

function agentEnding(ending: AgentProcessEnding, stderrTail: string): AgentEnding {
  switch (ending.type) {
    case "exited":
      return { type: "exited", code: ending.code, stderrTail };
    case "signalled":
      return { type: "signalled", signal: ending.signal, stderrTail };
    case "not-started":
      return { type: "not-started", message: ending.message };
    case "silent":
    case "timed-out":
    case "aborted":
      return { type: "cut-off", why: `it was ended (${ending.type})` };
  }
}

/** Why we ended it, where the limit is the process's own. */
function causeOf(ending: AgentProcessEnding): Trouble | null {
  if (ending.type === "silent") {
    return {
      kind: "transient",
      detail: `the agent was silent for ${durationText(ending.limitMs)} and was ended`,
    };
  }
  if (ending.type !== "timed-out") return null;
  return {
    kind: "budget",
    detail: "the agent was ended in the middle of a turn, when its minutes were used up",
  };
}

interface EndWatch {
  readonly signal: AbortSignal;
  /** An agent that only tries again, and again, is as good as silent. */
  readonly sees: (sighting: Sighting) => void;
  /** After a moment: an agent may tell its bill just before it ends by itself, with its work done. */
  readonly endSoon: (cause: Trouble) => void;
  readonly cause: () => Trouble | null;
  readonly stop: () => void;
}

/** Everything that ends a turn from outside: the person, the budget, and whoever pauses, cancels or takes the loop. */
function watchForEnd(context: RunContext, { id }: Loop): EndWatch {
  const controller = new AbortController();
  let first: Trouble | null = null;
  let soon: NodeJS.Timeout | undefined;
  let retrying: NodeJS.Timeout | undefined;
  let isRetrying = false;
  const end = (cause: Trouble): void => {
    first ??= cause;
    controller.abort();
  };
  const onNow = (): void => end({ kind: "interrupted", detail: "it was interrupted" });
  const { now } = context.interrupts;
  if (now.aborted) onNow();
  now.addEventListener("abort", onNow);
  const isChanged = changeWatch(journalPath(context.project, id));
  const timer = setInterval(() => {
    const detail = isChanged() ? takenAway(context, id) : null;
    if (detail !== null) end({ kind: "interrupted", detail });
  }, LOOK_MS);
  return {
    signal: controller.signal,
    sees: ({ type }) => {
      if (type !== "retrying") clearTimeout(retrying);
      if (type === "retrying" && !isRetrying) {
        retrying = setTimeout(
          () =>
            end({
              kind: "transient",
              detail: `the agent only tried again for ${durationText(RETRYING_LIMIT_MS)}`,
            }),
          RETRYING_LIMIT_MS,
        );
      }
      isRetrying = type === "retrying";
    },
    endSoon: (cause) => {
      soon ??= setTimeout(() => end(cause), GRACE_MS);
    },
    cause: () => first,
    stop: () => {
      clearInterval(timer);
      clearTimeout(soon);
      clearTimeout(retrying);
      now.removeEventListener("abort", onNow);
    },
  };
}

/** Whether a file grew, or went away, since the last look. */
function changeWatch(path: string): () => boolean {
  let last = -1;
  return () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === last) return false;
    last = size;
    return true;
  };
}

function takenAway({ project, run }: RunContext, id: Loop["id"]): string | null {
  try {
    const { loop } = loadLoop(project, id);
    if (loop.phase !== "active") return `the loop is ${loop.phase}`;
    return loop.binding?.session === run ? null : "another session has taken the loop";
  } catch (error) {
    return error instanceof JournalError && error.code === "missing" ? "the loop was deleted" : null;
  }
}
