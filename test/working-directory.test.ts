import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { answerHook } from "../src/engine/stop/answer-hook.ts";
import { called } from "./support/called.ts";
import { setLimits } from "../src/engine/opening/limits.ts";
import type { Binding } from "../src/core/loop/loop.ts";
import type { AskedWork, PlainLoop } from "../src/engine/opening/asked-loop.ts";
import { openAndLook } from "../src/engine/opening/open-loop.ts";
import { chooseLoop } from "../src/storage/loops/choose-loop.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import type { Machine } from "../src/storage/loops/machine.ts";
import { rehearsalOf } from "../src/engine/run/agent-choice.ts";
import { driveLoop } from "../src/engine/run/drive.ts";
import { NO_INTERRUPTS } from "../src/engine/run/run-context.ts";
import { sessionId } from "./support/loop-builders.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const SESSION = sessionId("session-one");

function asked(work: AskedWork, binding: Binding | null = null): PlainLoop {
  const command = { kind: "shell", line: "test -f done.txt && pwd > where.txt" } as const;
  return {
    kind: "plain",
    spec: "Write done.txt",
    criteria: [{ name: "done", check: { command, timeoutMs: 5_000, passEnv: [] } }],
    steps: [],
    mustNots: [{ kind: "path", glob: "keep/**" }],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: "tool",
    limits: setLimits({}, {}, null),
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    binding,
    work,
  };
}

/** A project with a folder of its own below it, and a second worktree elsewhere. */
class Repository extends Sandbox {
  readonly worktree: string;
  readonly machine: Machine;

  constructor() {
    super({ "keep/a.txt": "a\n", "packages/shop/README.md": "A shop\n", ".gitignore": "where.txt\n" });
    this.commitAll();
    const path = join(this.home, "worktree");
    this.git("worktree", "add", "--quiet", "--detach", path);
    this.worktree = realpathSync(path);
    this.machine = createMachine(this.env, this.root);
  }

  async drive(work: AskedWork): Promise<string> {
    const script = join(this.home, "script.json");
    const turn = {
      do: [{ write: "done.txt", text: "done\n" }],
      say: "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---",
    };
    writeFileSync(script, JSON.stringify({ turns: [turn] }));
    const loop = await driveLoop(this.machine, await openAndLook(this.machine, asked(work)), {
      choice: rehearsalOf(script),
      cli: resolve("dist/cli.js"),
      interrupts: NO_INTERRUPTS,
      person: null,
      tell: () => undefined,
    });
    return loop.phase;
  }
}

describe("a loop whose work happens elsewhere than its records", () => {
  test("is driven in another worktree, and leaves the project's own files alone", async () => {
    const repository = new Repository();

    expect(await repository.drive({ worktree: repository.worktree, folder: "" })).toBe("completed");
    expect(readFileSync(join(repository.worktree, "where.txt"), "utf8")).toBe(`${repository.worktree}\n`);
    expect(existsSync(join(repository.root, "done.txt"))).toBe(false);
    expect(existsSync(join(repository.worktree, ".loop"))).toBe(false);
    expect(repository.only()).toMatchObject({ phase: "completed", confidence: "verified" });
  });

  variant("is driven in a folder below the root", async () => {
    const repository = new Repository();
    const folder = join(repository.root, "packages", "shop");

    expect(await repository.drive({ worktree: null, folder: "packages/shop" })).toBe("completed");
    expect(readFileSync(join(folder, "where.txt"), "utf8")).toBe(`${folder}\n`);
    expect(existsSync(join(folder, ".loop"))).toBe(false);
  });

  test("holds its session by the files of the other worktree", async () => {
    const repository = new Repository();
    const { machine, worktree } = repository;
    const stop = async (): Promise<string> => {
      const input = { hook_event_name: "Stop", session_id: SESSION, cwd: worktree };
      const said = { last_assistant_message: "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---" };
      const call = { event: "stop", reply: "decision" } as const;
      return (await answerHook(machine, called(call, JSON.stringify({ ...input, ...said })))).stdout;
    };
    await openAndLook(machine, asked({ worktree, folder: "" }, { session: SESSION, host: "claude-code" }));

    writeFileSync(join(repository.root, "done.txt"), "done\n");
    expect(JSON.parse(await stop())).toMatchObject({ decision: "block" });
    writeFileSync(join(worktree, "done.txt"), "done\n");
    expect(JSON.parse(await stop())).toEqual({ systemMessage: expect.stringContaining("✓ done: done (") });
    expect(repository.only().phase).toBe("completed");
  });

  test("is held to the files of the other worktree that must not change", async () => {
    const repository = new Repository();
    const { machine, worktree } = repository;
    await openAndLook(machine, asked({ worktree, folder: "" }, { session: SESSION, host: "claude-code" }));
    const input = JSON.stringify({ hook_event_name: "Stop", session_id: SESSION, cwd: worktree });

    writeFileSync(join(repository.root, "keep", "a.txt"), "changed\n");
    await answerHook(machine, called({ event: "stop", reply: "decision" }, input));
    expect((await chooseLoop(machine, undefined)).live.loop.phase).toBe("active");
    writeFileSync(join(worktree, "keep", "a.txt"), "changed\n");
    await answerHook(machine, called({ event: "stop", reply: "decision" }, input));
    expect(repository.only()).toMatchObject({ phase: "paused", reason: "must-not" });
  });
});
