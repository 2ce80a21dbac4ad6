import { ImpossibleEvent, type EventOf } from "./event.ts";
import type { Driven, LaunchedTurn } from "../loop/loop.ts";
import { isJudged } from "../stop/trouble.ts";

/** A run takes over. An open turn stays open until somebody knows how it ended. */
export function driveFrom(before: Driven | null, event: EventOf<"run.began">): Driven {
  const { run, driver, model, process } = event;
  return {
    run,
    driver,
    model,
    process,
    // This agent doesn't know what another agent was told.
    conversation: before?.driver === driver ? before.conversation : null,
    turn: before?.turn ?? null,
    retries: 0,
    waits: 0,
    waitsUntil: null,
  };
}

/** A turn begins, which ends any wait. */
export function withTurn(
  driven: Driven | null,
  event: EventOf<"turn.launched">,
  budgetUsd: number | null,
): Driven {
  if (driven === null) throw new ImpossibleEvent(`${event.type} in a loop that nobody drives`);
  const { turn: id, run, driver, model, iteration, conversation } = event;
  if (driven.turn !== null) throw new ImpossibleEvent(`turn ${id} before turn ${driven.turn.id} ended`);
  const told = driven.conversation?.id === conversation ? driven.conversation : null;
  const reported = {
    reportedUsd: told?.reportedUsd ?? null,
    reportedTokens: told?.reportedTokens ?? null,
  };
  const of = { iteration, conversation, run, driver, model };
  return {
    ...withoutWait(driven),
    turn: { id, ...of, ...reported, budgetUsd, charged: false, superseded: false },
  };
}

export function withoutWait(driven: Driven): Driven {
  return { ...driven, waitsUntil: null };
}

export function withTurnCharged(driven: Driven | null, { turn: id }: EventOf<"cost.charged">): Driven | null {
  const turn = driven?.turn ?? null;
  if (driven === null || turn === null || turn.id !== id) return driven;
  return { ...driven, turn: { ...turn, charged: true } };
}

export function withTurnSuperseded(driven: Driven): Driven {
  return driven.turn === null ? driven : { ...driven, turn: { ...driven.turn, superseded: true } };
}

type DrivingEvent = EventOf<"turn.ended" | "conversation.opened" | "usage-limit.met" | "run.ended">;

/** How a loop is driven, after one more fact. */
export function evolveDriven(driven: Driven | null, event: DrivingEvent): Driven {
  if (driven === null) throw new ImpossibleEvent(`${event.type} in a loop that nobody drives`);
  switch (event.type) {
    case "turn.ended": {
      if (driven.turn?.id !== event.turn) throw new ImpossibleEvent(`turn ${event.turn} was not running`);
      const { conversation } = driven;
      return {
        ...driven,
        turn: null,
        ...triesAfter(driven, driven.turn, event.outcome),
        conversation:
          event.outcome === "lost-conversation" || conversation === null
            ? null
            : {
                ...conversation,
                reportedUsd: event.reportedUsd ?? conversation.reportedUsd,
                reportedTokens: event.reportedTokens ?? conversation.reportedTokens,
              },
      };
    }
    case "conversation.opened":
      if (driven.conversation?.id === event.conversation) return driven;
      return { ...driven, conversation: { id: event.conversation, reportedUsd: null, reportedTokens: null } };
    case "usage-limit.met":
      return { ...driven, waitsUntil: event.until };
    case "run.ended":
      return driven.run === event.run ? { ...driven, process: null } : driven;
  }
}

/** An open turn of another run, and usage limits that were waited out, don't use up the retry. */
function triesAfter(
  { run, retries, waits }: Driven,
  turn: LaunchedTurn,
  outcome: EventOf<"turn.ended">["outcome"],
): Pick<Driven, "retries" | "waits"> {
  if (isJudged(outcome)) return { retries: 0, waits: 0 };
  if (outcome === "usage-limit") return { retries, waits: waits + 1 };
  const isWorthATry = outcome === "transient" || outcome === "interrupted";
  return { retries: isWorthATry && turn.run === run ? retries + 1 : retries, waits };
}
