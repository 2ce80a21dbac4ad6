import { describe, expect, test } from "vitest";
import {
  changedTest,
  checked,
  loopWith,
  ran,
  settle,
  shownProof,
  stopFacts,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { SAID_NOTHING } from "../../core/stop/facts.ts";
import { standingReason } from "../../core/stop/hold-reason.ts";
import type { Contradiction, HoldReason } from "../../core/stop/verdict.ts";
import { renderHold, renderHoldLine, renderChecksRunning } from "./hold.ts";
import { turnPrompt } from "./turn.ts";
import { resumeAnnouncement, resumeForAgent } from "../loop-lines.ts";

const loop = loopWith({ goal: { criteria: [checked("tests pass")] } });

const JUDGE: Contradiction = {
  kind: "judge",
  name: "tests pass",
  detail: "1 of 3 tests failed",
  files: ["test/cart.test.js (removed)", "scripts.test in package.json"],
  output: "not ok 1 - total\n  expected 12\n",
};
const NOTHING = { detail: "", files: [], output: null };
const COUNTS: Contradiction = {
  ...NOTHING,
  kind: "counts",
  name: "tests pass",
  detail: "No test was executed; at the opening there were 3.",
};
const HOLDOUT: Contradiction = { ...NOTHING, kind: "holdout", name: "totals" };
const STRICT: Contradiction = {
  ...NOTHING,
  kind: "strict",
  name: null,
  detail: "the checks pass without the work, too",
};

function heldBy(contradiction: Contradiction): HoldReason {
  const unmet = contradiction.name === null ? [] : [contradiction.name];
  return { ...standingReason(loop, 1), unmet, contradictions: [contradiction] };
}

describe("a held agent is told", () => {
  const cases: readonly (readonly [string, Contradiction, readonly string[], string])[] = [
    [
      "what it changed, and the end of what failed with the opening's tests",
      JUDGE,
      [
        "unmet criteria: tests pass",
        "✗ tests pass: passes only with your changes to the tests or definitions that decide it, and fails with the original ones: total: expected 12. Changed since: test/cart.test.js (removed), scripts.test in package.json. Restore them and fix the source. If the spec asks for the change, leave it to the user: only they can accept it (`loop approve`, or `--may-change` at the start of a loop).",
        "not ok 1 - total",
        "  expected 12",
      ],
      "unmet criteria: tests pass; restore test/cart.test.js (removed), scripts.test in package.json, with which it fails: total: expected 12",
    ],
    [
      "which tests were not run",
      COUNTS,
      [
        "unmet criteria: tests pass",
        "✗ tests pass: passes, but not as it did at the opening. No test was executed; at the opening there were 3. Make every test that ran then run to its end. If the spec takes tests away, leave it to the user: only they can accept it (`--may-change` at the start of a loop).",
      ],
      "unmet criteria: tests pass; No test was executed; at the opening there were 3.",
    ],
    [
      "the name of a test that it cannot see, and no more",
      HOLDOUT,
      [
        "unmet criteria: totals",
        "✗ totals: fails. It is hidden, so you cannot see what it tests, and nothing of it is quoted; compare your work with each sentence of the spec. Only the user can change or drop it.",
      ],
      "unmet criteria: totals",
    ],
    [
      "what is weak, where the user is strict",
      STRICT,
      [
        "✗ The checks pass, but the evidence is weak, and the user wants more: the checks pass without the work, too. Show it with a test that fails without your work.",
      ],
      "next: show more than weak evidence: the checks pass without the work, too",
    ],
  ];

  test.each(cases)("%s", (_, contradiction, lines, line) => {
    const reason = heldBy(contradiction);

    expect(
      renderHold(reason)
        .split("\n")
        .slice(1, lines.length + 1),
    ).toEqual(lines);
    expect(renderHoldLine(reason)).toBe(line);
  });

  test.each(cases)("%s, in a driven turn as well", (_, contradiction, lines) => {
    const brief = { loop, continued: true, interrupted: false, undone: null };

    expect(turnPrompt({ ...brief, reason: heldBy(contradiction) })).toContain(lines.join("\n"));
  });

  test("no more of a long output than its end, and no more files than fit", () => {
    const output = `${"early words\n".repeat(1_000)}last words`;
    const files = Array.from({ length: 400 }, (_, index) => `test/file-${index}.test.js`);
    const text = renderHold(heldBy({ ...JUDGE, output, files }));

    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain("last words");
    expect(text).toMatch(/test\/file-\d+\.test\.js and \d+ more\. Restore them/);
  });
});

test("what a stop finds is what the agent reads", () => {
  const exit: LoopEvent = { type: "exit.signalled", source: "command" };
  const judge = shownProof("judge", "tests pass", {
    result: "fails",
    files: ["test/cart.test.js (removed)"],
    output: "not ok 1",
  });
  const gone = changedTest("test/cart.test.js", { change: "removed" });
  const { verdict } = settle(
    loopWith({ goal: { criteria: [checked("tests pass")] } }, exit),
    stopFacts({ said: SAID_NOTHING }),
    {
      proven: {
        changes: {
          missing: null,
          isWorkThere: true,
          checks: new Map([
            [
              "tests pass",
              { before: "red", definitions: [gone], shortfalls: [], altersFiles: false, judgesSource: false },
            ],
          ]),
          files: null,
        },
        shown: [judge],
      },
    },
  );
  if (verdict.type !== "hold" || verdict.because !== "unfinished") throw new Error("not held");

  expect(renderHold(verdict.reason)).toContain("Changed since: test/cart.test.js (removed). Restore");
});

test("no control character reaches a held or driven agent, whatever a journal of before or a proof has kept", () => {
  const painted = "\u001b[31mnot ok\u001b[0m\u0007 1\n";
  const red = ran("tests pass", { passed: false, outputTail: painted, command: "npm \u001b[1mtest" });
  const failed = loopWith({ goal: { criteria: [checked("tests pass")] } }, red);
  const reason = { ...standingReason(failed, 1), contradictions: [{ ...JUDGE, output: painted }] };
  const brief = { loop: failed, reason, continued: true, interrupted: false, undone: null };
  for (const text of [renderHold(reason), turnPrompt(brief)]) {
    expect(text.match(/not ok 1\n/g)).toHaveLength(2);
    expect(text).toContain("`npm test`");
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u0007");
  }
});

const COMMAND = "`loop blocked --check NAME REASON`";
const COMPARED =
  "Tests, scripts and configuration that decide a check are compared with their state at the start; new tests are welcome.";
const goal = { criteria: [checked("tests"), unchecked("docs")] };

function holdOf(...events: readonly LoopEvent[]): string {
  return renderHold(standingReason(loopWith({ goal }, ...events), 1));
}

test.each<[string, string]>([
  ["before any check ran", holdOf()],
  ["with a failing check", holdOf(ran("tests", { passed: false }))],
  [
    "where only the exit signal is missing",
    renderHold(standingReason(loopWith({ goal: { criteria: [checked("tests")] } }, ran("tests")), 1)),
  ],
  ["by tasks", renderHold(standingReason(loopWith({ goal: { exitRule: "tasks" } }), 1))],
  ["while checks run", renderChecksRunning(["tests"])],
])("a hold %s ends with the way out and what is compared, in one line", (_, hold) => {
  const last = hold.split("\n").at(-1);
  expect(last).toContain(COMMAND);
  expect(last).toContain(COMPARED);
  expect(hold.split(COMMAND)).toHaveLength(2);
});

test("a later hold says again only what has changed, and names the way out", () => {
  const loop = loopWith({ goal }, ran("tests", { passed: false }));
  const [first, later] = [true, false].map((isFirst) => renderHold({ ...standingReason(loop, 2), isFirst }));
  expect(first).toContain("Verify with `loop check`");
  expect(later).not.toContain("Verify with `loop check`");
  expect(later).not.toContain(COMPARED);
  expect(later?.split("\n").at(-1)).toBe(`If you cannot pass it honestly: ${COMMAND}.`);
});

test("a later hold has no way out of checks that all pass", () => {
  const loop = loopWith({ goal: { criteria: [checked("tests")] } }, ran("tests"));
  const later = renderHold({ ...standingReason(loop, 2), isFirst: false });
  expect(later.split("\n").at(-1)).toBe(
    "Every criterion is met. When the work is finished, run `loop done`.",
  );
});

test("a bare hold and the reason in one line stay as they are", () => {
  const reason = { ...standingReason(loopWith({ goal }), 1), bare: true };
  expect(renderHold(reason).split("\n")).toHaveLength(1);
  expect(renderHold(reason)).not.toContain("loop blocked");
  expect(renderHoldLine(reason)).toBe("unmet criteria: tests, docs");
});

test("a session that goes on is told the way out of a check that can't pass honestly", () => {
  const text = resumeForAgent(loopWith({ goal }), ["tests"]);
  expect(text).toContain(COMMAND);
  expect(text).toContain(COMPARED);
  // It isn't the user's.
  expect(text.startsWith(`${resumeAnnouncement(loopWith({ goal }), ["tests"])}\n`)).toBe(true);
  expect(resumeAnnouncement(loopWith({ goal }), ["tests"])).not.toContain(COMMAND);
});

test.each([false, true])(
  "a prompt names the way out of a check that can't pass honestly, also for agents without a shell (continued: %s)",
  (continued) => {
    const loop = loopWith({ goal });
    const brief = { loop, reason: standingReason(loop, 1), continued, interrupted: false, undone: null };
    const prompt = turnPrompt(brief);
    expect(prompt).toContain('write BLOCKED: {"NAME": "REASON"} into the status block');
    expect(prompt).toContain(COMMAND);
    expect(prompt).toContain(COMPARED);
    expect(prompt).not.toContain("Nobody watches");
  },
);

test("a prompt of a task that no check decides claims none, and still has a way out", () => {
  const loop = loopWith({ goal: { criteria: [unchecked("docs")] } });
  const brief = { loop, reason: standingReason(loop, 1), interrupted: false, undone: null };
  const prompt = turnPrompt({ ...brief, continued: false });
  expect(prompt).toContain("This task has no check");
  expect(prompt).not.toContain("runs the checks");
  expect(prompt).not.toContain(COMPARED);
  expect(prompt).toContain("add a line BLOCKED: what is needed.");
});
