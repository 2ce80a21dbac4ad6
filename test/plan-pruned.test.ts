import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";

/** A git that, once for each ref of a result and for each commit, prunes whatever no ref leads to before it goes to work. */
function pruning(stage: PlanStage): NodeJS.ProcessEnv {
  const bin = join(stage.home, "bin");
  mkdirSync(bin);
  const text = `#!/bin/sh
PATH=\${PATH#*:}
for word; do
  case "$word" in
    commit-tree) about=commit;;
    refs/loopwright/*/tasks/*) about=$(printf %s "$word" | tr / _);;
  esac
done
[ -n "$about" ] && mkdir "$0.$about" 2>/dev/null && git -C '${stage.root}' gc --prune=now -q
exec git "$@"
`;
  writeFileSync(join(bin, "git"), text, { mode: 0o755 });
  return { ...stage.env, PATH: `${bin}:${stage.env["PATH"]}` };
}

test("what somebody's git gc takes away before a ref leads to it is written again, and nothing is lost", () => {
  const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
  const args = stage.working({ "T-001": [writes("one.txt")] });
  const ran = stage.spawnLoopWith({ env: pruning(stage) }, ...args);
  expectCode(ran, 0);
  expect(stage.tasksOn("master")).toEqual(["T-001"]);
  expect(stage.git("fsck", "--no-dangling", "--no-progress")).toBe("");
});
