import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stagesBegun } from "./support/stage-builders.ts";
import { completionOf } from "../src/engine/plan/finish-plan.ts";
import { envelopeOf } from "../src/engine/plan/envelope.ts";
import { beginMerge, integrate, recoverMerge } from "../src/engine/plan/merge-queue.ts";
import { recordResult } from "../src/engine/plan/keep-attempt.ts";
import { giveCounsel } from "../src/engine/plan/stages/retry-advice.ts";
import { passGate } from "../src/engine/plan/stages/pass-gate.ts";
import { reviewWave, reviewWork } from "../src/engine/plan/stages/review-work.ts";
import { NO_INTERRUPTS } from "../src/engine/run/run-context.ts";
import { sessionExecutor } from "../src/engine/plan/session/session-context.ts";
import type { Workspace } from "../src/engine/plan/workspace.ts";
import { giveBack } from "../src/engine/plan/session/session-tasks.ts";
import { QueueStage } from "./support/queue-stage.ts";
import { variant } from "./support/variant.ts";

describe("results that are red together", () => {
  /** Each passes alone. */
  const TASKS = { "T-001": "test -f one && ! test -f odd", "T-002": "test -f two" };

  test("are checked together in each half, too: what breaks an accepted one goes back", async () => {
    const stage = await QueueStage.of(TASKS);
    await stage.finishes("T-001", { one: "1\n" });
    await stage.finishes("T-002", { two: "2\n", odd: "odd\n" });
    await stage.merges("T-001", "T-002");
    expect(stage.states()).toEqual(["T-001 integrated", "T-002 red-together"]);
    expect(stage.world.filesOf(stage.tip)).not.toHaveProperty("odd");
    expect(stage.workflow.branch?.tip).toBe(stage.tip);
  });

  variant(
    "one that fails on what it is merged onto is checked, although it passed on what it began at",
    async () => {
      const stage = await QueueStage.of({ ...TASKS, "T-002": "test -f two && ! test -f one" });
      await stage.finishes("T-001", { one: "1\n" });
      await stage.finishes("T-002", { two: "2\n" });
      await stage.merges("T-001", "T-002");
      expect(stage.states()).toEqual(["T-001 integrated", "T-002 red-together"]);
    },
  );
});

describe("a merge that nobody waits for any more", () => {
  test("ends without a word when the loop was cancelled meanwhile", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    const merge = await beginMerge(stage.context, ["T-001"]);
    await stage.record({ type: "loop.cancelled", by: "person" });
    if (merge !== null) await integrate(stage.context, merge, new AbortController().signal);
    expect(stage.context.live.loop.phase).toBe("cancelled");
    expect(stage.news.filter(({ type }) => type === "merged")).toEqual([]);
  });

  variant("moves nothing when somebody else has ended it", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    const merge = await beginMerge(stage.context, ["T-001"]);
    await recoverMerge(stage.context);
    const before = stage.tip;
    if (merge !== null) await integrate(stage.context, merge, new AbortController().signal);
    expect(stage.tip).toBe(before);
    expect(stage.states()).toEqual(["T-001 finished"]);
    await stage.merges("T-001");
    expect(stage.states()).toEqual(["T-001 integrated"]);
    expect(stage.context.live.loop.phase).toBe("active");
  });
});

describe("what is on the branch after a kill in the middle of a merge", () => {
  /** The run was killed during the merge, and the branch has these commits, whoever made them. */
  async function killed(...commits: readonly { readonly [path: string]: string }[]): Promise<QueueStage> {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    await beginMerge(stage.context, ["T-001"]);
    for (const files of commits) {
      const made = stage.world.commitOn(stage.tip, files, "T-001: Do it\n\nLoop-Task: T-001");
      stage.world.git("update-ref", `refs/heads/${stage.workflow.branch?.name ?? ""}`, made);
    }
    await recoverMerge(stage.context);
    return stage;
  }

  test("is accepted once, if it is the result of its task", async () => {
    const stage = await killed({ one: "1\n" }, { two: "2\n" });
    expect(stage.states()).toEqual(["T-001 integrated"]);
    expect(stage.workflow.branch?.tip).toBe(stage.world.git("rev-parse", `${stage.tip}~1`).trim());
  });

  variant("isn't accepted because it says that it is", async () => {
    const stage = await killed({ one: "1\n", other: "of nobody's task\n" });
    expect(stage.states()).toEqual(["T-001 finished"]);
    await stage.merges("T-001");
    expect(stage.context.live.loop).toMatchObject({
      phase: "paused",
      detail: expect.stringContaining("was moved by somebody else") as string,
    });
  });
});

