import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Pulse } from "./patience.ts";

test("a beat that fails ends the pulse, and whoever stops it hears why", async () => {
  let beats = 0;
  const pulse = new Pulse(1, async () => {
    beats += 1;
    throw new Error("the disk is full");
  });
  pulse.start();
  pulse.start();
  await sleep(20);
  await expect(pulse.stop()).rejects.toThrow("the disk is full");
  expect(beats).toBe(1);
});
