import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort, oneOf } from "./support/effort.ts";
import { DONE } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { expectCode, plan, PlanStage, writes, type Scripts } from "./support/plan-stage.ts";
import { heldReason } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

interface Listed {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly metadata?: { readonly loopId?: string };
}

/** A task of Claude Code's own form. */
function listed(id: string, subject: string, description: string, ...blockedBy: readonly string[]): Listed {
  const task = { id, subject, description, status: "pending", blocks: [], blockedBy, owner: "me" };
  return task;
}

const DIG = listed("1", "Dig", "Verify: test -f dig.txt");
const FILL = listed("2", "Fill", "Verify: test -f fill.txt", "1");

const SCRIPTS: Scripts = { "T-001": [writes("dig.txt")], "T-002": [writes("fill.txt")] };

/** A repository, and a list of tasks as Claude Code keeps it. */
class ListStage extends PlanStage {
  readonly folder = join(this.home, ".claude", "tasks", "my-list");

  constructor(...tasks: readonly Listed[]) {
    super("");
    mkdirSync(this.folder, { recursive: true });
    for (const task of tasks) this.put(task);
    writeFileSync(join(this.folder, ".highwatermark"), "7");
  }

  put(task: Listed): void {
    writeFileSync(this.file(task.id), JSON.stringify(task, null, 2));
  }

  file(id: string): string {
    return join(this.folder, `${id}.json`);
  }

  task(id: string): Listed {
    return JSON.parse(readFileSync(this.file(id), "utf8")) as Listed;
  }

  statuses(): readonly string[] {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => this.task(name.replace(".json", "")).status);
  }

  /** The list's name is sanitised as its owner does. */
  workingOnList(scripts: Scripts, ...args: readonly string[]): readonly string[] {
    const { out } = this.loop("plan", "tasks:my list", "--json");
    const { digest } = JSON.parse(out) as { readonly digest: string };
    const given = ["--plan", "tasks:my list", "--plan-digest", digest];
    return ["run", ...given, ...this.rehearsing(scripts), ...args];
  }
}

