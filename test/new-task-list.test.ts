import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import type { Ran } from "./support/sandbox.ts";
import { isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

interface Listed {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly blocks: readonly string[];
  readonly blockedBy: readonly string[];
  readonly metadata: { readonly task: string; readonly stuckCount: number };
}

/** A project in which a plan's tasks go into a list that Claude Code doesn't have yet. */
class NewListStage extends PlanStage {
  readonly lists = join(this.home, ".claude", "tasks");

  /** The only list. */
  get list(): string {
    const [list, ...others] = existsSync(this.lists) ? readdirSync(this.lists) : [];
    if (list === undefined || others.length > 0) throw new Error("not exactly one list");
    return list;
  }

  file(name: string): string {
    return join(this.lists, this.list, name);
  }

  tasks(): readonly Listed[] {
    return readdirSync(join(this.lists, this.list))
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => JSON.parse(readFileSync(this.file(name), "utf8")) as Listed);
  }

  /** A workflow that gets as far as its plan: then its setup fails. */
  pausedWorkflow(how: readonly string[] = ["--task-list", "new"], env: NodeJS.ProcessEnv = {}): Ran {
    const spec = "Write one.txt with the words of the first page, until test -f one.txt passes";
    return this.loopWith(
      { env },
      ...["run", spec, "--workflow", "--no-model", "--shape", "tool", "-c", "one=test -f one.txt"],
      ...["--command", "true", "--setup", "exit 1", ...how],
    );
  }

  /** What this machine knows about the loop's list. */
  get ledger(): string {
    const locks = join(this.home, "state", "loopwright", "loops");
    const lock = readdirSync(locks).find((name) => existsSync(join(locks, name, "task-list.json")));
    return join(locks, lock ?? "", "task-list.json");
  }
}

const TWO = plan(["T-001", "test -f dig.txt"], ["T-002", "test -f fill.txt", "T-001"]);

test.runIf(isFullEffort)(
  "a plan is written into a new list: its tasks and criteria, what blocks what, and how far each is",
  async () => {
    const stage = new NewListStage(TWO);
    const fails = { ...writes("other.txt"), do: [{ write: "other.txt", text: "\n" }] };
    const meets = {
      do: [{ run: stage.meet("again") }, { write: "dig.txt", text: "dug\n" }],
      say: DONE,
      usd: 0.01,
    };
    const scripts = {
      "T-001-1": [fails, fails, fails],
      "T-001-2": [meets],
      "T-002": [writes("fill.txt")],
      "END-1": [writes("other.txt")],
    };
    const args = ["--task-list", "new", "--no-model", "-c", "both=test -f dig.txt && test -f fill.txt"];
    const run = stage.drive(stage.working(scripts, ...args, "--no-progress-limit", "1"));
    await stage.met("again");
    await until(() => stage.tasks()[0]?.metadata.stuckCount === 1, "the failed attempt is counted");
    expect(stage.tasks().map(({ status }) => status)).toEqual(["in_progress", "pending", "pending"]);
    stage.letGo("again");
    expectCode(await run.ended(), 0);

    expect(stage.list).toMatch(/^\w+-[a-z0-9]{4}$/);
    expect(run.err).toBe(
      `loop: The tasks are in Claude Code's task list ${stage.list} too; see them with: CLAUDE_CODE_TASK_LIST_ID=${stage.list} claude\n`,
    );
    expect(readdirSync(join(stage.lists, stage.list)).toSorted()).toEqual([
      ".lock",
      "1.json",
      "2.json",
      "3.json",
    ]);
    const metadata = { loopId: stage.id, verification: "execution output", stuckCount: 0 };
    const [dig, fill, both] = stage.tasks();
    expect(dig).toEqual({
      id: "1",
      subject: "Do T-001",
      description: "Verify: test -f dig.txt",
      activeForm: "Working on: Do T-001",
      status: "completed",
      blocks: ["2", "3"],
      blockedBy: [],
      metadata: { ...metadata, task: "T-001", wave: 1 },
    });
    expect(fill).toMatchObject({ blocks: ["3"], blockedBy: ["1"], metadata: { task: "T-002", wave: 2 } });
    expect(both).toMatchObject({
      subject: "both",
      status: "completed",
      blockedBy: ["1", "2"],
      metadata: { task: "END-1", wave: 3 },
    });
    expect(both).toHaveProperty("description", expect.stringMatching(/\n\nVerify: test -f dig.txt && /));
  },
);

describe("a workflow's new list", () => {
  test("is there with its plan, and nothing is said to be gone", () => {
    const stage = new NewListStage("");
    const ran = stage.pausedWorkflow();
    expectCode(ran, 4);
    expect(ran.err).toContain(`The tasks are in Claude Code's task list ${stage.list} too`);
    expect(ran.err).not.toContain("is gone");
    expect(stage.tasks().map(({ metadata }) => metadata.task)).toEqual(["T-001", "END-1"]);
  });

  test("is the one that its environment names, also before it has a task", () => {
    const stage = new NewListStage("");
    expectCode(stage.pausedWorkflow([], { CLAUDE_CODE_TASK_LIST_ID: "my-loop" }), 4);
    expect(stage.list).toBe("my-loop");
    expect(stage.tasks().map(({ metadata }) => metadata.task)).toEqual(["T-001", "END-1"]);
  });

  test("is completed by the next run after a crash, without doubling a task", () => {
    const stage = new NewListStage("");
    stage.pausedWorkflow();
    const before = stage.tasks();
    // As if the first run had been killed before it wrote the second task, and remembered the first.
    rmSync(stage.file("2.json"));
    const known = JSON.parse(readFileSync(stage.ledger, "utf8")) as { added: readonly string[] };
    expect(known.added).toEqual(["T-001", "END-1"]);
    writeFileSync(stage.ledger, JSON.stringify({ ...known, added: [] }));
    writeFileSync(stage.file("1.json"), JSON.stringify({ ...before[0], blocks: [] }, null, 2));

    stage.loop("continue");
    expect(stage.tasks()).toEqual(before);
  });

  variant("stays without what somebody deleted there, and deleted if it was", () => {
    const stage = new NewListStage("");
    stage.pausedWorkflow();
    rmSync(stage.file("1.json"));
    expect(stage.loop("continue").err).not.toContain("task list");
    expect(stage.tasks().map(({ metadata }) => metadata.task)).toEqual(["END-1"]);

    const { list } = stage;
    rmSync(join(stage.lists, list), { recursive: true });
    expect(stage.loop("continue").err).toContain(
      `loop: Claude Code's task list ${list} is gone, so it doesn't show what is done here.\n`,
    );
    expect(readdirSync(stage.lists)).toEqual([]);
  });

  test("isn't made for a plan that is in a list already", () => {
    const stage = new NewListStage("");
    mkdirSync(join(stage.lists, "x"), { recursive: true });
    const task = { id: "1", subject: "Dig", description: "Verify: true", status: "pending", blockedBy: [] };
    writeFileSync(join(stage.lists, "x", "1.json"), JSON.stringify(task));
    expect(stage.loop("run", "--plan", "tasks:x", "--task-list", "new", "--command", "true")).toMatchObject({
      code: 1,
      err: "loop: The tasks of tasks:x are in a task list already; leave out --task-list.\n",
    });
  });
});
