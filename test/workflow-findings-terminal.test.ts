import { expect, test } from "vitest";
import { CLI, DONE } from "./support/driven.ts";
import { plan, PlanStage, writes } from "./support/plan-stage.ts";
import { found, review } from "./support/played-judges.ts";
import { missingPty, onTerminal } from "./support/pty.ts";
import { isCiEffort } from "./support/effort.ts";

test.runIf(isCiEffort && missingPty() === null)(
  "a person decides on each finding at the terminal",
  async () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const args = stage.working(
      {
        "T-001": [writes("one.txt", "first\nsecond\nthird\n")],
        "R-1": [writes("one.txt", "first\nbetter\nthird\n"), { say: DONE, usd: 0 }],
        "review-1": review(
          5,
          found("one.txt", "first", { problem: "The first line is risky." }),
          found("one.txt", "second", { problem: "The second line is wrong." }),
          found("one.txt", "third", { severity: "WARNING", problem: "The third line is long." }),
        ),
        "review-2": review(9),
      },
      "--shape",
      "tool-review",
    );
    const terminal = onTerminal([process.execPath, CLI, ...args], { cwd: stage.root, env: stage.env });
    await terminal.until(/F-1: approve, task, discuss or skip\?/);
    terminal.type("a\n");
    await terminal.until(/F-2: approve, task, discuss or skip\?/);
    terminal.type("d\n");
    await terminal.until(/What should the task know\?/);
    terminal.type("keep the third line\n");
    await terminal.until(/F-3: approve, task, discuss or skip\?/);
    terminal.type("\n");
    // A blocker was accepted.
    expect(await terminal.ended).toBe(6);

    expect(stage.eventsOf("finding.resolved")).toMatchObject([
      { finding: "F-1", how: "approved", task: null, by: "person" },
      { finding: "F-2", how: "discussed", task: "R-1", by: "person" },
      { finding: "F-3", how: "skipped", task: null, by: "person" },
    ]);
    expect(stage.promptOf("R-1", 1)).toContain("A person says: keep the third line");
    expect(stage.eventsOf("loop.completed")[0]?.why.join("\n")).toContain("The first line is risky.");
  },
  240_000,
);