variant("what can't be recorded any more isn't told", async () => {
  const stage = await QueueStage.of({ "T-001": "test -f one && ! test -f odd", "T-002": "test -f two" });
  await stage.finishes("T-001", { one: "1\n" });
  await stage.finishes("T-002", { two: "2\n", odd: "odd\n" });
  await stage.merges("T-001", "T-002");
  await stage.record(
    { type: "stages.begun", policy: { asks: false, rounds: 1 } },
    { type: "loop.paused", reason: "user", detail: null, by: "person" },
  );
  const told = stage.news.length;
  const { signal } = new AbortController();

  await giveCounsel(stage.context, "T-002", 1, signal);
  await reviewWave(stage.context, 1, signal);
  await reviewWork(stage.context, 1, signal);
  await passGate(stage.context, 1, signal);

  // What it is at, and nothing that came of it.
  expect(stage.news.slice(told).map(({ type }) => type)).toEqual(["preparing", "gating", "gating"]);
  expect(stage.context.live.loop.stages).toMatchObject({
    counsels: [],
    waveReviews: [],
    reviews: [],
    gates: [],
  });
});

variant(
  "a check that fails and passes on the same files is written down, and the plan can be weak at most",
  async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    await stage.finishes("T-001", { one: "1\n" });
    await stage.merges("T-001");
    const mark = join(stage.world.home, "seen");
    const flaky = await QueueStage.of({
      "T-001": "test -f one",
      "T-002": `test -e ${mark} || { touch ${mark}; false; }`,
    });
    await flaky.finishes("T-001", { one: "1\n" });
    await flaky.finishes("T-002", { two: "2\n" });
    await flaky.merges("T-001", "T-002");
    expect(flaky.states()).toEqual(["T-001 integrated", "T-002 integrated"]);
    expect(flaky.workflow.wavered).toEqual(["T-002"]);
    expect(completionOf(stage.context.live.loop)).toMatchObject({ confidence: "verified" });
    expect(completionOf(flaky.context.live.loop)).toEqual({
      confidence: "weak",
      why: [expect.stringContaining("T-002 is weak: its check")],
    });
  },
);

variant("a check that wavers at the gate is no evidence there, just as at the end", async () => {
  const stage = await QueueStage.of({
    "T-001": "mkdir -p $HOME && test -e $HOME/seen || { touch $HOME/seen; false; }",
  });
  await stage.finishes("T-001", { one: "1\n" });
  await stage.merges("T-001");
  await stage.record(stagesBegun);
  await passGate(stage.context, 1, new AbortController().signal);
  const [gate] = stage.context.live.loop.stages?.gates ?? [];
  expect(gate?.items.find(({ name }) => name === "every task has evidence")).toMatchObject({
    state: "weak",
    detail: expect.stringContaining("T-001 is weak: its check"),
  });
  expect(completionOf(stage.context.live.loop)).toMatchObject({ confidence: "weak" });
});

describe("a result that isn't what its checks ran on", () => {
  const kept = async (stage: QueueStage, change: (worktree: string) => void): Promise<readonly string[]> => {
    const attempt = await stage.begins("T-001");
    const envelope = envelopeOf(stage.context.live.loop, stage.workflow, attempt);
    const ready = await stage.workspace.prepare(envelope, { isOpened: false }, new AbortController().signal);
    if (ready.type !== "ready") throw new Error(ready.type);
    const worktree = attempt.worktree ?? "";
    writeFileSync(join(worktree, "one"), "1\n");
    const checked = (await stage.context.machine.git.readTree(worktree))?.digest ?? "";
    change(worktree);
    const outcome = await stage.workspace.keepResult(envelope, {
      confidence: "verified",
      checked: [checked],
    });
    ready.release();
    if (outcome.type !== "finished") throw new Error(outcome.type);
    await recordResult(stage.context, attempt, outcome);
    return outcome.doubts;
  };

  test("is checked again once it is merged, and says so", async () => {
    // Its own check would have to fail now.
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    expect(await kept(stage, (worktree) => rmSync(join(worktree, "one")))).toEqual([
      "its files changed after its checks had run",
    ]);
    await stage.merges("T-001");
    expect(stage.states()).toEqual(["T-001 red-together"]);
  });

  variant("or lacks what no commit of ours can hold", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one && test -f inner/file" });
    const nest = (worktree: string): void => {
      stage.world.gitIn(worktree, "init", "-q", "inner");
      writeFileSync(join(worktree, "inner", "file"), "");
      stage.world.gitIn(join(worktree, "inner"), "add", "file");
      stage.world.gitIn(join(worktree, "inner"), "commit", "-qm", "inner");
    };
    expect(await kept(stage, nest)).toContainEqual(expect.stringMatching(/^inner can't be merged: /));
    await stage.merges("T-001");
    expect(stage.states()).toEqual(["T-001 red-together"]);
  });

  test("and one that is gives no reason for doubt", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    expect(await kept(stage, () => {})).toEqual([]);
  });
});

