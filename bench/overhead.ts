import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLoopId } from "../src/core/loop/id.ts";
import { keepResult } from "../src/worktrees/integration/keep-result.ts";
import { readTree } from "../src/system/tree/tree-digest.ts";
import { addWorktree } from "../src/worktrees/attempts/add-worktree.ts";
import { worktreePath } from "../src/worktrees/attempts/marker.ts";
import { removeWorktree } from "../src/worktrees/attempts/remove-worktree.ts";
import { createLargeProject } from "./large-project.ts";
import { median, report } from "./measure.ts";

const ROUNDS = 3;
const ALL = "an attempt, all in all";
const AGENT_MS = 2_500;
const BARE = "git worktree add";
const BARE_END = "git worktree remove";
const OURS = "the worktree of an attempt";

/** What the engine does around each attempt in a large repository, over a bare `git worktree add`. */
export async function benchOverhead(folder: string): Promise<void> {
  const { root, home: stateHome, git } = createLargeProject(folder);
  const commit = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim();
  const times = new Map<string, number[]>();
  const time = async <Result>(name: string, work: () => Result): Promise<Awaited<Result>> => {
    const from = performance.now();
    const result = await work();
    times.set(name, [...(times.get(name) ?? []), performance.now() - from]);
    return result;
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const bare = join(folder, `bare-${round}`);
    await time(BARE, () => git("worktree", "add", "-q", "--detach", bare, "HEAD"));
    await time(BARE_END, () => git("worktree", "remove", "--force", bare));

    const which = { root, stateHome, loop: createLoopId("bench", "1abc"), name: `T-00${round}-1` };
    const worktree = worktreePath(which);
    await time(OURS, () => addWorktree({ ...which, commit }));
    await time("its first digest", () => readTree({ root: worktree, stateHome }));
    writeFileSync(join(worktree, "new.txt"), "new\n");
    // No agent is faster. Git reads files again that changed in the second before it looked at them first.
    await sleep(AGENT_MS);
    await time("its next digest", () => readTree({ root: worktree, stateHome }));
    const kept = await time("its result, kept", () =>
      keepResult({
        ...{ root, stateHome, worktree, base: commit, ref: `refs/loopwright/bench/${round}` },
        ...{ message: "bench", trailers: {} },
      }),
    );
    if (kept.type !== "kept") throw new Error(`not kept: ${kept.type}`);
    await time("its end", () => removeWorktree({ ...which, kept: kept.commit }));
  }
  const figures = new Map([...times].map(([name, all]) => [name, median(all)]));
  report("An attempt in a repository of 50,000 files", figures, BARE, { [OURS]: "≤ 1.2" });
  const sumOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (figures.get(name) ?? Number.NaN), 0);
  const bare = [BARE, BARE_END];
  const whole = new Map([
    [bare.join(" + "), sumOf(bare)],
    [ALL, sumOf([...figures.keys()].filter((name) => !bare.includes(name)))],
  ]);
  report("All of that together", whole, bare.join(" + "), { [ALL]: "≤ 1.2" });
}
