import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CLI } from "../world.ts";
import { codexClient } from "./codex.ts";
import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { HostedWorld } from "./hosted-world.ts";

describeHeld(codexClient);
describeInTerminal(codexClient);

test("hooks that nobody has trusted are reported with what to do, and by the client's own digests no more when they are", async () => {
  const world = await HostedWorld.create(codexClient);
  const { out } = await world.loop("install", "codex", "--yes");
  expect(out).toContain("type /hooks");
  const before = await world.loop("doctor");
  expect(before.code).toBe(1);
  expect(before.out).toContain("Codex skips Stop");
  await codexClient.afterInstall?.(world);
  expect((await world.loop("doctor")).out).toContain("hooks.json, which answers");
  expect((await world.loop("install", "codex", "--yes")).out).toBe("The hooks are already installed.\n");

  // A program that was moved is another command, which nobody has trusted.
  const moved = join(world.home, "moved");
  cpSync(dirname(CLI), moved, { recursive: true });
  const again = await world.run(["install", "codex", "--yes"], { cli: join(moved, "cli.js") });
  expect(again.out).toContain("type /hooks");
});
