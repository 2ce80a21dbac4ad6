import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recoverMerge } from "../src/engine/plan/merge-queue.ts";
import { lastAttempt } from "../src/core/plan/workflow.ts";
import { QueueStage } from "./support/queue-stage.ts";
import { stagesBegun } from "./support/stage-builders.ts";
import { variant } from "./support/variant.ts";

const IDS = Array.from({ length: 20 }, (_, index) => `T-${String(index + 1).padStart(3, "0")}`);
/** So few that all of their checks run after every merge. */
const FEW = IDS.slice(0, 16);
const [NEXT = "", BREAKING = "", HARMLESS = "", LAST = ""] = IDS.slice(16);

/** A plan of many tasks, each with a file of its own. The check of the first one fails where there is an odd file. */
async function many(): Promise<{ readonly stage: QueueStage; readonly ranLast: () => readonly string[] }> {
  const log = "$HOME/checks.log";
  const tasks = Object.fromEntries(
    IDS.map((id) => [
      id,
      `echo ${id} >> ${log}; test -f ${id}.txt${id === IDS[0] ? " && ! test -f odd" : ""}`,
    ]),
  );
  const stage = await QueueStage.of(tasks);
  await stage.record(stagesBegun);
  const path = join(stage.world.env["HOME"] ?? "", "checks.log");
  for (const id of FEW) await stage.finishes(id, { [`${id}.txt`]: "done\n" });
  await stage.merges(...FEW.slice(0, 8));
  await stage.merges(...FEW.slice(8));
  const ranLast = (): readonly string[] => {
    const ran = readFileSync(path, "utf8").trim().split("\n");
    writeFileSync(path, "");
    return ran;
  };
  ranLast();
  return { stage, ranLast };
}

async function add(
  stage: QueueStage,
  task: string,
  files: { readonly [path: string]: string } = {},
): Promise<void> {
  await stage.finishes(task, { [`${task}.txt`]: "done\n", ...files });
  await stage.merges(task);
}

describe("after a merge into a large plan", () => {
  test("run the checks of what was merged, and of tasks whose files it touches", async () => {
    const { stage, ranLast } = await many();
    // Its base is behind, so its own check says nothing of the merge.
    await stage.finishes(BREAKING, { [`${BREAKING}.txt`]: "done\n" });
    await add(stage, NEXT, { "T-003.txt": "another way\n" });
    expect(ranLast()).toEqual([NEXT, "T-003"]);
    await stage.merges(BREAKING);
    expect(ranLast()).toEqual([BREAKING]);
    expect(stage.states()).not.toContain(`${NEXT} red-together`);
  });

  test("all checks run at the end of a wave: what broke an earlier task is found, goes back, and nothing else does", async () => {
    const { stage, ranLast } = await many();
    for (const id of [NEXT, BREAKING, HARMLESS])
      await add(stage, id, id === BREAKING ? { odd: "odd\n" } : {});
    expect(stage.states()).toContain(`${BREAKING} integrated`);
    const before = stage.workflow.branch?.tip;
    ranLast();
    await add(stage, LAST);

    expect(new Set(ranLast())).toEqual(new Set(IDS));
    expect(stage.news.at(-1)).toEqual({
      type: "unmerged",
      tasks: [BREAKING, HARMLESS, LAST],
      failing: ["T-001"],
    });
    expect(stage.states().slice(16)).toEqual([
      `${NEXT} integrated`,
      `${BREAKING} finished`,
      `${HARMLESS} finished`,
      `${LAST} finished`,
    ]);
    expect(stage.workflow.branch?.tip).toBe(stage.tip);
    expect(stage.world.filesOf(stage.tip)).not.toHaveProperty("odd");
    // Attempts may have begun there.
    expect(stage.world.git("for-each-ref", "--contains", before ?? "", "--format=%(refname)")).toContain(
      "/undone/",
    );

    await stage.merges(BREAKING, HARMLESS, LAST);
    expect(stage.states().slice(16)).toEqual([
      `${NEXT} integrated`,
      `${BREAKING} red-together`,
      `${HARMLESS} integrated`,
      `${LAST} integrated`,
    ]);
    const state = lastAttempt(stage.workflow, BREAKING)?.state;
    expect(state).toMatchObject({ setback: { failing: ["T-001"] } });

    const { number } = await stage.begins(BREAKING, 2);
    const commit = stage.world.commitOn(stage.tip, { [`${BREAKING}.txt`]: "done\n" });
    await stage.record({
      ...{ type: "attempt.finished", task: BREAKING, number, commit },
      ...{ confidence: "verified", doubts: [] },
    });
    ranLast();
    await stage.merges(BREAKING);
    expect(new Set(ranLast())).toEqual(new Set(IDS));
    expect(stage.workflow).toMatchObject({ proven: stage.tip, unproven: [], suspects: [] });
    expect(new Set(stage.states().map((each) => each.split(" ")[1]))).toEqual(new Set(["integrated"]));
  });

  variant("a run that is killed before the branch was put back does so when it goes on", async () => {
    const { stage } = await many();
    for (const id of [NEXT, BREAKING, HARMLESS])
      await add(stage, id, id === BREAKING ? { odd: "odd\n" } : {});
    await add(stage, LAST);
    const { name = "", tip } = stage.workflow.branch ?? {};
    const { from = "" } = stage.workflow.undone ?? {};
    stage.world.git("update-ref", `refs/heads/${name}`, from);
    await recoverMerge(stage.context);
    expect(stage.tip).toBe(tip);
    await stage.merges(HARMLESS);
    await recoverMerge(stage.context);
    expect(stage.workflow.branch?.tip).toBe(stage.tip);
    expect(stage.states()).toContain(`${HARMLESS} integrated`);
  });
});

test("what a worker of a fleet says that its files pass is checked here before they are merged", async () => {
  const stage = await QueueStage.of({ "T-001": "test -f one.txt" });
  await stage.record(stagesBegun);
  const task = "T-001";
  const { number, base } = await stage.begins(task);
  // Based on what it is merged onto: of an attempt of this machine, nothing would have to run again.
  const commit = stage.world.commitOn(base ?? "", { "two.txt": "not what was asked for\n" });
  const shown = { commit, confidence: "verified", doubts: [] } as const;
  await stage.record({ type: "attempt.placed", task, number, worker: "w1" });
  await stage.record({ type: "attempt.finished", task, number, ...shown });
  await stage.merges(task);
  expect(stage.states()).toEqual(["T-001 red-together"]);
  expect(stage.tip).toBe(stage.world.first);
});
