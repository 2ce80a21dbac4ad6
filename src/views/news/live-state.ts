import { withoutStatusBlocks } from "../../core/stop/status-block.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { RunNews, WorkflowNews } from "./news.ts";

/** What happens between two records of the journal. */
export interface LiveNote {
  readonly doing: Doing;
  /** When it started doing that. */
  readonly since: number;
  /** The last tool the agent used in this turn. */
  readonly tool: { readonly name: string; readonly detail: string } | null;
  readonly said: string | null;
  /** Finished checks of a group that is still running. */
  readonly checked: readonly { readonly name: string; readonly passed: boolean }[];
  /** The running turn and its cost so far. */
  readonly turn: string | null;
  readonly turnUsd: number | null;
}

type Doing =
  /** The machine itself, before and after the agent's turn. */
  | { readonly type: "preparing" | "judging" }
  | { readonly type: "working" }
  | { readonly type: "checking"; readonly name: string }
  | { readonly type: "waiting"; readonly until: number; readonly detail: string }
  | { readonly type: "asking" };

/** What a run reports, and what is seen beside it. */
export type LiveNews =
  | RunNews
  | { readonly type: "asking" }
  /** Somebody wrote to the journal. */
  | { readonly type: "standing"; readonly loop: Loop };

/** Enough for a wide terminal, but no more: a note is written every second. */
const TEXT_LIMIT = 300;

const WORKING: Doing = { type: "working" };
const PREPARING: Doing = { type: "preparing" };

export function quietNote(at: number): LiveNote {
  return { doing: PREPARING, since: at, tool: null, said: null, checked: [], turn: null, turnUsd: null };
}

export function noteAfter(note: LiveNote, news: LiveNews, at: number): LiveNote {
  switch (news.type) {
    case "began":
    case "recovered":
      return quietNote(at);
    case "launched":
      return { ...quietNote(at), doing: WORKING, turn: news.turn.id };
    case "seen":
      return withAgentEvent(note, news, at);
    case "returned":
      return { ...note, doing: { type: "judging" }, since: at, tool: null };
    case "checking":
      return { ...note, doing: { type: "checking", name: news.name }, since: at };
    case "checked":
      return { ...note, checked: [...note.checked, { name: news.name, passed: news.passed }] };
    case "judged":
    case "troubled": {
      // After the last turn, nothing is prepared.
      const doing: Doing = news.loop.phase === "active" ? PREPARING : { type: "judging" };
      return { ...note, doing, since: at, tool: null, checked: [], turn: null, turnUsd: null };
    }
    case "waiting": {
      const doing: Doing = { type: "waiting", until: news.until, detail: short(news.detail) };
      const isKnown = note.doing.type === "waiting" && note.doing.until === news.until;
      return isKnown ? note : { ...note, doing, since: at };
    }
    case "asking":
      return { ...note, doing: { type: "asking" }, since: at };
    case "unkept":
    case "uncommitted":
    case "recorded":
    case "standing":
    case "ended":
      return note;
  }
}

function withAgentEvent(
  note: LiveNote,
  { agentEvent, usd }: Extract<RunNews, { type: "seen" }>,
  at: number,
): LiveNote {
  const working = note.doing.type === "working" ? note : { ...note, doing: WORKING, since: at };
  switch (agentEvent.type) {
    case "said":
      // An agent that speaks is done with its last tool.
      return { ...working, since: at, tool: null, said: short(withoutStatusBlocks(agentEvent.text)) };
    case "used":
      return {
        ...working,
        since: at,
        tool: { name: short(agentEvent.tool), detail: short(agentEvent.detail) },
      };
    case "retrying":
      return { ...working, since: at, tool: { name: "tries again", detail: short(agentEvent.detail) } };
    case "billed":
      return usd === null ? note : { ...note, turnUsd: usd };
    case "conversation":
    case "edited":
    case "failed":
      return note;
  }
}

function short(text: string): string {
  return oneLine(text, TEXT_LIMIT);
}

/** What the live view shows. */
export interface LiveViewState {
  readonly loop: Loop;
  /** Somebody pressed Ctrl-C: it pauses once the iteration is over. */
  readonly isPausing?: boolean;
  /** The agent's display name; null when nobody works on the loop. */
  readonly agent: string | null;
  /** null: unknown what it is doing right now. */
  readonly note: LiveNote | null;
  /** The process that drove it is gone, but the loop is still active. */
  readonly abandoned: boolean;
}

/** Nothing to show before a run has begun. */
export function liveViewAfter(state: LiveViewState | null, news: LiveNews, at: number): LiveViewState | null {
  if (news.type === "began") {
    return { loop: news.loop, agent: news.agent, note: quietNote(at), abandoned: false };
  }
  if (state === null) return null;
  return {
    ...state,
    loop: "loop" in news ? news.loop : state.loop,
    note: noteAfter(state.note ?? quietNote(at), news, at),
  };
}

/** What the live view of a plan shows. */
export interface LivePlanState {
  readonly loop: Loop;
  /** Somebody pressed Ctrl-C: it pauses once the iteration is over. */
  readonly isPausing?: boolean;
  /** What is known of the attempts that run, by their tasks. */
  readonly attempts: ReadonlyMap<string, LiveViewState>;
  /** What the gate is at, and since when. */
  readonly gate?: { readonly what: string; readonly since: number };
}

/** What the run of a plan tells, and what its journal says beside it. */
export type LivePlanNews = WorkflowNews | { readonly type: "standing"; readonly loop: Loop };

/** Before a run has begun there is nothing to show. */
export function livePlanAfter(
  state: LivePlanState | null,
  news: LivePlanNews,
  at: number,
): LivePlanState | null {
  if (news.type === "workflow-began") return { loop: news.loop, attempts: new Map() };
  if (state === null) return null;
  if (news.type === "attempt-news") {
    const seen = liveViewAfter(state.attempts.get(news.task) ?? null, news.news, at);
    return seen === null ? state : { ...state, attempts: new Map([...state.attempts, [news.task, seen]]) };
  }
  if (news.type === "gating") return { ...state, gate: { what: news.what, since: at } };
  if (!("loop" in news)) return state;
  if (news.type === "gate-judged") {
    const { gate: _judged, ...rest } = state;
    return { ...rest, loop: news.loop };
  }
  const isOver = news.type === "attempt-finished" || news.type === "set-back";
  const attempts = isOver
    ? new Map([...state.attempts].filter(([task]) => task !== news.task.id))
    : state.attempts;
  return { ...state, loop: news.loop, attempts };
}
