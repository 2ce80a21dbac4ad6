import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { displayWidth } from "../../system/text/display-width.ts";
import { START, loopWith } from "../../../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  done,
  failed,
  finished,
  mergeBegun,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import { livePlanLines } from "./live-plan-lines.ts";
import { livePlanAfter, type LivePlanNews, type LivePlanState } from "../news/live-state.ts";

const IDS = ["T-1", "T-2", "T-3", "T-4", "T-5"];

function plan(...events: readonly LoopEvent[]): Loop {
  return loopWith(
    { goal: { exitRule: "tasks" } },
    adopted([...IDS.map((id) => planned(id)), planned("T-6", IDS)], { parallel: 3 }),
    branchBegun,
    { type: "wave.begun", wave: 1 },
    ...events,
  );
}

const BUSY = plan(
  ...done("T-1", 1),
  started("T-2"),
  failed("T-2"),
  started("T-2", 2),
  started("T-3", 1, { slot: 2 }),
  started("T-4", 1, { slot: 3 }),
  finished("T-4"),
  mergeBegun(2, "T-4"),
  { type: "agent.limited", agent: "codex", until: START + 90_000 },
);

function after(...news: readonly LivePlanNews[]): LivePlanState {
  let state: LivePlanState | null = null;
  for (const each of news) state = livePlanAfter(state, each, START + 1_000);
  if (state === null) throw new Error("nothing to show");
  return state;
}

const BEGAN: LivePlanNews = { type: "workflow-began", loop: BUSY, resumed: false, inPlace: false };
const CHARGED: LoopEvent = { type: "cost.charged", usd: 0.25, tokens: 0, priced: true };
const ATTEMPT = loopWith({}, CHARGED);
const SEEN: readonly LivePlanNews[] = [
  {
    type: "attempt-news",
    task: "T-2",
    news: { type: "began", loop: ATTEMPT, agent: "Codex", permits: null, hasRules: false, resumed: false },
  },
  {
    type: "attempt-news",
    task: "T-2",
    news: { type: "seen", agentEvent: { type: "used", tool: "Edit", detail: "src/cart.js" }, usd: null },
  },
];

test("a plan says that it pauses after Ctrl-C, whatever is told meanwhile", () => {
  const state = livePlanAfter({ ...after(BEGAN), isPausing: true }, { type: "standing", loop: BUSY }, START);
  if (state === null) throw new Error("nothing to show");
  expect(livePlanLines(state, 90, 24, START)[1]).toContain("● pausing after this iteration · wave 1 of 2");
});

test("a plan has a line for each running task, the merge, what waits, and who waits for a limit", () => {
  expect(livePlanLines(after(BEGAN, ...SEEN), 90, 24, START + 12_000)).toEqual([
    "",
    "● active · wave 1 of 2 · 1/6 tasks · $0.25/$25 · 12 s",
    "  ▸ T-2 Do T-2 (attempt 2)            Edit src/cart.js                         $0.25  12 s",
    "  ▸ T-3 Do T-3                        codex                                           12 s",
    "  ⇄ merges T-4 and checks the result  12 s",
    "  ○ ready: T-5 · 1 blocked",
    "  ! codex waits 1 min 18 s for a usage limit",
  ]);
});

test("an attempt that is over is charged once: by the journal, and not by what was seen of it", () => {
  const charged = plan(started("T-2"), finished("T-2"), CHARGED);
  const state = after(BEGAN, ...SEEN, { type: "standing", loop: charged });
  expect(livePlanLines(state, 90, 24, START)[1]).toContain(" · $0.25/$25 · ");
});

test("an ended attempt is forgotten, and its next one starts anew", () => {
  const over: LivePlanNews = {
    type: "set-back",
    loop: BUSY,
    task: planned("T-2"),
    setback: { kind: "failed", detail: "", carry: null, failing: [] },
  };
  expect(after(BEGAN, ...SEEN, over).attempts.has("T-2")).toBe(false);
});

test("no line is wider than the terminal, and all of them fit on it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 30 }), (width, rows) => {
      const lines = livePlanLines(after(BEGAN, ...SEEN), width, rows, START);
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test("a plan says what the gate is at and for how long, until it is judged", () => {
  const gating = after(BEGAN, { type: "gating", what: "running 3 checks on the merged files" });
  const lines = livePlanLines(gating, 80, 20, START + 43_000).join("\n");
  expect(lines).toContain("gate: running 3 checks on the merged files  42 s");
  const verdict = { round: 1, commit: null, tasks: 6, passed: true, items: [], survivors: [] };
  const judged = livePlanAfter(gating, { type: "gate-judged", loop: BUSY, verdict }, START + 43_000);
  if (judged === null) throw new Error("nothing to show");
  expect(livePlanLines(judged, 80, 20, START + 43_000).join("\n")).not.toContain("gate:");
});
