import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Stage, saying, type PlayedTurn } from "./support/driven.ts";
import { heldReason, toldOf } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const SESSION = "session-1";
const WORKS: PlayedTurn = { do: [{ run: "true" }], say: saying("Not yet.", "EXIT_SIGNAL: false") };

/** A project with lists of tasks as Claude Code keeps them. */
/** Tasks are the agent's word; without a criterion nothing shows that it is done. */
const FINISHED_UNVERIFIED = 6;

class TaskStage extends Stage {
  list(name: string, tasks: { readonly [subject: string]: string }): void {
    mkdirSync(this.folder(name), { recursive: true });
    for (const [index, [subject, status]] of Object.entries(tasks).entries()) {
      const id = String(index + 1);
      const task = { id, subject, description: "", status, blocks: [], blockedBy: [], owner: "me" };
      writeFileSync(join(this.folder(name), `${id}.json`), JSON.stringify(task, null, 2));
    }
  }

  listed(name: string): readonly { readonly subject: string; readonly status: string }[] {
    return readdirSync(this.folder(name))
      .toSorted()
      .map((file) => JSON.parse(readFileSync(join(this.folder(name), file), "utf8")) as never);
  }

  folder(name: string): string {
    return join(this.home, ".claude", "tasks", name);
  }

  /** A loop of this rule in a session. */
  open(env: NodeJS.ProcessEnv, ...args: readonly string[]): void {
    const asked = ["start", "Dig and fill", "--exit-rule", "tasks", "--shape", "tool", ...args];
    const { code, err } = this.loopWith({ env }, ...asked, "--session", SESSION);
    if (code !== 0) throw new Error(err);
  }

  finish(...turns: readonly PlayedTurn[]): number | null {
    return this.loop("run", "--loop", this.id, "--script", this.script(turns)).code;
  }

  /** What an agent in the run sees of a variable. */
  seen(name: string): string {
    return readFileSync(this.mark(name), "utf8");
  }
}

const PENDING = { Dig: "pending", Fill: "pending" };

describe("the tasks of a session's list, in a run", () => {
  test("are completed by an agent's words for them, in the list too", () => {
    const stage = new TaskStage();
    stage.list(SESSION, PENDING);
    stage.open({});
    expect(stage.stop(SESSION).out).toContain("pending tasks: Dig, Fill");

    const code = stage.finish(
      { ...WORKS, say: saying("Dug.", 'TASKS: ["Dig"]') },
      { ...WORKS, say: saying("Filled.", 'TASKS: ["Fill", "Rest"]') },
    );

    expect(code).toBe(FINISHED_UNVERIFIED);
    expect(stage.turns()).toHaveLength(2);
    expect(stage.only()).toMatchObject({
      phase: "completed",
      tasks: [{ subject: "Dig" }, { subject: "Fill" }],
    });
    expect(stage.listed(SESSION)).toMatchObject([
      { subject: "Dig", status: "completed", owner: "me", metadata: { loopId: stage.id } },
      { subject: "Fill", status: "completed", owner: "me" },
    ]);
  });

  test("are in the prompt, with the words by which one is said to be done", () => {
    const stage = new TaskStage();
    stage.list(SESSION, PENDING);
    stage.open({});
    stage.stop(SESSION);
    stage.finish(
      { ...WORKS, say: saying("Dug.", 'TASKS: ["Dig"]') },
      { ...WORKS, say: saying("", 'TASKS: ["Fill"]') },
    );

    const [first, second] = stage.turns().map((turn) => stage.prompt(turn));
    expect(first).toContain("# Tasks\n\n- [ ] Dig\n- [ ] Fill\n");
    expect(first).toContain('TASKS: ["Dig"]');
    expect(second).toContain("\npending tasks: Fill\n");
    expect(second).toContain('TASKS: ["Fill"]');
  });

  test("are completed in the list itself, whose id the agent is given and no other", () => {
    const stage = new TaskStage();
    stage.list("my-list", PENDING);
    const ofSession = { CLAUDE_CODE_TASK_LIST_ID: "my list" };
    stage.open({});
    stage.stop(SESSION, {}, ofSession);
    const line = `cat > /dev/null; cd "$HOME/.claude/tasks/$CLAUDE_CODE_TASK_LIST_ID" && sed -i 's/pending/completed/' *.json; echo Done.`;
    const ran = stage.loopWith(
      { env: { CLAUDE_CODE_TASK_LIST_ID: "of-an-outer-session" } },
      ...["run", "--loop", stage.id, "--command", line],
    );

    expect(ran.code).toBe(FINISHED_UNVERIFIED);
    expect(stage.turns()).toHaveLength(1);
  });

  test("are known when the run begins, also of a session that was left before it stopped", () => {
    const stage = new TaskStage();
    stage.open({ CLAUDE_CODE_TASK_LIST_ID: "my-list" });
    stage.list("my-list", { Dig: "completed", Fill: "in_progress" });

    expect(stage.finish({ ...WORKS, say: saying("Filled.", 'TASKS: ["Fill"]') })).toBe(FINISHED_UNVERIFIED);
    expect(stage.prompt("1-1")).toContain("# Tasks\n\n- [x] Dig\n- [ ] Fill (in progress)\n");
  });

  variant("do not outweigh a check, and are not done by an exit signal", () => {
    const stage = new TaskStage();
    stage.list(SESSION, { Dig: "pending" });
    stage.open({}, "-c", "hole=test -f hole.txt");
    const code = stage.finish(
      { do: [{ write: "hole.txt", text: "" }], say: saying("All done.", "EXIT_SIGNAL: true") },
      { do: [{ delete: "hole.txt" }], say: saying("Dug.", 'TASKS: ["Dig"]') },
      { do: [{ write: "hole.txt", text: "" }], say: "Now it is there." },
    );

    expect(code).toBe(0);
    expect(stage.turns()).toHaveLength(3);
    expect(stage.prompt("2-1")).toContain("pending tasks: Dig");
    expect(stage.prompt("3-1")).toContain("✗ hole: `test -f hole.txt` failed with exit code 1");
  });

  variant("hold again when the agent opens them again in the list", () => {
    const stage = new TaskStage();
    stage.list(SESSION, PENDING);
    stage.open({});
    const reopen = `sed -i 's/completed/pending/' ${join(stage.folder(SESSION), "1.json")}`;
    const code = stage.finish(
      { ...WORKS, say: saying("Dug.", 'TASKS: ["Dig"]') },
      { do: [{ run: reopen }], say: saying("Filled; dig deeper.", 'TASKS: ["Fill"]') },
      { ...WORKS, say: saying("Dug.", 'TASKS: ["Dig"]') },
    );

    expect(code).toBe(FINISHED_UNVERIFIED);
    expect(stage.turns()).toHaveLength(3);
  });
});

