import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startOfProcess } from "../src/system/process/process-facts.ts";
import { PATIENT } from "./support/patience.ts";

/** The plugin of clients without hooks, as `loop install pi` writes it, with a hook of the test's own and a second's time for a stop. */
async function stopWith(hookSource: string): Promise<{ readonly answer: unknown; readonly hookPid: number }> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const hook = join(folder, "hook.js");
  const pid = join(folder, "pid");
  writeFileSync(
    hook,
    `require("fs").writeFileSync(${JSON.stringify(pid)}, String(process.pid));\n${hookSource}`,
  );
  const bridge = readFileSync(resolve("dist/bridge.js"), "utf8");
  expect(bridge).toContain("stop: 600,");
  const program = JSON.stringify({ node: process.execPath, hook });
  const plugin = join(folder, "loop.mjs");
  writeFileSync(
    plugin,
    `${bridge.replace("stop: 600,", "stop: 1,")}\nexport default loopFor("pi", ${program});\n`,
  );
  const handlers = new Map<string, (event: object, context: object) => Promise<unknown>>();
  const { default: extension } = (await import(pathToFileURL(plugin).href)) as {
    default: (pi: object) => void;
  };
  extension({ on: (event: string, handler: never) => handlers.set(event, handler) });
  const context = { cwd: folder, hasUI: false, sessionManager: { getSessionId: () => "s1" } };
  const answer = await handlers.get("agent_before_settle")?.({ outcome: "done", entries: [] }, context);
  return { answer, hookPid: Number(readFileSync(pid, "utf8")) };
}

test.each([
  ["takes too long", "setInterval(() => {}, 1000);"],
  ["takes too long and doesn't listen", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"],
  ["dies", "process.kill(process.pid, 'SIGKILL');"],
  ["says no JSON", "console.log('{\"decision\":');"],
])("a hook that %s lets the agent go, and is gone", async (_, source) => {
  const { answer, hookPid } = await stopWith(source);
  expect(answer).toBeUndefined();
  await expect.poll(() => startOfProcess(hookPid), PATIENT).toBeNull();
});

test("a hook that answers in time holds", async () => {
  const said = `console.log(JSON.stringify({ decision: "block", reason: "Not yet." }));`;
  const held = { continue: true, entries: [{ content: "Not yet." }] };
  expect((await stopWith(said)).answer).toMatchObject(held);
});