describe("a plan from a task list of Claude Code", () => {
  test.runIf(isFullEffort)(
    "is marked there: in progress while it is worked on, completed once it is merged",
    async () => {
      const stage = new ListStage(DIG, FILL);
      const scripts = {
        "T-001": [
          { ...writes("dig.txt"), do: [{ run: stage.meet("dig") }, { write: "dig.txt", text: "dug\n" }] },
        ],
        "T-002": [
          { ...writes("fill.txt"), do: [{ run: stage.meet("fill") }, { write: "fill.txt", text: "\n" }] },
        ],
      };
      const run = stage.drive(stage.workingOnList(scripts));
      await stage.met("dig");
      await until(() => stage.statuses().join() === "in_progress,pending", "the first is in progress");
      stage.letGo("dig");
      await stage.met("fill");
      await until(() => stage.statuses().join() === "completed,in_progress", "the second is in progress");
      stage.letGo("fill");
      expectCode(await run.ended(), 0);

      expect(run.err).toBe("");
      const metadata = { loopId: stage.id, verification: "execution output", stuckCount: 0 };
      const noted = (task: string, wave: number) => ({ ...metadata, task, wave });
      expect(stage.task("1")).toEqual({ ...DIG, status: "completed", metadata: noted("T-001", 1) });
      expect(stage.task("2")).toEqual({ ...FILL, status: "completed", metadata: noted("T-002", 2) });
      expect(readFileSync(join(stage.folder, ".highwatermark"), "utf8")).toBe("7");
      expect(readdirSync(stage.folder).toSorted()).toEqual([".highwatermark", "1.json", "2.json"]);
    },
  );

  test.runIf(isFullEffort)(
    "is no more than a mirror: what others make of the list changes nothing here",
    async () => {
      const stage = new ListStage(DIG, FILL, listed("3", "Rake", "Verify: test -f rake.txt", "1"));
      const scripts = {
        ...SCRIPTS,
        "T-001": [
          { ...writes("dig.txt"), do: [{ run: stage.meet("dig") }, { write: "dig.txt", text: "dug\n" }] },
        ],
        "T-003": [writes("rake.txt")],
      };
      const run = stage.drive(stage.workingOnList(scripts));
      await stage.met("dig");
      await until(() => stage.task("3").metadata !== undefined, "the list was marked");
      rmSync(stage.file("2"));
      stage.put({ ...stage.task("3"), subject: "Rake it twice" });
      stage.put({ ...listed("1", "Something else", ""), status: "pending" });
      stage.put(listed("8", "New", "Verify: false"));
      stage.letGo("dig");
      expectCode(await run.ended(), 0);

      expect(stage.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003"]);
      expect(existsSync(stage.file("2"))).toBe(false);
      expect(stage.task("3")).toMatchObject({ subject: "Rake it twice", status: "completed" });
      // Another task has the number now, and was never part of the plan.
      expect(stage.task("1")).toEqual(listed("1", "Something else", ""));
      expect(stage.task("8").status).toBe("pending");
    },
  );

  variant.each(
    oneOf<[string, (stage: ListStage) => void, string]>([
      ["gone", ({ folder }) => rmSync(folder, { recursive: true }), "is gone"],
      ["locked", ({ folder }) => mkdirSync(join(folder, ".lock.lock")), "is locked or can't be written"],
    ]),
  )("that is %s meanwhile goes on, and says so once", async (_, harm, why) => {
    const stage = new ListStage(DIG, FILL);
    const scripts = {
      ...SCRIPTS,
      "T-001": [
        { ...writes("dig.txt"), do: [{ run: stage.meet("dig") }, { write: "dig.txt", text: "dug\n" }] },
      ],
    };
    const run = stage.drive(stage.workingOnList(scripts));
    await stage.met("dig");
    await until(() => stage.task("1").status === "in_progress", "the first is in progress");
    harm(stage);
    // As a process that holds the lock would.
    const held = setInterval(() => {
      const lock = join(stage.folder, ".lock.lock");
      if (existsSync(lock)) utimesSync(lock, new Date(), new Date());
    }, 1_000);
    stage.letGo("dig");
    const ran = await run.ended();
    clearInterval(held);

    expectCode(ran, 0);
    expect(ran.err).toBe(
      `loop: Claude Code's task list my-list ${why}, so it doesn't show what is done here.\n`,
    );
    expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
  });

  variant("marks what a killed run had merged, and gives up what is cancelled", async () => {
    const stage = new ListStage(DIG, FILL);
    const scripts = { ...SCRIPTS, "T-002": [{ do: [{ run: stage.meet("fill") }], say: DONE, usd: 0.01 }] };
    const run = stage.drive(stage.workingOnList(scripts));
    await stage.met("fill");
    await until(() => stage.statuses().join() === "completed,in_progress", "the second is in progress");
    run.child.kill("SIGKILL");
    await run.ended();
    // As if it had been killed before it could mark it.
    stage.put({ ...stage.task("1"), status: "in_progress" });

    const again = stage.drive(["continue"]);
    await until(() => stage.statuses().join() === "completed,in_progress", "the first is marked again");
    expectCode(stage.loop("cancel", "--loop", stage.id), 0);
    stage.letGo("fill");
    await again.ended();
    expect(stage.statuses()).toEqual(["completed", "pending"]);
  });
});

test("what an agent notes in its session's own list is no part of the plan that it works on", () => {
  const stage = new PlanStage(plan(["T-001", "test -f dig.txt"]));
  stage.write({ "PLAN.md": readFileSync(stage.planFile, "utf8") });
  stage.commitAll();
  const session = "session-one";
  expectCode(stage.loop("plan", "PLAN.md", "--approve", "--yes"), 0);
  expectCode(stage.agentLoop(session, "start", "--plan", "PLAN.md", "--task-list", "session"), 0);
  const folder = join(stage.home, ".claude", "tasks", session);
  mkdirSync(folder, { recursive: true });
  const own = JSON.stringify(listed("1", "Buy seeds", ""));
  writeFileSync(join(folder, "1.json"), own);

  expect(heldReason(stage.stop(session))).toMatch(/\npending tasks: T-001 Do T-001\n/);
  expect(stage.status()).toMatchObject([{ tasks: [{ id: "T-001" }] }]);
  expect(readdirSync(folder)).toEqual(["1.json"]);
  expect(readFileSync(join(folder, "1.json"), "utf8")).toBe(own);
});
