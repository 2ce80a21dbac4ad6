import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, type Ran } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

/** The plan of a session in a task list of its host's, as a mirror. */
const S = "session-one";
const PLAN = `Greet

### T-001: Write the greeting
verify: grep -q hello greeting.txt

### T-002: Write the farewell
blocked by: T-001
verify: grep -q bye farewell.txt
`;

interface Listed {
  readonly subject: string;
  readonly status: string;
}

class ListStage extends Sandbox {
  readonly lists = join(this.home, ".claude", "tasks");

  constructor() {
    super({ "README.md": "shop\n" });
    this.commitAll();
  }

  agent(env: NodeJS.ProcessEnv, input: string, ...args: readonly string[]): Ran {
    const own = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S, ...env };
    const ran = this.loopWith({ env: own, input }, ...args);
    if (ran.code !== 0) throw new Error(ran.err);
    return ran;
  }

  /** How far each task is in the only list. */
  shown(): readonly string[] {
    const [list = "none"] = existsSync(this.lists) ? readdirSync(this.lists) : [];
    const folder = join(this.lists, list);
    return (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Listed)
      .map(({ subject, status }) => `${subject}: ${status}`);
  }
}

describe("the task list of a plan in a session", () => {
  variant("is a new one if its user wants that, and shows how far each task is", () => {
    const stage = new ListStage();
    const { err } = stage.agent({}, PLAN, "start", "--plan", "-", "--task-list", "new", "--no-model");
    expect(err).toMatch(
      /The tasks are in Claude Code's task list (\S+) too.* CLAUDE_CODE_TASK_LIST_ID=\1 claude/,
    );
    expect(stage.shown()).toEqual(["Write the greeting: pending", "Write the farewell: pending"]);

    const { out } = stage.agent({}, "", "task", "claim", "T-001", "--json");
    expect(stage.shown()[0]).toBe("Write the greeting: in_progress");
    const { claimed } = JSON.parse(out) as { readonly claimed: readonly [{ readonly worktree: string }] };
    writeFileSync(join(claimed[0].worktree, "greeting.txt"), "hello\n");
    stage.agent({}, "", "task", "done", "T-001");
    expect(heldReason(stage.stop(S))).toContain("Ready: T-002");
    expect(stage.shown()).toEqual(["Write the greeting: completed", "Write the farewell: pending"]);
  });

  test("is the one that the session shows, also before it has a task", () => {
    const stage = new ListStage();
    stage.agent({ CLAUDE_CODE_TASK_LIST_ID: "my-loop" }, PLAN, "start", "--plan", "-");
    expect(readdirSync(stage.lists)).toEqual(["my-loop"]);
    expect(stage.shown()).toHaveLength(2);
  });

  test("is the session's own without either, and none if its user says so", () => {
    const stage = new ListStage();
    const env = { CLAUDE_CODE_TASK_LIST_ID: "my-loop" };
    stage.agent(env, PLAN, "start", "--plan", "-", "--task-list", "session");
    expect(stage.shown()).toEqual([]);
    expect(stage.loop("cancel").code).toBe(0);
    const { err } = stage.agent({}, PLAN, "start", "--plan", "-");
    expect(readdirSync(stage.lists)).toEqual([S]);
    expect(stage.shown()).toEqual(["Write the greeting: pending", "Write the farewell: pending"]);
    expect(err).not.toContain("task list");
  });

  test("waits for the plan of a workflow", () => {
    const stage = new ListStage();
    const spec = "Write greeting.txt with the word hello, until grep -q hello greeting.txt passes";
    const check = "greets=grep -q hello greeting.txt";
    stage.agent({}, "", "start", spec, "--workflow", "--task-list", "new", "-c", check);
    expect(stage.shown()).toEqual([]);
    stage.agent({}, PLAN, "start", "--plan", "-");
    expect(stage.shown().slice(0, 2)).toEqual(["Write the greeting: pending", "Write the farewell: pending"]);
  });

  test("is the plan if a workflow is to take up one with open tasks", () => {
    const stage = new ListStage();
    mkdirSync(join(stage.lists, "my-loop"), { recursive: true });
    const task = {
      id: "1",
      subject: "Dig a hole",
      description: "",
      status: "pending",
      blocks: [],
      blockedBy: [],
    };
    writeFileSync(join(stage.lists, "my-loop", "1.json"), JSON.stringify(task));
    stage.agent({}, "", "start", "Dig", "--workflow", "--task-list", "my-loop");
    expect(stage.only()).toMatchObject({
      stage: "executing",
      session: S,
      tasks: [{ subject: "Dig a hole" }],
    });
  });
});
