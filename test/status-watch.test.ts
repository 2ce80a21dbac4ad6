import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { StatusView } from "../src/views/status.ts";
import { isFullEffort } from "./support/effort.ts";
import type { OnTerminal } from "./support/pty.ts";
import { missingPty, onTerminal } from "./support/pty.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const CLI = resolve("dist/cli.js");
const DONE = "\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";

/** The first turn goes on until the test lets it; the second one finishes the work. */
const SCRIPT = {
  turns: [
    {
      do: [{ say: "I look around." }, { run: "until [ -e go ]; do sleep 0.05; done" }],
      say: `It works.${DONE}`,
      usd: 0.5,
    },
    // Longer than the pause between two looks of whoever watches.
    { do: [{ wait: 1_500 }, { write: "fixed", text: "" }], say: `Mended.${DONE}`, usd: 0.25 },
  ],
};

interface Spawned {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly until: (pattern: RegExp) => Promise<void>;
  readonly ended: Promise<number | null>;
}

function spawned(sandbox: Sandbox, ...args: readonly string[]): Spawned {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: sandbox.root,
    env: sandbox.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) await sleep(20);
  };
  return { child, text: () => text, until, ended };
}

/** A loop that is being driven, in the middle of its first turn. */
async function running(): Promise<{ sandbox: Sandbox; run: Spawned; note: string }> {
  const sandbox = new Sandbox({ "script.json": JSON.stringify(SCRIPT), ".gitignore": "go\n" });
  sandbox.commitAll();
  const run = spawned(
    sandbox,
    ...["run", "Make the file fixed", "-c", "is fixed=test -e fixed", "--script", "script.json"],
  );
  await run.until(/Iteration 1/);
  const note = join(dirname(sandbox.journal(sandbox.only().id)), "live.json");
  while (!existsSync(note) || !readFileSync(note, "utf8").includes("until [ -e go ]")) await sleep(20);
  return { sandbox, run, note };
}

describe("a loop that is driven elsewhere", () => {
  test("is watched line by line until it is finished", async () => {
    const { sandbox, run, note } = await running();
    const watch = spawned(sandbox, "status", "--watch");
    await watch.until(/Iteration 1\/10/);
    sandbox.write({ go: "" });
    expect(await watch.ended).toBe(0);
    expect(await run.ended).toBe(0);
    expect(existsSync(note)).toBe(false);
    expect(watch.text()).toMatch(
      /^\[LOOP\] Iteration 1\/10 \| Cost: \$0\/\$25 .*\n[^]*\[LOOP\] Iteration 2\/10 \| Cost: \$0.50\/\$25 .*\n[^]* {2}✓ is fixed {2}passed\n<loop-complete>[^]*<\/loop-complete>\n\[LOOP\] Files: fixed\n\[LOOP\] 2 iterations, .*\n$/,
    );
  });

  test.runIf(isFullEffort)("is watched as a line of JSON for each change", async () => {
    const { sandbox } = await running();
    const watch = spawned(sandbox, "status", "--watch", "--json");
    await watch.until(/\n/);
    sandbox.write({ go: "" });
    expect(await watch.ended).toBe(0);
    const views = watch
      .text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as StatusView);
    expect(views[0]).toMatchObject({ phase: "active", iteration: 1 });
    expect(views.at(-1)).toMatchObject({ phase: "completed", confidence: "verified" });
    expect(views.filter(({ phase }) => phase !== "active")).toHaveLength(1);
  });

  variant("is watched until it pauses", async () => {
    const { sandbox } = await running();
    const watch = spawned(sandbox, "status", "--watch");
    await watch.until(/Iteration 1\/10/);
    sandbox.loop("pause");
    expect(await watch.ended).toBe(0);
    expect(watch.text()).toContain("[LOOP] ⏸ Paused: user");
  });

  test.runIf(isFullEffort)("does not notice that a watcher leaves", async () => {
    const { sandbox, run } = await running();
    const watch = spawned(sandbox, "status", "--watch");
    await watch.until(/Iteration 1\/10/);
    watch.child.kill("SIGINT");
    expect(await watch.ended).toBe(130);
    expect(sandbox.only().phase).toBe("active");
    sandbox.write({ go: "" });
    expect(await run.ended).toBe(0);
  });

  variant("is said to be driven, by whom, and when that process is gone", async () => {
    const { sandbox, run, note } = await running();
    expect(sandbox.loop("status").out).toContain(
      `driven now by a rehearsal, process ${run.child.pid}: loop status --watch`,
    );
    const watch = spawned(sandbox, "status", "--watch");
    await watch.until(/Iteration 1\/10/);
    run.child.kill("SIGKILL");
    await run.ended;
    expect(existsSync(note)).toBe(true);
    expect(sandbox.loop("status").out).toMatch(
      /^active \(its run is gone\) [^]*active, but its run is gone: loop continue/,
    );
    await watch.until(/\[LOOP\] Active, but its run is gone: loop continue\n/);
    sandbox.loop("pause");
    expect(await watch.ended).toBe(0);
  });

  test.runIf(isFullEffort)("is gone with its folder", async () => {
    const { sandbox } = await running();
    const watch = spawned(sandbox, "status", "--watch");
    await watch.until(/Iteration 1\/10/);
    rmSync(join(sandbox.root, ".loop"), { recursive: true });
    expect(await watch.ended).toBe(1);
    expect(watch.text()).toMatch(/\nloop: The loop make-the-file-fixed-\w+ can no longer be read: .*\.\n$/);
  });
});

