import { quoted, oneLine } from "../../system/text/plain-text.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { isActiveFor, isBoundTo, isEnded, type LaunchedTurn, type Loop } from "../../core/loop/loop.ts";
import type { Mendable, Recovery, Trouble } from "../../core/stop/trouble.ts";
import { recoveryFor, isJudged } from "../../core/stop/trouble.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import { withoutStatusBlocks } from "../../core/stop/status-block.ts";
import { decideStop, type StopAnswer } from "../stop/decide-stop.ts";
import { writeBackTasks } from "../compat/task-list-mirror.ts";
import type { TurnReport, Denial } from "../../agents/drivers/driver.ts";
import { whatWasSaid } from "../../agents/hosts/what-was-said.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { countsOf } from "./turn-report.ts";
import { INTERRUPTED, type RunContext } from "./run-context.ts";
import { mirrorTasks, ownLoop, untilStopped } from "./take-over.ts";
import type { TakenTurn } from "./take-turn.ts";

export type Settled =
  | {
      readonly type: "judged";
      readonly verdict: Verdict;
      /** The tree reading, if the decision ended with one. */
      readonly tree: TreeReading | null;
    }
  | {
      readonly type: "remedy";
      readonly remedy: Recovery;
      readonly trouble: Trouble;
      /** The agent worked before that happened. */
      readonly worked: boolean;
    }
  /** Ended on purpose, by the person at the terminal or by a pause, end or takeover of the loop: nothing to fix. */
  | { readonly type: "stopped" };

const SAID_LIMIT = 400;

/**
 * Settles a turn, once: first records its cost, then, in one record, its end and the decision. null: the run was stopped before
 * it could decide. A turn that ended well is judged when the loop resumes.
 */
export async function settleTurn(
  context: RunContext,
  turn: LaunchedTurn,
  outcome: TakenTurn,
): Promise<Settled | null> {
  await context.live.record((loop) => chargesOf(loop, turn, outcome));
  const settled = await settle(context, turn, outcome);
  if (settled === null || settled.type === "stopped") return settled;
  const { loop } = context.live;
  context.tell(
    settled.type === "judged"
      ? { type: "judged", verdict: settled.verdict, loop }
      : { ...settled, type: "troubled", loop },
  );
  return settled;
}

/** Whether the checks can judge it. */
export function comesToJudgement({ report: { trouble } }: TakenTurn): boolean {
  return isJudged(trouble?.kind ?? "finished");
}

async function settle(context: RunContext, turn: LaunchedTurn, outcome: TakenTurn): Promise<Settled | null> {
  const { trouble } = outcome.report;
  if (trouble !== null && trouble.kind !== "budget") {
    const remedy = await mend(context, turn, outcome, trouble);
    const { worked } = outcome;
    return remedy === null ? { type: "stopped" } : { type: "remedy", trouble, remedy, worked };
  }
  const judged = await untilStopped(context, async (signal) => {
    return { type: "judged", ...(await judge(context, turn, outcome, signal)) } as const;
  });
  // If somebody ended or took the loop meanwhile, nothing will be decided. If it was only paused, it will be.
  await context.live.record((loop) => {
    const isOurs = !isEnded(loop) && isBoundTo(loop, context.run);
    return isOurs ? [] : eventsOfEnd(loop, turn, outcome, "interrupted");
  });
  return judged;
}

async function judge(
  context: RunContext,
  turn: LaunchedTurn,
  outcome: TakenTurn,
  signal: AbortSignal,
): Promise<Pick<StopAnswer, "verdict" | "tree">> {
  const { report, edits } = outcome;
  const { machine, live, run } = context;
  const said = await whatWasSaid(report.lastMessage);
  await mirrorTasks(context);
  const { verdict, loop, tree } = await decideStop(
    machine,
    ownLoop(context),
    {
      session: run,
      stop: "end-of-turn",
      continuesHold: true,
      personPresent: context.person !== null,
      said,
      toolUses: report.toolUses,
      edits,
      holdCap: null,
    },
    {
      turn: {
        id: turn.id,
        outcome: report.trouble === null ? "finished" : "budget",
        cappedItself: outcome.cappedItself,
        claimsDone: report.claimsDone === true,
        said: wordsOf(report),
        reportedUsd: report.reportedUsd,
        reportedTokens: countsOf(report.reportedUsage),
        denials: missingPermissions(report.denials),
      },
    },
    { hookTimeout: null, signal },
  );
  if (loop !== null) await writeBackTasks(machine, live.project.root, loop, said);
  return { verdict, tree };
}

