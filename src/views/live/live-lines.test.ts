import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventOf } from "../../core/events/event.ts";
import type { LaunchedTurn, Loop } from "../../core/loop/loop.ts";
import type { AgentEvent } from "../../agents/drivers/driver.ts";
import { liveViewAfter, type LiveNews, type LiveViewState } from "../news/live-state.ts";
import {
  MINUTE,
  START,
  checked,
  loopWith,
  ran,
  sessionId,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import { displayWidth } from "../../system/text/display-width.ts";
import { liveLines } from "./live-lines.ts";

const RUN = sessionId("run-1");

const BEGAN: EventOf<"run.began"> = {
  type: "run.began",
  run: RUN,
  driver: "codex",
  model: "gpt-5-codex",
  process: { pid: 2, startedAt: "1", boot: "b" },
};

const LAUNCHED: EventOf<"turn.launched"> = {
  type: "turn.launched",
  turn: "1-1",
  run: RUN,
  driver: "codex",
  model: null,
  iteration: 1,
  conversation: null,
  step: null,
  checkpoint: null,
};

const TURN: LaunchedTurn = {
  id: "1-1",
  iteration: 1,
  conversation: null,
  run: RUN,
  driver: "codex",
  model: null,
  reportedUsd: null,
  reportedTokens: null,
  budgetUsd: null,
  charged: false,
  superseded: false,
};

function drivenLoop(part: Parameters<typeof loopWith>[0] = {}, ...more: Parameters<typeof ran>[]): Loop {
  return loopWith(
    {
      ...part,
      goal: {
        criteria: [checked("tests pass"), checked("lints"), unchecked("docs updated")],
        steps: ["read the code", "mend the cart"],
        ...part?.goal,
      },
    },
    ...more.map((each) => ran(...each)),
    BEGAN,
    LAUNCHED,
  );
}

/** A turn that has been going on for as long as the last news is old. */
function after(loop: Loop, ...news: readonly LiveNews[]): LiveViewState {
  const turn = loop.driven?.turn;
  if (turn == null) throw new Error("not launched");
  const told: readonly LiveNews[] = [
    { type: "began", loop, agent: "Codex", permits: null, hasRules: false, resumed: false },
    { type: "launched", loop, turn },
    ...news,
  ];
  const state = told.reduce<LiveViewState | null>((before, each) => liveViewAfter(before, each, START), null);
  if (state === null) throw new Error("nothing is shown");
  return state;
}

function seen(agentEvent: AgentEvent, usd: number | null = null): LiveNews {
  return { type: "seen", agentEvent, usd };
}

function shown(state: LiveViewState, width = 79, rows = 24, now = START + 2_000): string {
  return liveLines(state, width, rows, now).join("\n");
}

const USES_A_TOOL = seen({ type: "used", tool: "Bash", detail: "npm test -- --watch=false" });

describe("a run as it is shown", () => {
  test("with its criteria, its step, its cost and what the agent does", () => {
    const state = after(
      drivenLoop({}, ["tests pass", { passed: false }], ["lints"]),
      seen({ type: "billed", bill: { usd: 0.42, usage: [] } }, 0.42),
      seen({ type: "said", text: "I'll look at the failing test first.\nThen at the cart." }),
      USES_A_TOOL,
    );
    expect(shown(state, 79, 24, START + 3 * MINUTE + 12_000)).toMatchInlineSnapshot(`
      "
      ● active · iteration 1/10 · $0.42/$25 · 3 min 12 s · Codex (gpt-5-codex)
        step  1/2 read the code
        ✗ tests pass    failed with exit code 1
        ✓ lints         passed
        ○ docs updated  no check configured
        now   Bash npm test -- --watch=false  3 min 12 s
        said  I'll look at the failing test first. Then at the cart."
    `);
  });

  test("with why a pass does not count", () => {
    const state = after(drivenLoop({}, ["lints", { protectedDigest: "another" }]));
    expect(shown(state)).toContain("○ lints         passed, void: protected files changed\n");
  });

  test("in forty columns", () => {
    const state = after(
      drivenLoop({}, ["tests pass", { passed: false }]),
      seen({ type: "said", text: "日本語の説明と 🎉 and some more words after it" }),
      USES_A_TOOL,
    );
    expect(shown(state, 39, 24, START + 3 * MINUTE)).toMatchInlineSnapshot(`
      "
      ● active · iteration 1/10 · $0/$25
        3 min 0 s · Codex (gpt-5-codex)
        step  1/2 read the code
        ✗ tests pass    failed with exit cod…
        ○ lints         not run yet
        ○ docs updated  no check configured
        now   Bash npm test -- --…  3 min 0 s
        said  日本語の説明と 🎉 and some mor…"
    `);
  });

  test("while checks run: what is over, what runs, what comes", () => {
    const state = after(
      drivenLoop({}, ["tests pass"], ["lints"]),
      { type: "returned", turn: TURN },
      { type: "checking", name: "tests pass" },
      { type: "checked", name: "tests pass", passed: true },
      { type: "checking", name: "tests pass" },
      { type: "checked", name: "tests pass", passed: false },
      { type: "checking", name: "lints" },
    );
    expect(shown(state, 79, 24, START + 8_000)).toMatchInlineSnapshot(`
      "
      ● active · iteration 1/10 · $0/$25 · 8 s · Codex (gpt-5-codex)
        step  1/2 read the code
        ✗ tests pass    failed
        ⠇ lints         running
        ○ docs updated  no check configured
        now   checks lints  8 s
        said  …"
    `);
  });

  test("while it waits for a usage limit", () => {
    const loop = drivenLoop();
    const state = after(loop, {
      type: "waiting",
      loop,
      until: START + 12 * MINUTE,
      detail: "You have hit your usage limit",
    });
    expect(shown(state)).toMatchInlineSnapshot(`
      "
      ● active · iteration 1/10 · $0/$25 · 2 s · Codex (gpt-5-codex)
        step  1/2 read the code
        ○ tests pass    not run yet
        ○ lints         not run yet
        ○ docs updated  no check configured
        now   waits 11 min 58 s | You have hit your usage limit
        said  …"
    `);
  });

  test("in few rows: what is needed most", () => {
    const state = after(drivenLoop({}, ["tests pass", { passed: false }], ["lints"]), USES_A_TOOL);
    expect(shown(state, 79, 6)).toMatchInlineSnapshot(`
      "● active · iteration 1/10 · $0/$25 · 2 s · Codex (gpt-5-codex)
        ✗ tests pass    failed with exit code 1
        ✓ lints         passed
        ○ docs updated  no check configured
        now   Bash npm test -- --watch=false"
    `);
    expect(shown(state, 79, 5)).toMatchInlineSnapshot(`
      "● active · iteration 1/10 · $0/$25 · 2 s · Codex (gpt-5-codex)
        ✗ tests pass  failed with exit code 1
        … 2 more, 1 of 3 criteria met
        now   Bash npm test -- --watch=false"
    `);
    expect(shown(state, 79, 2)).toMatchInlineSnapshot(
      `"● active · iteration 1/10 · $0/$25 · 2 s · Codex (gpt-5-codex)"`,
    );
  });

  test("with many criteria: those that matter now, and how many others", () => {
    const names = Array.from({ length: 30 }, (_, index) => `criterion ${index + 1}`);
    const loop = loopWith(
      { goal: { criteria: names.map(checked) } },
      ...names.slice(0, 20).map((name) => ran(name, { passed: name !== "criterion 7" })),
      BEGAN,
      LAUNCHED,
    );
    const state = after(loop, { type: "checking", name: "criterion 3" });
    expect(shown(state)).toMatchInlineSnapshot(`
      "
      ● active · iteration 1/10 · $0/$25 · 2 s · Codex (gpt-5-codex)
        spec  Fix the failing tests
        ⠹ criterion 3   running
        ✗ criterion 7   failed with exit code 1
        ○ criterion 21  not run yet
        ○ criterion 22  not run yet
        ○ criterion 23  not run yet
        ○ criterion 24  not run yet
        ○ criterion 25  not run yet
        ○ criterion 26  not run yet
        ○ criterion 27  not run yet
        ○ criterion 28  not run yet
        ○ criterion 29  not run yet
        … 19 more, 18 of 30 criteria met
        now   checks criterion 3
        said  …"
    `);
  });

  test("without limits, deep inside, and with a cost that nobody knows", () => {
    const loop = loopWith(
      { goal: { iterationLimit: null }, limits: { ...drivenLoop().limits, budgetUsd: null } },
      { type: "cost.charged", usd: 0, tokens: 5, priced: false },
      { type: "frame.pushed", by: "person", goal: { ...drivenLoop().frames[0], criteria: [], steps: [] } },
      { ...BEGAN, model: null },
      LAUNCHED,
    );
    expect(shown(after(loop))).toMatchInlineSnapshot(`
      "
      ● active · iteration 1/10 · 2 frames deep · cost unknown · 2 s · Codex
        spec  Fix the failing tests
        now   thinks
        said  …"
    `);
  });

  test("when its process is gone", () => {
    const state: LiveViewState = { ...after(drivenLoop()), note: null, abandoned: true };
    expect(shown(state)).toContain("now   nothing, its run is gone: loop continue");
  });
});

describe("what is told", () => {
  test("is charged once: a turn's cost counts until the journal has it", () => {
    const loop = drivenLoop();
    const billed = after(loop, seen({ type: "billed", bill: { usd: 0.5, usage: [] } }, 0.5));
    expect(shown(billed)).toContain("$0.50/$25");
    // It is charged before its checks run.
    const charge = { type: "cost.charged", usd: 0.5, tokens: 1, priced: true, turn: "1-1" } as const;
    const charged = loopWith({}, BEGAN, LAUNCHED, charge);
    const checking = liveViewAfter(billed, { type: "standing", loop: charged }, START);
    expect(shown(checking as LiveViewState)).toContain("$0.50/$25");
    const settled = loopWith(
      {},
      BEGAN,
      LAUNCHED,
      { type: "cost.charged", usd: 0.5, tokens: 1, priced: true },
      {
        type: "turn.ended",
        turn: "1-1",
        outcome: "finished",
        said: null,
        reportedUsd: null,
        reportedTokens: null,
      },
    );
    const standing = liveViewAfter(billed, { type: "standing", loop: settled }, START);
    expect(shown(standing as LiveViewState)).toContain("$0.50/$25");
  });

  test("replaces the tool by words, and both by a new turn", () => {
    const loop = drivenLoop();
    const spoken = after(loop, USES_A_TOOL, seen({ type: "said", text: "All green." }));
    expect(shown(spoken)).toMatch(/now {3}thinks\n {2}said {2}All green\./);
    const turn = loop.driven?.turn;
    if (turn == null) throw new Error("not launched");
    const next = liveViewAfter(spoken, { type: "launched", loop, turn }, START);
    expect(shown(next as LiveViewState)).toMatch(/said {2}…$/);
  });

  test("is shown as a line of its own, whatever it holds", () => {
    const text = "one\u001b[2J\u001b[31m two\r\nthree\u0007\u202efour\u2028five\tsix";
    const state = after(
      drivenLoop({ goal: { steps: [text], spec: text } }),
      seen({ type: "said", text }),
      seen({ type: "used", tool: text, detail: text }),
    );
    const said = after(drivenLoop(), seen({ type: "said", text }));
    // oxlint-disable-next-line no-control-regex -- exactly these must not come through
    expect(shown(state) + shown(said)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
    expect(shown(said)).toContain("said  one two threefour five six");
  });

  test("is nothing before the run has begun", () => {
    expect(liveViewAfter(null, { type: "checking", name: "tests pass" }, START)).toBeNull();
  });
});

test("a run is never shown in lines that are too wide or too many, whatever the window", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 80 });
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 140 }),
      fc.integer({ min: 1, max: 30 }),
      fc.uniqueArray(text, { maxLength: 20 }),
      fc.array(text, { maxLength: 2 }),
      text,
      (width, rows, criteria, steps, words) => {
        const loop = loopWith(
          { goal: { criteria: criteria.map(checked), steps: [...new Set(steps)], spec: words } },
          BEGAN,
          LAUNCHED,
        );
        const state = after(
          loop,
          seen({ type: "said", text: words }),
          seen({ type: "used", tool: words, detail: words }),
          ...criteria.slice(0, 1).map((name): LiveNews => ({ type: "checking", name })),
        );
        const lines = liveLines(state, width, rows, START + MINUTE);
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
        for (const line of lines) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toContain("\n");
        }
      },
    ),
  );
});