variant("a loop that is over is told and not waited for", async () => {
  const sandbox = new Sandbox();
  const { id } = sandbox.start(null, "Fix it", "-c", "ok=true");
  sandbox.loop("cancel");
  const watch = spawned(sandbox, "status", "--watch", "--loop", id);
  expect(await watch.ended).toBe(0);
  expect(watch.text()).toBe(`[LOOP] Cancelled: ${id}\n`);
  const nothing = spawned(sandbox, "status", "--watch");
  expect(await nothing.ended).toBe(1);
  expect(nothing.text()).toContain("No loop is open");
});

test("a stranger's loop is not watched", async () => {
  const sandbox = new Sandbox();
  sandbox.start(null, "Fix it", "-c", "ok=true");
  rmSync(join(sandbox.home, "state"), { recursive: true });
  const watch = spawned(sandbox, "status", "--watch");
  expect(await watch.ended).toBe(1);
  expect(watch.text()).toMatch(/^loop: The loop fix-it-\w+ was not opened on this machine/);
});

const missing = missingPty();

describe.skipIf(missing !== null)(`before a terminal${missing === null ? "" : ` (${missing})`}`, () => {
  function watchOnTerminal(sandbox: Sandbox): OnTerminal {
    return onTerminal([process.execPath, CLI, "status", "--watch"], {
      cwd: sandbox.root,
      env: { ...sandbox.env, NO_COLOR: "1" },
    });
  }

  test.runIf(isFullEffort)("it is drawn as its own run draws it", async () => {
    const { sandbox } = await running();
    const watch = watchOnTerminal(sandbox);
    await watch.until(/now {3}Bash until \[ -e go \]/);
    expect(watch.text()).toMatch(/● active · iteration 1\/10 · \$0\.\d\d\/\$25 · .* · a rehearsal/);
    expect(watch.text()).toContain("said  I look around.");
    sandbox.write({ go: "" });
    expect(await watch.ended).toBe(0);
    expect(watch.text()).toMatch(/<\/loop-complete>\r\n.*\r\n\[LOOP\] 2 iterations, .*\r\n$/);
  });

  variant("Ctrl-C leaves it, with the cursor back and the loop as it was", async () => {
    const { sandbox } = await running();
    const watch = watchOnTerminal(sandbox);
    await watch.until(/now {3}Bash until \[ -e go \]/);
    watch.type("\u0003");
    expect(await watch.ended).toBe(130);
    expect(watch.text().lastIndexOf("\u001b[?25h")).toBeGreaterThan(watch.text().lastIndexOf("\u001b[?25l"));
    expect(sandbox.only().phase).toBe("active");
  });
});
