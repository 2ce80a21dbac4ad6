import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { DONE, type PlayedTurn } from "./support/driven.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

const TWO = plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt", "T-001"]);
const WRITES = { "T-001": [writes("one.txt")], "T-002": [writes("two.txt")] };

/** The second task's attempt does something that nobody should, in its first attempt. */
function after(
  run: string,
  ...more: readonly PlayedTurn[]
): { readonly [name: string]: readonly PlayedTurn[] } {
  return {
    "T-001": WRITES["T-001"],
    "T-002-1": [{ do: [{ run }, { write: "two.txt", text: "two.txt\n" }], say: DONE, usd: 0.01 }, ...more],
    "T-002-2": WRITES["T-002"],
  };
}

const ALL_DONE = { tasks: ["T-001", "T-002"], one: "one.txt\n", two: "two.txt\n", isWhole: true };

function outcomeOf(stage: PlanStage): typeof ALL_DONE {
  return {
    tasks: [...stage.tasksOn("master")],
    one: stage.read("one.txt"),
    two: stage.read("two.txt"),
    isWhole: !stage.git("fsck", "--connectivity-only").includes("missing"),
  };
}

describe("an attempt that", () => {
  variant("deletes its worktree: is set back, and the next one starts anew", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(after('rm -rf "$PWD"'));
    expectCode(ran, 0);
    expect(outcomeOf(stage)).toEqual(ALL_DONE);
  });

  variant("deletes the .git file of its worktree: its work counts, but as weak", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(after("rm .git"));
    expectCode(ran, 6);
    expect(outcomeOf(stage)).toEqual(ALL_DONE);
    expect(stage.worktrees()).toEqual([]);
  });

  test.runIf(isFullEffort)("prunes worktrees and collects garbage: the same", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(
      after(
        "rm .git; git -C ../../../../../../../project worktree prune; git -C ../../../../../../../project gc -q --prune=now",
      ),
    );
    expectCode(ran, 6);
    expect(outcomeOf(stage)).toEqual(ALL_DONE);
  });

  variant("commits, and to other branches", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(
      after(
        "git checkout -q -b mine && echo x > x.txt && git add -A && git commit -qm x && git branch -f stray",
      ),
    );
    expectCode(ran, 0);
    expect(outcomeOf(stage)).toEqual(ALL_DONE);
    expect(stage.read("x.txt")).toBe("x\n");
  });

  test.runIf(isFullEffort)(
    "moves the loop's own branch: pauses, says where it belongs, and goes on when it is back",
    () => {
      const stage = new PlanStage(TWO);
      const ran = stage.work(
        after('b=$(git for-each-ref --format="%(refname)" refs/heads/loop); git update-ref $b HEAD~1'),
      );
      expectCode(ran, 4);
      const [, tip = ""] = /was moved by somebody else; put it back to (\w+)/.exec(ran.out) ?? [];
      stage.git("update-ref", `refs/heads/loop/${stage.id}`, tip);
      const again = stage.spawnLoop("continue");
      expectCode(again, 0);
      expect(outcomeOf(stage)).toEqual(ALL_DONE);
    },
  );

  variant("deletes the loop's own branch: pauses, and it is there again with loop continue", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(
      after('b=$(git for-each-ref --format="%(refname)" refs/heads/loop); git update-ref -d $b'),
    );
    expectCode(ran, 4);
    const again = stage.spawnLoop("continue");
    expectCode(again, 0);
    expect(outcomeOf(stage)).toEqual(ALL_DONE);
  });

  test.runIf(isFullEffort)(
    "deletes every ref of ours and collects garbage: what is merged is safe, and the rest is weak",
    () => {
      const stage = new PlanStage(TWO);
      const refs = 'git for-each-ref --format="delete %(refname)" refs/loopwright | git update-ref --stdin';
      const ran = stage.work(after(`${refs}; git gc -q --prune=now`));
      expectCode(ran, 6);
      expect(outcomeOf(stage)).toEqual(ALL_DONE);
    },
  );

  variant("deletes the project's .loop: ends with a sentence, and the work is on its branch", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(after(`rm -rf ${stage.root}/.loop`));
    expect(ran.code).toBe(1);
    expect(`${ran.out}${ran.err}`).toMatch(
      /The records of the loop (a-plan-\w+) were deleted, which cancels it\. What was merged is on the branch loop\/\1; take it with: git merge loop\/\1\./,
    );
    const [branch = ""] = stage.git("branch", "--list", "--format=%(refname:short)", "loop/*").split("\n");
    expect(stage.tasksOn(branch)).toEqual(["T-001"]);
    const kept = stage.git("for-each-ref", "--format=%(refname)", "refs/loopwright/*/tasks/T-002/*").trim();
    expect(kept).toMatch(/T-002\/1-unfinished$/);
    expect(stage.git("show", `${kept}:two.txt`)).toBe("two.txt\n");
    expect(stage.worktrees()).toEqual([]);
  });
});
