import { expect, test } from "vitest";
import { codexClient } from "./codex.ts";
import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { HostedWorld } from "./hosted-world.ts";

describeHeld(codexClient);
describeInTerminal(codexClient);

test("hooks that nobody has trusted are reported with what to do, and by the client's own digests no more when they are", async () => {
  const world = await HostedWorld.create(codexClient);
  const { err } = await world.loop("install", "codex", "--yes");
  expect(err).toContain("type /hooks");
  const before = await world.loop("doctor");
  expect(before.code).toBe(1);
  expect(before.out).toContain("Codex skips Stop");
  await codexClient.afterInstall?.(world);
  expect((await world.loop("doctor")).out).toContain("hooks.json, which answers");
});
