import type { LoopEvent } from "../core/event.ts";
import type { LaunchedTurn, Loop } from "../core/loop.ts";
import type { Mendable, Remedy } from "../core/remedy.ts";
import { remedyFor } from "../core/remedy.ts";
import type { Verdict } from "../core/stop/verdict.ts";
import type { Trouble } from "../core/trouble.ts";
import { isJudged } from "../core/trouble.ts";
import { withoutStatusBlocks } from "../core/status-block.ts";
import { decideStop } from "../app/decide-stop.ts";
import type { TurnReport } from "../drivers/driver.ts";
import { whatWasSaid } from "../hosts/what-was-said.ts";
import { loadLoop } from "../store/loop-store.ts";
import { oneLine } from "../views/loop-lines.ts";
import { countsOf } from "./charge.ts";
import { INTERRUPTED } from "./interrupts.ts";
import { record } from "./record.ts";
import type { RunContext } from "./run-context.ts";
import type { TurnOutcome } from "./take-turn.ts";
import { untilStopped } from "./until-stopped.ts";

export type Settled =
  | { readonly type: "judged"; readonly verdict: Verdict }
  | {
      readonly type: "remedy";
      readonly remedy: Remedy;
      readonly trouble: Trouble;
      /** The agent was seen at work before it came to that. */
      readonly worked: boolean;
    }
  /** Ended on purpose, by the person at the terminal or by whoever paused, ended or took the loop: nothing to mend. */
  | { readonly type: "stopped" };

const SAID_LIMIT = 400;

/**
 * Records what became of a turn, once: its cost, its end, and what is decided on it stand in one record. null: the person
 * stopped the run now. A turn that ended well is then settled when the loop goes on; trouble takes no time.
 */
export async function settleTurn(
  context: RunContext,
  turn: LaunchedTurn,
  outcome: TurnOutcome,
): Promise<Settled | null> {
  const work = async (): Promise<Settled> => settle(context, turn, outcome);
  const settled = comesToJudgement(outcome) ? await untilStopped(context, work) : await work();
  if (settled === null || settled.type === "stopped") return settled;
  const { loop } = loadLoop(context.project, context.loop);
  context.tell(settled.type === "judged" ? { ...settled, loop } : { ...settled, type: "troubled", loop });
  return settled;
}

/** Whether it came to something that the checks can judge. */
export function comesToJudgement({ report: { trouble } }: TurnOutcome): boolean {
  return isJudged(trouble?.kind ?? "finished");
}

async function settle(context: RunContext, turn: LaunchedTurn, outcome: TurnOutcome): Promise<Settled> {
  const { trouble } = outcome.report;
  if (trouble === null || trouble.kind === "budget") {
    const verdict = await judge(context, turn, outcome);
    // Somebody ended or took the loop meanwhile, and nothing was decided; what the turn cost is told all the same. Where
    // it was only paused, the turn is judged when the loop goes on.
    if (!context.interrupts.now.aborted) {
      await record(context, (loop) => {
        const isOurs = loop.phase === "paused" && loop.binding?.session === context.run;
        return isOurs ? [] : eventsOfEnd(loop, turn, outcome, "interrupted");
      });
    }
    return { type: "judged", verdict };
  }
  const remedy = await mend(context, turn, outcome, trouble);
  const { worked } = outcome;
  return remedy === null ? { type: "stopped" } : { type: "remedy", trouble, remedy, worked };
}

async function judge(context: RunContext, turn: LaunchedTurn, outcome: TurnOutcome): Promise<Verdict> {
  const { report, spent, edits } = outcome;
  const { verdict } = await decideStop(
    context.machine,
    {
      session: context.run,
      stop: "end-of-turn",
      continuesHold: true,
      personPresent: context.person !== null,
      said: await whatWasSaid(report.lastMessage),
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
        denials: report.denials.map(({ tool, rule }) => (tool === rule ? rule : `${rule} (for ${tool})`)),
      },
      spent,
    },
  );
  return verdict;
}

/** null: the loop is not ours to go on with. */
async function mend(
  context: RunContext,
  turn: LaunchedTurn,
  outcome: TurnOutcome,
  trouble: Mendable,
): Promise<Remedy | null> {
  const { run, machine, interrupts } = context;
  let remedy: Remedy | null = null;
  await record(context, (loop) => {
    const ended = eventsOfEnd(loop, turn, outcome, trouble.kind);
    remedy = null;
    if (loop.phase !== "active" || loop.binding?.session !== run) return ended;
    if (interrupts.now.aborted) return [...ended, INTERRUPTED];
    remedy = remedyFor(
      trouble,
      {
        retries: loop.driven?.retries ?? 0,
        waits: loop.driven?.waits ?? 0,
        resumed: turn.conversation !== null,
      },
      machine.now(),
    );
    return [...ended, ...eventsOfRemedy(remedy, trouble)];
  });
  return remedy;
}

function eventsOfRemedy(remedy: Remedy, trouble: Trouble): readonly LoopEvent[] {
  switch (remedy.type) {
    case "retry":
      return [];
    case "wait":
      return [{ type: "usage-limit.met", until: remedy.until, detail: trouble.detail }];
    case "pause":
      return [{ type: "loop.paused", reason: remedy.reason, detail: remedy.detail, by: "machine" }];
  }
}

/** Nothing when the end of the turn is on record already. */
export function eventsOfEnd(
  loop: Loop,
  turn: LaunchedTurn,
  { report, spent, worked }: Pick<TurnOutcome, "report" | "spent" | "worked">,
  outcome: Trouble["kind"],
): readonly LoopEvent[] {
  if (loop.driven?.turn?.id !== turn.id || loop.driven.turn.run !== turn.run) return [];
  const { usd, tokens, priced } = spent;
  const said = wordsOf(report);
  // An agent that was cut off before it told its bill has not worked for nothing.
  const isUnknown = !priced && worked;
  const charged: readonly LoopEvent[] =
    usd > 0 || tokens > 0 || isUnknown ? [{ type: "cost.charged", usd, tokens, priced }] : [];
  return [
    ...charged,
    {
      type: "turn.ended",
      turn: turn.id,
      outcome,
      said,
      reportedUsd: report.reportedUsd,
      reportedTokens: countsOf(report.reportedUsage),
    },
  ];
}

/** The end of a message is what it comes to; the status block below it is for machines. */
function wordsOf({ lastMessage }: TurnReport): string | null {
  const text = withoutStatusBlocks(lastMessage ?? "");
  if (text === "") return null;
  const line = oneLine(text, text.length + 1);
  return line.length > SAID_LIMIT ? `…${line.slice(1 - SAID_LIMIT)}` : line;
}
