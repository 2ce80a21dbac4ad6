import { randomUUID } from "node:crypto";
import { runsFolder } from "../lifecycle/turn-folders.ts";
import { describeCheck, isRepeatable, type Check, type Criterion } from "../../core/loop/criterion.ts";
import { isActiveFor, nextIteration, topFrame, type LaunchedTurn, type Loop } from "../../core/loop/loop.ts";
import { unheard } from "../../core/loop/words.ts";
import { failureDigest, standingReason } from "../../core/stop/hold-reason.ts";
import type { HoldReason } from "../../core/stop/verdict.ts";
import type { Turn } from "../../agents/drivers/driver.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { turnPrompt } from "../../views/prompts/turn.ts";
import { usageOf } from "./turn-report.ts";
import type { RunContext } from "./run-context.ts";
import { createTurnFolder, isFirstAttempt, type TurnFolder } from "./turn-folder.ts";
import type { Journal } from "../../storage/journal/journal.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import { checkpointsOfLoop, listCheckpoints } from "../../worktrees/checkpoints/refs.ts";
import { takeCheckpoint } from "../../worktrees/checkpoints/take.ts";

/** How the next turn starts. */
export interface Start {
  /** The last decision; null if this run has made none yet. */
  readonly reason: HoldReason | null;
  /** The tree reading, if there is a recent one. */
  readonly tree: TreeReading | null;
  /** Starts a new conversation although there is one. */
  readonly anew: boolean;
  readonly interrupted: boolean;
  /** A person restored the files from before this iteration, which no conversation knows; null: nobody did. */
  readonly undone: number | null;
  /** The violation that the loop paused for, and that no turn was told of; null: none. */
  readonly violated: string | null;
  /** The failures in the conversation's last prompt. */
  readonly told: ReadonlySet<string>;
  /** Another approach than the last turn's; null: nobody gave one. */
  readonly advice: string | null;
}

interface Launched {
  readonly loop: Loop;
  readonly turn: LaunchedTurn;
  readonly folder: TurnFolder;
  readonly request: Turn;
  /** The commit that keeps the tree from before the iteration; null if there is none. */
  readonly checkpoint: string | null;
  readonly told: ReadonlySet<string>;
}

/** Prepares the turn and records it in the journal before anything happens. null: the loop is no longer ours. */
export async function launchTurn(context: RunContext, loop: Loop, start: Start): Promise<Launched | null> {
  const { live, choice, driver } = context;
  const { project } = live;
  const frame = topFrame(loop);
  const iteration = nextIteration(frame);
  const isKept = driver.keepsConversations && !choice.fresh && !start.anew && start.undone === null;
  const conversation = isKept ? (loop.driven?.conversation ?? null) : null;
  const reason = start.reason ?? standingReason(loop, iteration);
  const prompt = turnPrompt({
    loop,
    reason: knownTo(conversation === null ? NOTHING_TOLD : start.told, reason),
    continued: conversation !== null,
    interrupted: start.interrupted,
    undone: start.undone,
    violated: start.violated,
    advice: start.advice,
  });
  const name = await iterationName(live.journal, loop, iteration);
  context.outputQuota.make();
  const folder = createTurnFolder(project, loop.id, name, prompt);
  context.outputQuota.isUsedBy(folder.id);
  const checkpoint = await keepTree(context, name, { isFirst: isFirstAttempt(folder), tree: start.tree });
  const launched = await live.record((now) => {
    if (!isActiveFor(now, context.run) || now.driven?.turn != null) return [];
    return [
      {
        type: "turn.launched",
        turn: folder.id,
        run: context.run,
        driver: driver.id,
        model: choice.model,
        iteration,
        conversation: conversation?.id ?? null,
        step: frame.steps.find((step) => !step.done)?.name ?? null,
        checkpoint,
      },
      // Those that came since the prompt was written are for the next turn.
      ...(unheard(loop.words).length === 0
        ? []
        : [{ type: "words.heard", count: loop.words.length, turn: folder.id } as const]),
    ];
  });
  const turn = launched.driven?.turn ?? null;
  if (turn === null || turn.id !== folder.id || turn.run !== context.run) return null;
  const { budgetUsd } = launched.limits;
  return {
    loop: launched,
    turn,
    folder,
    checkpoint,
    told: new Set(reason.failing.map(failureDigest)),
    request: {
      prompt,
      conversation: conversation?.id ?? null,
      freshConversation: randomUUID(),
      reportedUsd: conversation?.reportedUsd ?? null,
      reportedUsage: usageOf(conversation?.reportedTokens ?? null),
      model: choice.model,
      permissionMode: choice.permissionMode,
      allow: choice.allow,
      checks: frame.criteria.filter(isUsers).map(({ check }) => describeCheck(check)),
      args: choice.args,
      subagents: choice.subagents,
      budgetUsd: budgetUsd === null ? null : Math.max(0, budgetUsd - launched.spend.usd),
      folder: runsFolder(project, loop.id),
    },
  };
}

/** A check that a person has approved and that may run at any time. */
function isUsers(criterion: Criterion): criterion is Criterion & { readonly check: Check } {
  return isRepeatable(criterion) && !criterion.isAgents;
}

export const NOTHING_TOLD: ReadonlySet<string> = new Set();

/** Doesn't send the same failure in full twice, unless the conversation hasn't seen it. */
function knownTo(told: ReadonlySet<string>, reason: HoldReason): HoldReason {
  const failing = reason.failing.map((each) => ({ ...each, unchanged: told.has(failureDigest(each)) }));
  return { ...reason, failing };
}

/**
 * The name for an iteration's turns and checkpoint: its number. Each nested loop counts from 1, so its own number comes first:
 * `1.3` is iteration 3 of the first loop ever opened inside this one.
 */
async function iterationName(journal: Journal, loop: Loop, iteration: number): Promise<string> {
  if (loop.frames.length === 1) return `${iteration}`;
  return `${await frameAtWork(journal)}.${iteration}`;
}

async function frameAtWork(journal: Journal): Promise<number> {
  const open: number[] = [];
  let pushed = 0;
  for (const { event } of await followEntries(journal)()) {
    if (event.type === "frame.pushed") {
      pushed += 1;
      open.push(pushed);
    }
    if (event.type === "frame.popped") open.pop();
  }
  return open.at(-1) ?? 0;
}

/**
 * The commit that keeps the files from before an iteration, under the iteration's name. One per iteration: a second attempt
 * starts with what the first one left. Null if there is none. Reports files that are not kept. `tree`: a recent tree reading, if
 * there is one.
 */
async function keepTree(
  context: RunContext,
  iteration: string,
  { isFirst, tree }: { readonly isFirst: boolean; readonly tree: TreeReading | null },
): Promise<string | null> {
  const { machine, live, workingDirectory, redact, tell } = context;
  const { id } = live;
  const { root } = workingDirectory;
  const ref = `${checkpointsOfLoop(id)}/${iteration}`;
  const [kept] = isFirst ? [] : await listCheckpoints(root, ref);
  if (kept !== undefined) return kept.commit;
  const message = `Before iteration ${iteration} of ${id}`;
  const taken = await takeCheckpoint({ root, stateHome: machine.home, ref, message, reading: tree });
  if (taken.commit === null) {
    tell({ type: "unkept", files: "all", why: taken.why === null ? null : redact(taken.why) });
  } else if (taken.skipped.length > 0) {
    tell({ type: "unkept", files: taken.skipped, why: "larger than 100 MB" });
  }
  return taken.commit;
}
