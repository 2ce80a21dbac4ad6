import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { effort } from "./support/effort.ts";
import { Sandbox, toldOf } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

/** A hook outlives its client, ends the loop, and finds nobody to tell: the next session of the project hears of it, once. */
const HOOK = resolve("dist/hook.js");
const S = "session-one";
const NEXT = "session-two";
const WEAK = "weak: proofs were switched off";

function looping(...args: readonly string[]): { readonly sandbox: Sandbox; readonly id: string } {
  const sandbox = new Sandbox({ "README.md": "shop\n" });
  sandbox.commitAll();
  const { id } = sandbox.start(
    S,
    "Write done.txt",
    "-c",
    "written=test -f done.txt",
    "--proof",
    "off",
    ...args,
  );
  return { sandbox, id };
}

/** Its agent says that it is done, and it is. */
function done(sandbox: Sandbox): void {
  sandbox.write({ "done.txt": "yes\n" });
  expect(sandbox.agentLoop(S, "done").code).toBe(0);
}

const STOPS = { hook_event_name: "Stop", session_id: S, stop_hook_active: false };

/** A stop whose client is killed before the hook answers. */
async function stopUnheard(sandbox: Sandbox): Promise<void> {
  const child = spawn(process.execPath, [HOOK, "stop", "--host", "claude-code"], {
    cwd: sandbox.root,
    env: sandbox.env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdout.destroy();
  child.stdin.end(JSON.stringify({ ...STOPS, cwd: sandbox.root }));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(1);
}

describe("a loop that ends when its client is gone", () => {
  test("is told to the next session of the project, once, and not to its model", async () => {
    const { sandbox, id } = looping();
    done(sandbox);
    await stopUnheard(sandbox);
    expect(sandbox.only()).toMatchObject({ phase: "completed" });

    expect(sandbox.sessionStarts(NEXT)).toEqual({
      toUser: `[LOOP] ✓ ${id} was completed meanwhile: written (${WEAK})`,
      toModel: "",
    });
    expect(sandbox.sessionStarts(NEXT)).toEqual({ toUser: "", toModel: "" });
  });

  variant("is told to the model too if it was its own", async () => {
    const { sandbox, id } = looping();
    done(sandbox);
    await stopUnheard(sandbox);
    const line = `[LOOP] ✓ ${id} was completed meanwhile: written (${WEAK})`;
    expect(sandbox.sessionStarts(S)).toEqual({ toUser: line, toModel: line });
  });

  test("is told by loop start, to whom the session's start said nothing", async () => {
    const { sandbox, id } = looping();
    done(sandbox);
    await stopUnheard(sandbox);
    const line = `[LOOP] ✓ ${id} was completed meanwhile: written (${WEAK})\n`;
    expect(sandbox.agentLoop(NEXT, "start", "Write more", "-c", "more=test -f more.txt").err).toContain(line);
    expect(sandbox.loop("start", "Write", "-c", "other=test -f other.txt").err).not.toContain("meanwhile");
  });

  variant("is told with how to resume it if it was paused", async () => {
    const { sandbox, id } = looping("--iterations", "1");
    sandbox.stop(S);
    await stopUnheard(sandbox);
    expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "iterations" });
    const { toUser } = sandbox.sessionStarts(NEXT);
    expect(toUser).toMatch(new RegExp(`^\\[LOOP\\] ⏸ ${id} was paused meanwhile: iterations`));
    expect(toUser).toContain(`To resume it here: /loop:continue --iterations=1 --loop=${id}`);
    expect(sandbox.sessionStarts(S).toUser).toMatch(/^\[LOOP\] ⏸ Paused: iterations/);
  });

  test("is told to the session that comes back to its paused loop", async () => {
    const { sandbox, id } = looping("--iterations", "1");
    sandbox.stop(S);
    await stopUnheard(sandbox);
    const { toUser, toModel } = sandbox.sessionStarts(S);
    expect(toUser).toContain(`${id} was paused meanwhile: iterations`);
    expect(toModel).toBe(toUser);
  });

  test("is not told again if its host heard it, or a person resumed it", async () => {
    const { sandbox } = looping("--iterations", "1");
    sandbox.stop(S);
    await stopUnheard(sandbox);
    expect(sandbox.loop("continue", "--iterations=1", "--session", S).code).toBe(0);
    done(sandbox);
    expect(toldOf(sandbox.stop(S))).toContain("✓ done: written");
    expect(sandbox.sessionStarts(NEXT)).toEqual({ toUser: "", toModel: "" });
  });

  test("is told wherever the hook itself was killed", async () => {
    for (let times = effort(1, 20); times > 0; times -= 1) {
      const { sandbox, id } = looping();
      done(sandbox);
      const child = spawn(process.execPath, [HOOK, "stop", "--host", "claude-code"], {
        cwd: sandbox.root,
        env: sandbox.env,
        stdio: ["pipe", "pipe", "ignore"],
      });
      let heard = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (heard += text));
      child.stdin.end(JSON.stringify({ ...STOPS, cwd: sandbox.root }));
      const closed = new Promise((resolve) => child.once("close", resolve));
      const look = setInterval(() => {
        if (readFileSync(sandbox.journal(id), "utf8").includes("loop.completed")) child.kill("SIGKILL");
      }, 1);
      await closed.finally(() => clearInterval(look));
      expect(sandbox.only()).toMatchObject({ phase: "completed" });
      const { toUser } = sandbox.sessionStarts(NEXT);
      expect(`${heard}${toUser}`).toMatch(/✓ done: written|was completed meanwhile: written/);
    }
  });
});
