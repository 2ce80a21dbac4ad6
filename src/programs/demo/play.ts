import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setLimits } from "../../engine/opening/limits.ts";
import { openAndLook } from "../../engine/opening/open-loop.ts";
import type { Check } from "../../core/criterion.ts";
import type { Loop } from "../../core/loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { rehearsalOf } from "../../engine/run/agent-choice.ts";
import { driveLoop } from "../../engine/run/drive.ts";
import type { RunNews } from "../../views/news/run-news.ts";
import { DEMO_SCRIPT } from "./demo-script.ts";
import { SAMPLE_FILES } from "./sample-project.ts";
import type { DemoStage } from "./stage.ts";
import { onStage } from "./stage.ts";

export const DEMO_SPEC =
  "Fix total() in src/cart.js: quantities and the discount (10% off orders of 100 or more) are ignored. All tests pass, no TODO is left.";

export const DEMO_CHECKS = [
  ["tests pass", "npm test --silent"],
  ["no TODO left", "test -e src && ! grep -rn TODO src"],
] as const;

interface Demo extends DemoStage {
  readonly tell: (news: RunNews) => void;
}

/**
 * Plays a whole loop on a sample project with real git, checks, engine and state. Only the agent is scripted, because a real
 * one would need a key.
 */
export async function playDemo(demo: Demo): Promise<Loop> {
  return onStage(demo, SAMPLE_FILES, async (machine, stage) => play(machine, stage, demo));
}

async function play(machine: Machine, stage: string, { cli, interrupts, tell }: Demo): Promise<Loop> {
  const script = join(stage, "script.json");
  writeFileSync(script, JSON.stringify(DEMO_SCRIPT));
  const loop = await openAndLook(machine, {
    kind: "plain",
    spec: DEMO_SPEC,
    criteria: DEMO_CHECKS.map(([name, line]) => ({ name, check: shellCheck(line) })),
    steps: [],
    mustNots: [],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: null,
    limits: setLimits({}, {}, null, { kind: "person" }),
    proof: "standard",
    mayChange: [],
    binding: null,
  });
  return driveLoop(machine, loop, {
    choice: rehearsalOf(script),
    cli,
    interrupts,
    person: null,
    tell,
  });
}

function shellCheck(line: string): Check {
  return { command: { kind: "shell", line }, timeoutMs: 30_000, passEnv: [] };
}