describe("what an attempt carries on", () => {
  const laid = async (stage: QueueStage, carry: string, ifUntouched: boolean): Promise<unknown> => {
    const attempt = stage.workflow.attempts[0] ?? (await stage.begins("T-001"));
    const envelope = { ...envelopeOf(stage.context.live.loop, stage.workflow, attempt), carry };
    const ready = await stage.workspace.prepare(envelope, { isOpened: false }, new AbortController().signal);
    if (ready.type === "ready") ready.release();
    return stage.workspace.layOver(envelope, { ifUntouched });
  };

  test("is set back when it is no longer in the repository", async () => {
    const stage = await QueueStage.of({ "T-001": "true" });
    expect(await laid(stage, "3".repeat(40), false)).toMatchObject({
      type: "set-back",
      setback: { kind: "lost" },
    });
  });

  test("is laid over by the next claim if the first one was cut off, and not over the agent's work", async () => {
    const stage = await QueueStage.of({ "T-001": "test -f one" });
    const carry = stage.world.commitOn(stage.world.first, { carried: "carried\n" });
    await stage.begins("T-001");
    const setback = { kind: "conflict", detail: "Conflicts", carry, failing: [] } as const;
    await stage.record({ type: "attempt.set-back", task: "T-001", number: 1, setback });
    const attempt = await stage.begins("T-001", 2);
    const envelope = envelopeOf(stage.context.live.loop, stage.workflow, attempt);
    const { machine, live } = stage.context;
    const claim = async (workspace: Workspace): Promise<unknown> => {
      const { now } = NO_INTERRUPTS;
      const signals = { signal: now, soon: now, tell: () => {}, waitsUntil: () => null };
      return sessionExecutor(machine, live.project, workspace).runAttempt(envelope, signals);
    };
    const killed = { ...stage.workspace, layOver: async () => Promise.reject(new Error("killed")) };
    await expect(claim(killed)).rejects.toThrow("killed");
    const carried = join(attempt.worktree ?? "", "carried");
    expect(existsSync(carried)).toBe(false);
    await claim(stage.workspace);
    expect(readFileSync(carried, "utf8")).toBe("carried\n");
    writeFileSync(carried, "the agent's\n");
    await claim(stage.workspace);
    expect(readFileSync(carried, "utf8")).toBe("the agent's\n");
  });

  test("waits for a person when something is in its way", async () => {
    const stage = await QueueStage.of({ "T-001": "true" });
    const carry = stage.world.commitOn(stage.world.first, { deep: "a file\n" });
    expect(await laid(stage, carry, true)).toBeNull();
    const worktree = stage.workflow.attempts[0]?.worktree ?? "";
    rmSync(join(worktree, "deep"));
    mkdirSync(join(worktree, "deep", "er"), { recursive: true });
    writeFileSync(join(worktree, "deep", "er", "file"), "");
    expect(await laid(stage, carry, true)).toBeNull();
    expect(await laid(stage, carry, false)).toMatchObject({
      type: "paused",
      reason: "blocked",
      detail: expect.stringContaining("deep is in its way"),
    });
  });
});

describe("of several results of one attempt", () => {
  const RESULT = { type: "finished", commit: null, confidence: "verified", doubts: [] } as const;

  test("the first counts, and the others are no error", async () => {
    const stage = await QueueStage.of({ "T-001": "true" });
    const attempt = await stage.begins("T-001");
    await giveBack(stage.context, "T-001", "too hard");
    expect(await recordResult(stage.context, attempt, RESULT)).toBeNull();
    expect(stage.states()).toEqual(["T-001 failed"]);
  });

  test("an agent's word that it gives up stands before anything is ended for it", async () => {
    const stage = await QueueStage.of({ "T-001": "true" });
    await stage.begins("T-001");
    const workspace = { ...stage.workspace, keepUnfinished: async () => Promise.reject(new Error("killed")) };
    await expect(giveBack({ ...stage.context, workspace }, "T-001", "too hard")).rejects.toThrow("killed");
    expect(stage.workflow.attempts[0]?.state).toMatchObject({
      setback: { detail: "The agent gave it back: too hard" },
    });
  });
});

test("a worktree for checks that git can't write to is a reason, and not the end of the run", async () => {
  const stage = await QueueStage.of({ "T-001": "true" });
  const never = new AbortController().signal;
  expect(await stage.workspace.siteAt(stage.tip, never)).toMatchObject({ type: "ready" });
  const index = join(stage.world.root, ".git", "worktrees", "queue", "index");
  rmSync(index);
  mkdirSync(join(index, "in-the-way"), { recursive: true });
  expect(await stage.workspace.siteAt(stage.tip, never)).toMatchObject({ type: "failed" });
});
