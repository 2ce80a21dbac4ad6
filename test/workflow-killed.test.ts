import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CLI, DONE } from "./support/driven.ts";
import { someOf } from "./support/effort.ts";
import { leftIn } from "./support/processes-in.ts";
import { expectCode, plan, PlanStage, untilMerged, writes, type Scripts } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

const PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "grep -qx two list.txt"],
  ["T-003", "grep -qx three list.txt"],
  ["T-004", "test -f four.txt", "T-001", "T-002"],
);

/** For an agent that was done when its last words were lost with whoever listened. */
const SAYS_IT_AGAIN = { say: DONE, usd: 0 };

/** The prices differ, so that the sum tells its parts. */
const SCRIPTS: Scripts = {
  "T-001": [{ ...writes("one.txt"), usd: 0.01 }, SAYS_IT_AGAIN],
  "T-002": [{ ...writes("list.txt", "the list\ntwo\n"), usd: 0.02 }, SAYS_IT_AGAIN],
  "T-003-1": [
    {
      do: [{ run: untilMerged("T-002") }, { write: "list.txt", text: "the list\nthree\n" }],
      say: DONE,
      usd: 0.04,
    },
    SAYS_IT_AGAIN,
  ],
  "T-003-2": [
    {
      do: [{ run: "grep -q '^<<<<<<<' list.txt && printf 'the list\\ntwo\\nthree\\n' > list.txt" }],
      say: DONE,
      usd: 0.08,
    },
    SAYS_IT_AGAIN,
  ],
  "T-004": [{ ...writes("four.txt"), usd: 0.16 }, SAYS_IT_AGAIN],
};

/** The journal of the workflow has this event so many times: the moment at which everything is killed. */
const MOMENTS = [
  ["plan.adopted", 1],
  ["branch.begun", 1],
  ["wave.begun", 1],
  ["attempt.started", 1],
  ["attempt.started", 3],
  ["attempt.finished", 1],
  ["merge.begun", 1],
  ["merge.begun", 2],
  ["merge.ended", 2],
  ["attempt.started", 5],
  ["attempt.finished", 4],
  ["delivery.begun", 1],
  ["work.delivered", 1],
] as const;

/** Counts in the text of the journal, since a reader would be too slow to hit a moment. */
function countOf(journal: string | null, event: string): number {
  if (journal === null || !existsSync(journal)) return 0;
  return readFileSync(journal, "utf8").split(`"type":"${event}"`).length - 1;
}

function journalOf(stage: PlanStage): string | null {
  const id = stage.loops.find((each) => each.startsWith("a-plan"));
  return id === undefined ? null : stage.journal(id);
}

/** Runs it, and kills it as soon as the journal says so. */
async function runAndKill(
  stage: PlanStage,
  args: readonly string[],
  [event, count]: readonly [string, number],
): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: stage.root, env: stage.env });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (out += text));
  const ended = new Promise((done) => child.on("close", done));
  while (child.exitCode === null && countOf(journalOf(stage), event) < count) await sleep(2);
  child.kill("SIGKILL");
  await ended;
  return out;
}

function expectWhole(stage: PlanStage): void {
  expect(stage.git("rev-parse", "master")).toBe(stage.git("rev-parse", `loop/${stage.id}`));
  expect(stage.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003", "T-004"]);
  expect(stage.git("rev-list", "--count", "master").trim()).toBe("5");
  expect(stage.read("list.txt")).toBe("the list\ntwo\nthree\n");
  expect(stage.git("status", "--porcelain")).toBe("?? untracked.txt\n");
  const view = stage.status().find(({ id }) => id === stage.id);
  expect(view).toMatchObject({ phase: "completed", confidence: "verified" });
  expect(stage.setbacks()).toEqual(["T-003 conflict"]);
  expect(stage.worktrees()).toEqual([]);
  expect(stage.folders()).toEqual([]);
  expect(stage.status().filter(({ phase }) => phase === "active" || phase === "paused")).toEqual([]);
}

/** Refs that git is changing when it is killed with the run: its lock file stays. */
const REFS_AT_WORK = [
  ["the loop's branch is made", "refs/heads/loop/", 1],
  ["a result is kept", "/tasks/T-00", 1],
  ["a merge is accepted", "refs/heads/loop/", 2],
] as const;

/** A git before the real one on the PATH: the COUNTth time that it is asked to change such a ref, it leaves the ref's lock, and everything is killed. */
function gitThatIsKilled(stage: PlanStage, ref: string, count: number): NodeJS.ProcessEnv {
  const bin = join(stage.home, "bin");
  mkdirSync(bin);
  const text = `#!/bin/sh
for word; do case "$word" in refs/*) ref=$word;; update-ref) at_work=yes;; esac; done
case "$at_work $ref" in "yes "*${ref}*)
  number=1
  until mkdir "$HOME/change-$number" 2> /dev/null; do number=$((number + 1)); done
  if [ "$number" -eq ${count} ]; then
    mkdir -p "$(dirname "$GIT_DIR/$ref")"
    : > "$GIT_DIR/$ref.lock"
    kill -9 "$PPID" "$$"
  fi;;
esac
PATH=\${PATH#*:} exec git "$@"
`;
  writeFileSync(join(bin, "git"), text, { mode: 0o755 });
  return { ...stage.env, PATH: `${bin}:${stage.env["PATH"]}` };
}

describe.skipIf(process.platform !== "linux")("a run of a plan that is killed", () => {
  test.each(someOf(MOMENTS, 1))(
    "at %s %i: goes on, with nothing integrated or charged twice, and nothing left",
    { timeout: 240_000 },
    async (event, count) => {
      const stage = new PlanStage(PLAN, { "list.txt": "the list\n" });
      stage.write({ "untracked.txt": "mine\n" });
      await runAndKill(stage, stage.working(SCRIPTS), [event, count]);
      expect(await leftIn(stage.home)).toEqual([]);
      const isOver = stage.eventsOf("loop.completed").length > 0;
      const again = isOver ? null : stage.spawnLoop("continue");
      if (again !== null) expectCode(again, 0);
      expectWhole(stage);
      const view = stage.status().find(({ id }) => id === stage.id);
      expect(view?.costUsd).toBeCloseTo(stage.printedCosts(), 10);
      expect(await leftIn(stage.home)).toEqual([]);
    },
  );

  variant.each(someOf(REFS_AT_WORK, 1))(
    "while %s, with its git: goes on past the lock that git left",
    { timeout: 240_000 },
    async (_, ref, count) => {
      const stage = new PlanStage(PLAN, { "list.txt": "the list\n" });
      stage.write({ "untracked.txt": "mine\n" });
      const env = gitThatIsKilled(stage, ref, count);
      const killed = stage.spawnLoopWith({ env }, ...stage.working(SCRIPTS));
      expect(killed.code).toBeNull();
      expect(await leftIn(stage.home)).toEqual([]);
      expect(locksIn(stage)).toHaveLength(1);
      expectCode(stage.spawnLoop("continue"), 0);
      expectWhole(stage);
      expect(locksIn(stage)).toEqual([]);
    },
  );
});

function locksIn(stage: PlanStage): readonly string[] {
  const names = readdirSync(join(stage.root, ".git", "refs"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".lock"));
}
