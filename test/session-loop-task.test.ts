import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";

/** A plain loop in the list that its client shows. */
const S = "session-one";

class ListStage extends Sandbox {
  readonly list = join(this.home, ".claude", "tasks", S);

  constructor() {
    super({ "state.txt": "broken\n" });
    this.commitAll();
  }

  tasks(): readonly { readonly [key: string]: unknown }[] {
    return (existsSync(this.list) ? readdirSync(this.list) : [])
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => JSON.parse(readFileSync(join(this.list, name), "utf8")) as { [key: string]: unknown });
  }

  opens(...args: readonly string[]): void {
    const ran = this.agentLoop(
      S,
      "start",
      "Fix it",
      "-c",
      "fixed=grep -q fixed state.txt",
      "-s",
      "Mend",
      ...args,
    );
    if (ran.code !== 0) throw new Error(ran.err);
  }
}

describe("the task of a plain loop", () => {
  test("is in its client's own list with what the loop knows, and is completed with it", () => {
    const stage = new ListStage();
    stage.opens("--iterations", "7");
    const { id, startedAt } = stage.only();
    const metadata = {
      iteration: 0,
      cost: 0,
      shape: "intent",
      budget: 25,
      maxIterations: 7,
      startedAt,
      lastCheckpoint: startedAt,
      completedSteps: [],
      remainingSteps: ["Mend"],
      errors: [],
    };
    expect(stage.tasks()).toMatchObject([
      {
        id: "1",
        subject: "Complete: Fix it",
        description: "Fix it\n\nSuccess criteria:\n- fixed: grep -q fixed state.txt",
        status: "in_progress",
        metadata: { ...metadata, loopId: id },
      },
    ]);

    stage.agentLoop(S, "step", "done", "Mend");
    stage.agentLoop(S, "done");
    heldReason(stage.stop(S));
    const errors = ["fixed: failed with exit code 1"];
    const later = { iteration: 1, completedSteps: ["Mend"], remainingSteps: [], errors };
    expect(stage.tasks()).toMatchObject([{ status: "in_progress", metadata: later }]);
    stage.write({ "state.txt": "fixed\n" });
    stage.agentLoop(S, "done");
    toldOf(stage.stop(S));
    expect(stage.tasks()).toMatchObject([{ status: "completed", metadata: { errors: [] } }]);
  });

  test("is in none if its user wants that, and a deleted one stays deleted", () => {
    const stage = new ListStage();
    stage.opens("--task-list", "session");
    expect(stage.tasks()).toEqual([]);
    stage.loop("cancel");
    stage.opens();
    writeFileSync(join(stage.list, "1.json"), "{}");
    heldReason(stage.stop(S));
    expect(stage.tasks()).toEqual([{}]);
  });

  test("is no work that a list asks for", () => {
    const stage = new ListStage();
    mkdirSync(stage.list, { recursive: true });
    stage.opens();
    stage.loop("cancel");
    expect(stage.tasks()).toMatchObject([{ subject: "Complete: Fix it", status: "pending" }]);
    const env = { CLAUDE_CODE_TASK_LIST_ID: S };
    const input = JSON.stringify({ session_id: "another", cwd: stage.root, hook_event_name: "Stop" });
    expect(stage.hook(input, env, ["--reply", "ok"]).out).toBe('{"ok":true}');
  });
});