/** null: the loop is no longer ours. */
async function mend(
  context: RunContext,
  turn: LaunchedTurn,
  outcome: TakenTurn,
  trouble: Mendable,
): Promise<Recovery | null> {
  const { run, machine, interrupts } = context;
  let remedy: Recovery | null = null;
  await context.live.record((loop) => {
    const ended = eventsOfEnd(loop, turn, outcome, trouble.kind);
    remedy = null;
    if (!isActiveFor(loop, run)) return ended;
    if (interrupts.now.aborted) return [...ended, INTERRUPTED];
    remedy = recoveryFor(
      trouble,
      {
        retries: loop.driven?.retries ?? 0,
        waits: loop.driven?.waits ?? 0,
        resumed: turn.conversation !== null,
      },
      machine.now(),
    );
    return [...ended, ...eventsOfRecovery(remedy, trouble)];
  });
  return remedy;
}

function eventsOfRecovery(remedy: Recovery, trouble: Trouble): readonly LoopEvent[] {
  switch (remedy.type) {
    case "retry":
      return [];
    case "wait":
      return [{ type: "usage-limit.met", until: remedy.until, detail: trouble.detail }];
    case "pause":
      return [{ type: "loop.paused", reason: remedy.reason, detail: remedy.detail, by: "machine" }];
  }
}

/** Empty if the end of the turn is already recorded. */
export function eventsOfEnd(
  loop: Loop,
  turn: LaunchedTurn,
  outcome: TakenTurn,
  kind: Trouble["kind"],
): readonly LoopEvent[] {
  if (openTurn(loop, turn) === null) return [];
  const { report } = outcome;
  return [
    ...chargesOf(loop, turn, outcome),
    {
      type: "turn.ended",
      turn: turn.id,
      outcome: kind,
      said: wordsOf(report),
      reportedUsd: report.reportedUsd,
      reportedTokens: countsOf(report.reportedUsage),
    },
  ];
}

/** The cost of the turn; empty if already recorded. */
function chargesOf(
  loop: Loop,
  turn: LaunchedTurn,
  { report, spent, worked }: TakenTurn,
): readonly LoopEvent[] {
  const open = openTurn(loop, turn);
  if (open === null || open.charged) return [];
  const { usd, tokens, priced } = spent;
  // An agent that reported no bill hasn't worked for free.
  const isUntold = !priced && (worked || report.trouble === null);
  if (usd === 0 && tokens === 0 && !isUntold) return [];
  return [{ type: "cost.charged", usd, tokens, priced, turn: turn.id }];
}

function openTurn({ driven }: Loop, { id, run }: LaunchedTurn): LaunchedTurn | null {
  const open = driven?.turn ?? null;
  return open !== null && open.id === id && open.run === run ? open : null;
}

/** The end of a message matters most; the status block below it is for machines. */
function wordsOf({ lastMessage }: TurnReport): string | null {
  const text = withoutStatusBlocks(lastMessage ?? "");
  if (text === "") return null;
  const line = oneLine(text, text.length + 1);
  return line.length > SAID_LIMIT ? `…${line.slice(1 - SAID_LIMIT)}` : line;
}

/** Our own read-only commands. A prompt mentions them, and their results are checked after the turn anyway. */
const ONLY_LOOKS = /^\w+\(loop (?:check|status)\b/;

/** What an agent was denied and may need, each as the flag that would allow it. */
function missingPermissions(denials: readonly Denial[]): readonly string[] {
  return denials
    .filter(({ rule }) => !ONLY_LOOKS.test(rule))
    .map(({ tool, rule }) => {
      const flag = rule.startsWith("--") ? rule : `--allow ${quoted(rule)}`;
      return rule === tool || rule.startsWith(`${tool}(`) ? flag : `${flag} (for ${tool})`;
    });
}
