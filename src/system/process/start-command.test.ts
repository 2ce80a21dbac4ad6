import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { PATIENT } from "../../../test/support/patience.ts";

const PROGRAM = `
  import { spawn } from "node:child_process";
  import { endWithUs } from ${JSON.stringify(resolve("src/system/process/start-command.ts"))};
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const release = endWithUs(child.pid);
  if (process.argv[2] === "release") release();
  process.stdout.write(String(child.pid), () => process.exit());
`;

async function sleeperLeftBehind(...args: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-exit-"));
  const source = join(folder, "program.ts");
  const outfile = join(folder, "program.mjs");
  writeFileSync(source, PROGRAM);
  await build({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm" });
  const program = spawn(process.execPath, [outfile, ...args]);
  let pid = "";
  program.stdout.on("data", (chunk: Buffer) => (pid += chunk.toString()));
  await new Promise((done) => program.once("close", done));
  return Number(pid);
}

/** A zombie, which waits for init to take notice, is not alive. */
function alive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

it.skipIf(process.platform === "win32")(
  "a started group of processes is ended when this process exits in the middle",
  async () => {
    const pid = await sleeperLeftBehind();
    await expect.poll(() => alive(pid), PATIENT).toBe(false);
  },
);

it.skipIf(process.platform === "win32")("a released group of processes is left alone", async () => {
  const pid = await sleeperLeftBehind("release");
  await sleep(100);
  expect(alive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});
