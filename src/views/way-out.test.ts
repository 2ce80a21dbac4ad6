import { expect, test } from "vitest";
import { checked, loopWith, ran, unchecked } from "../../test/support/loop-builders.ts";
import type { LoopEvent } from "../core/event.ts";
import { standingReason } from "../core/stop/hold-reason.ts";
import { renderChecksRunning, renderHold, renderHoldLine } from "./prompts/hold.ts";
import { resumeAnnouncement, resumeForAgent } from "./loop-lines.ts";
import { turnPrompt } from "./prompts/turn.ts";

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

test("a bare hold and the reason in one line stay as they are", () => {
  const reason = { ...standingReason(loopWith({ goal }), 1), bare: true };
  expect(renderHold(reason).split("\n")).toHaveLength(1);
  expect(renderHold(reason)).not.toContain("loop blocked");
  expect(renderHoldLine(reason)).toBe("unmet criteria: tests, docs");
});

test("a session that goes on is told of it", () => {
  const text = resumeForAgent(loopWith({ goal }), ["tests"]);
  expect(text).toContain(COMMAND);
  expect(text).toContain(COMPARED);
  // It isn't the user's.
  expect(text.startsWith(`${resumeAnnouncement(loopWith({ goal }), ["tests"])}\n`)).toBe(true);
  expect(resumeAnnouncement(loopWith({ goal }), ["tests"])).not.toContain(COMMAND);
});

test.each([false, true])(
  "a prompt names it, also for agents without a shell (continued: %s)",
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
