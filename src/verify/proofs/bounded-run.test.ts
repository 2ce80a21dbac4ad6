import { expect, test } from "vitest";
import type { CommandOptions } from "../../system/process/run-command.ts";
import { runBounded } from "./bounded-run.ts";
import type { SampleScene } from "./proof-site.ts";

/** How long a run with faults may take, of a check that took so long, in milliseconds. */
async function limitOf(checksMs: number, ...least: readonly number[]): Promise<number> {
  const limits: number[] = [];
  const run = async ({ timeoutMs }: CommandOptions): Promise<object> => {
    limits.push(timeoutMs);
    return { ending: { type: "timed-out", limitMs: timeoutMs }, output: "" };
  };
  const scene = {
    machine: { rooms: { open: async () => ({ isFaithful: true, run, close: async () => {} }) } },
    place: { root: "/project" },
    site: { signal: null, takeResources: async () => () => {}, readTree: async () => null },
    reading: null,
    comparison: { now: new Map() },
    budget: { checksMs, leftMs: () => 30_000 },
  } as unknown as SampleScene;
  const check = { command: { kind: "shell", line: "true" }, timeoutMs: 120_000, passEnv: [] } as const;
  await runBounded(scene, { name: "tests", check }, [], ...least);
  return limits[0] ?? Number.NaN;
}

test("a fault that never ends is waited for no longer than a few runs of the check", async () => {
  expect(await limitOf(300)).toBe(10_000);
  expect(await limitOf(8_000)).toBe(24_000);
  expect(await limitOf(90_000)).toBe(120_000);
  expect(await limitOf(300, 2_000)).toBe(2_000);
});