describe("the list that an agent is given", () => {
  const line = (stage: Stage): string =>
    `cat > /dev/null; printf '%s' "$CLAUDE_CODE_TASK_LIST_ID" > ${stage.mark("list")}; touch done.txt; echo '<loop-complete>'`;

  variant("is one of the loop's own name where no session had one, and is read back", () => {
    const stage = new TaskStage();
    const task = JSON.stringify({ id: "1", subject: "Dig", status: "pending", blockedBy: [] });
    const work = `cat > /dev/null; list="$HOME/.claude/tasks/$CLAUDE_CODE_TASK_LIST_ID"; echo Went on.
      if [ -d "$list" ]; then touch hole.txt; sed -i s/pending/completed/ "$list/1.json"; else mkdir -p "$list"; echo '${task}' > "$list/1.json"; fi`;
    const ran = stage.loop(
      ...[
        "run",
        "Dig",
        "--exit-rule",
        "tasks",
        "--shape",
        "tool",
        "-c",
        "hole=test -f hole.txt",
        "--command",
        work,
      ],
    );

    expect(ran.code).toBe(0);
    expect(stage.prompt("2-1")).toContain("pending tasks: Dig\n");
    expect(stage.listed(stage.id)).toMatchObject([{ subject: "Dig", status: "completed" }]);
  });

  variant("is none under another rule", () => {
    const stage = new TaskStage();
    stage.loopWith(
      { env: { CLAUDE_CODE_TASK_LIST_ID: "of-an-outer-session" } },
      ...["run", "Write done.txt", "-c", "done=test -f done.txt", "--command", line(stage)],
    );

    expect(stage.seen("list")).toBe("");
  });

  test("is none that is no id", () => {
    const stage = new TaskStage();
    stage.open({});
    const locks = join(stage.home, "state", "loopwright", "loops");
    const [lock = ""] = readdirSync(locks);
    writeFileSync(join(locks, lock, "task-list.json"), JSON.stringify({ list: "../../elsewhere" }));
    stage.loop("run", "--loop", stage.id, "--command", line(stage));

    expect(stage.seen("list")).toBe(stage.id);
  });
});

describe("in a session", () => {
  const words = (...names: readonly string[]) => ({
    last_assistant_message: saying("Done.", `TASKS: ${JSON.stringify(names)}`),
  });

  test("words for a task count as well, and are written into its list", () => {
    const stage = new TaskStage();
    stage.list(SESSION, PENDING);
    stage.open({});

    expect(stage.stop(SESSION, words("Dig")).out).toContain("pending tasks: Fill\\n");
    expect(stage.listed(SESSION)).toMatchObject([{ status: "completed" }, { status: "pending" }]);
    expect(toldOf(stage.stop(SESSION, words("Fill")))).toContain("✓ done (unverified: ");
    expect(stage.only().phase).toBe("completed");
  });

  test("a task that came with a run is in no list of the session's, which is told how to complete it", () => {
    const stage = new TaskStage();
    const task = JSON.stringify({ id: "1", subject: "Dig", status: "pending", blockedBy: [] });
    const plan = `cat > /dev/null; list="$HOME/.claude/tasks/$CLAUDE_CODE_TASK_LIST_ID"; mkdir -p "$list"; echo '${task}' > "$list/1.json"; echo Planned.`;
    stage.loop(
      ...["run", "Dig", "--exit-rule", "tasks", "--shape", "tool", "--command", plan, "--iterations", "1"],
    );
    stage.loop("continue", "--session", SESSION, "--iterations", "5");

    const held = heldReason(stage.stop(SESSION));
    expect(held).toContain("\npending tasks: Dig\n");
    const [said = ""] = /---LOOP_STATUS---.*---END_STATUS---/.exec(held) ?? [];
    const last = { last_assistant_message: said.replace("its subject", "Dig") };
    expect(toldOf(stage.stop(SESSION, last))).toContain("✓ done (unverified: ");
    expect(stage.only().phase).toBe("completed");
  });

  test("a task that is opened again while the loop is paused stays open", () => {
    const stage = new TaskStage();
    stage.list(SESSION, PENDING);
    stage.open({});
    stage.stop(SESSION, words("Dig"));
    stage.loop("pause");
    stage.list(SESSION, PENDING);
    stage.stop(SESSION);

    expect(stage.listed(SESSION)).toMatchObject([{ status: "pending" }, { status: "pending" }]);
    stage.loop("continue", "--session", SESSION);
    expect(stage.stop(SESSION).out).toContain("pending tasks: Dig, Fill\\n");
  });
});
