import { expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

/** As test runners do: it writes something that differs each time there is something new, whether it passes or not. */
function caching(file: string): string {
  return `mkdir -p cache && ls > cache/${file}.bin; test -f ${file}`;
}

variant(
  "files that only checks write are left out of the commits, cause no conflict and leave no worktree",
  () => {
    const shared = "mkdir -p cache && ls > cache/all.bin";
    const stage = new PlanStage(
      plan(["T-001", `${shared}; ${caching("one.txt")}`], ["T-002", `${shared}; ${caching("two.txt")}`]),
    );
    const ran = stage.work(
      { "T-001": [writes("one.txt")], "T-002": [writes("two.txt")] },
      ...["-c", "both=ls > listing.log; test -f one.txt && test -f two.txt"],
    );
    expectCode(ran, 0);
    expect(ran.out).toContain(
      "The check of T-001 changes the project's files when it runs (cache/all.bin, cache/one.txt.bin); make git ignore what it writes. Such files are left out of the tasks' commits.",
    );
    expect(stage.eventsOf("attempt.set-back")).toEqual([]);
    const files = stage.git("ls-tree", "-r", "--name-only", "master").trim().split("\n");
    expect(files).toEqual(["README.md", "one.txt", "two.txt"]);
    expect(stage.worktrees()).toEqual([]);
  },
);

test("what the agent hands to git, what it writes beside it and what tests expect stays; the rest is kept in a ref", () => {
  const check =
    "mkdir -p out snapshots; touch out/page.html; test -f one.txt && touch snapshots/one.snap report.xml";
  const stage = new PlanStage(plan(["T-001", check]));
  const turn = {
    do: [
      { write: "one.txt", text: "one\n" },
      { write: "out/NOTES.md", text: "notes\n" },
      { write: "out/page.html", text: "page\n" },
      { run: "git add out/page.html" },
    ],
    say: DONE,
  };
  expectCode(stage.work({ "T-001": [turn] }), 0);
  expect(stage.git("ls-tree", "-r", "--name-only", "master").trim().split("\n")).toEqual([
    ...["README.md", "one.txt", "out/NOTES.md", "out/page.html", "snapshots/one.snap"],
  ]);
  // Written only once it passed.
  expect(stage.git("show", `refs/loopwright/${stage.id}/tasks/T-001/1-all:report.xml`)).toBe("");
  expect(stage.worktrees()).toEqual([]);
});
