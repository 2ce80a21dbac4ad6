import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isFullEffort } from "../../test/support/effort.ts";
import { CLI } from "../world.ts";
import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { copilotClient } from "./copilot.ts";
import { HostedWorld } from "./hosted-world.ts";

describeHeld(copilotClient);
describeInTerminal(copilotClient);

test.runIf(isFullEffort)("holds with Claude Code's plugin, installed as one of its own", async () => {
  const world = await HostedWorld.create(copilotClient, [
    { run: `loop start "Write one.txt" -c 'one=cat one.txt' --shape tool` },
    { run: "loop done" },
    { say: "All done." },
    { run: "echo first > one.txt; loop done" },
    { say: "Now it is." },
  ]);
  for (const words of [
    ["marketplace", "add", dirname(CLI)],
    ["install", "loop@loopwright"],
  ]) {
    const program = join(copilotClient.bin, "copilot");
    const { status } = spawnSync(program, ["plugin", ...words], { cwd: world.project, env: world.env });
    expect(status).toBe(0);
  }
  expect(await world.prompt("Write one.txt")).toMatchObject({ code: 0 });
  expect(world.model.heard[3]).toContain("cat: one.txt: No such file or directory");
  expect(await world.status()).toMatchObject({ phase: "completed", confidence: "verified", iteration: 1 });
});
