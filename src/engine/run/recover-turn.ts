import { checkLoop } from "../lifecycle/check-loop.ts";
import { runRedFirst } from "../opening/preflight.ts";
import { violatedMustNot } from "../opening/checks-of-loop.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { topFrame, type LaunchedTurn } from "../../core/loop/loop.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { recordOurs, endOfAbandoned } from "./take-loop.ts";
import { mirrorTasks, trustedOwnLoop, untilStopped } from "./take-over.ts";
import type { RunContext } from "./run-context.ts";
import { isJudged } from "../../core/stop/trouble.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import type { Start } from "./launch-turn.ts";
import { join } from "node:path";
import { runsFolder } from "../lifecycle/turn-folders.ts";
import { sweepDrafts } from "../../system/files/write-atomically.ts";
import { endProcessesOfRun } from "../../system/process/run-processes.ts";
import { driverOf, parseDriverId, lastAgent, type AgentChoice } from "./agent-choice.ts";
import { usageOf } from "./turn-report.ts";
import { recordConversation, recallTurn, type Recalling, type TakenTurn } from "./take-turn.ts";
import { comesToJudgement, eventsOfEnd, settleTurn } from "./settle-turn.ts";
import { turnFolder } from "./turn-folder.ts";
import { livingDriver, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { priceTable } from "../stop/spending.ts";
import { redactor } from "../../system/secrets/redact.ts";

/**
 * Runs the checks before the first turn of a run, so the first prompt says what fails now. For a new loop this also records what
 * was true before the work; for one from elsewhere, what changed since its checks ran. Returns the tree reading, if it ended
 * with one.
 */
export async function lookBeforeFirstTurn(context: RunContext): Promise<TreeReading | null> {
  const { machine, live, workingDirectory } = context;
  await mirrorTasks(context);
  const { criteria, iteration } = topFrame(live.loop);
  const checked = criteria.filter(isRepeatable);
  if (live.loop.phase !== "active") return null;
  const own = await trustedOwnLoop(context);
  if (own === null) return null;
  // Finds an existing violation without paying for a turn.
  const look = await untilStopped(context, async (signal) => ({
    violated: await violatedMustNot(machine, own, signal),
  }));
  if (look === null) return null;
  if (look.violated !== null) {
    const { violated: detail } = look;
    await recordOurs(context, [{ type: "loop.paused", reason: "must-not", detail, by: "machine" }]);
    return null;
  }
  if (checked.length === 0) return null;
  if (iteration === 0 && checked.every(({ evidence }) => evidence === null)) {
    return untilStopped(context, async (signal) => runRedFirst(machine, own, { signal }));
  }
  const tree = await machine.git.readTree(workingDirectory.root);
  const old = checked.filter(({ evidence }) => evidence?.treeDigest !== (tree?.digest ?? null));
  if (old.length === 0) return tree;
  const names = old.map(({ name }) => name);
  const ran = await untilStopped(context, async (signal) => checkLoop(machine, own, names, { signal }));
  return ran === null ? null : ran.examination.tree;
}

/** What the next prompt has to mention: files restored from before an iteration, a violation, a last turn that was cut off. */
export async function sinceLastTurn({
  live,
}: RunContext): Promise<Pick<Start, "undone" | "violated" | "interrupted">> {
  let undone: number | null = null;
  let violated: string | null = null;
  let isHeard = false;
  let interrupted = false;
  for (const { event } of await followEntries(live.journal)()) {
    if (event.type === "checkpoint.restored") {
      undone = event.iteration;
      isHeard = false;
    }
    if (event.type === "loop.paused" && event.reason === "must-not") {
      violated = event.detail;
      isHeard = false;
    }
    if (event.type === "turn.launched") isHeard = true;
    if (event.type === "turn.ended") {
      if (isHeard && isJudged(event.outcome)) {
        undone = null;
        violated = null;
      }
      interrupted = !isJudged(event.outcome) && event.outcome !== "lost-conversation";
    }
    // A session worked on it meanwhile.
    if (event.type === "iteration.held" || event.type === "iteration.handed-back") {
      interrupted = false;
      violated = null;
    }
  }
  return { undone, violated, interrupted };
}

/**
 * Recovers a turn that an earlier run started and nobody saw end: ends its remaining processes and charges it once. If it was
 * finished it is judged, otherwise it starts again.
 */
export async function recoverTurn(context: RunContext): Promise<void> {
  const before = await context.live.refresh();
  const turn = before.driven?.turn ?? null;
  if (turn === null) return;
  sweepDrafts(join(runsFolder(context.live.project, before.id), turn.id));
  const outcome = await outcomeOfOpenTurn(context, context.choice, turn);
  const finished = comesToJudgement(outcome) && !turn.superseded;
  context.tell({ type: "recovered", loop: before, turn, finished });
  // Its run may have died after seeing the name and before recording it.
  const { conversation } = outcome.report;
  if (conversation !== null && turn.driver === context.driver.id)
    await recordConversation(context, conversation);
  if (finished) await settleTurn(context, turn, outcome);
  else await context.live.record((loop) => eventsOfEnd(loop, turn, outcome, "interrupted"));
}

/** Recorded before a loop continues, so the time since then doesn't count as work. */
export async function noteAbandoned({ live }: KnownLoop): Promise<void> {
  await live.record((loop) => endOfAbandoned(live.project, loop));
}

/** Recorded before anyone but a run continues or ends a loop: a turn its run left open won't be judged, but it has a cost. */
export async function chargeAbandoned(
  machine: Machine,
  { id, live, workingDirectory }: KnownLoop,
): Promise<void> {
  const { project, loop } = live;
  const choice = lastAgent(machine.home, project.root, id);
  if (choice === null || livingDriver(loop) !== null) return;
  const recalling = {
    machine,
    live,
    workingDirectory,
    prices: priceTable(machine),
    redact: redactor(machine.env),
  };
  await chargeOpenTurn(recalling, choice);
}

/** Records the cost of a turn whose run is gone and that nobody will judge. */
async function chargeOpenTurn(context: Recalling, choice: AgentChoice): Promise<void> {
  const turn = (await context.live.refresh()).driven?.turn ?? null;
  if (turn === null) return;
  const outcome = await outcomeOfOpenTurn(context, choice, turn);
  await context.live.record((loop) => eventsOfEnd(loop, turn, outcome, "interrupted"));
}

async function outcomeOfOpenTurn(
  context: Recalling,
  choice: AgentChoice,
  turn: LaunchedTurn,
): Promise<TakenTurn> {
  await endLeftovers(turn.run);
  const driver = driverOf({ ...choice, driver: parseDriverId(turn.driver) ?? choice.driver }, "");
  const reader = driver.readStream({
    model: turn.model,
    conversation: turn.conversation,
    reportedUsd: turn.reportedUsd,
    reportedUsage: usageOf(turn.reportedTokens),
  });
  return recallTurn(context, reader, turnFolder(context.live.project, context.live.id, turn.id));
}

/** Ends what a run that was killed has left. Its id comes from a file, so only a valid one is looked up among this machine's processes. */
export async function endLeftovers(run: string): Promise<void> {
  if (/^run-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run)) await endProcessesOfRun(run);
}
