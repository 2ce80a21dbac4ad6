import type { LoopEvent } from "../src/core/events/event.ts";
import { evolve } from "../src/core/events/evolve.ts";
import type { Loop } from "../src/core/loop/loop.ts";
import { inWaves } from "../src/core/plan/graph.ts";
import { schedule } from "../src/core/plan/schedule.ts";
import type { Facts } from "../src/core/plan/step.ts";
import { START, opening } from "../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  finished,
  mergeBegun,
  merged,
  planned,
  started,
} from "../test/support/workflow-builders.ts";
import { median, write } from "./measure.ts";

const SIZES = [100, 1_000, 10_000] as const;
const PARALLEL = 1_000;
const WAVE = 500;
const TOGETHER = 8;

const FACTS: Facts = {
  now: START,
  budgetUsd: null,
  spentUsd: 0,
  tokenLimit: null,
  spentTokens: 0,
  turnUsd: 0,
  areCapped: true,
  agents: ["codex"],
  overlap: () => false,
  isGit: true,
  underWay: new Set(),
};

/** What reading a plan's journal and one step of its scheduler cost as plans grow. */
export async function benchLargePlan(): Promise<void> {
  write(
    `\nLarge plans, ${PARALLEL} attempts at once: each task's share of the fold over that in a plan of ${SIZES[0]}`,
  );
  const unit = costOf(SIZES[0]).foldMs / SIZES[0];
  for (const size of SIZES) {
    const { foldMs, stepMs } = costOf(size);
    const share = (foldMs / size / unit).toFixed(2);
    write(
      `  ${size} tasks`.padEnd(20) +
        `${share}×  fold ${foldMs.toFixed(0)} ms, a step ${stepMs.toFixed(1)} ms`,
    );
  }
  write("  (aims at 10,000 tasks: fold ≤ 2,000 ms, a step ≤ 20 ms)");
}

function costOf(size: number): { readonly foldMs: number; readonly stepMs: number } {
  const events = journalOf(size);
  const halfway = foldOf(events.slice(0, Math.floor(events.length / 2))).workflow;
  if (halfway === null) throw new Error("a journal without its plan");
  const repeat = (count: number, work: () => unknown): number =>
    median(
      Array.from({ length: count }, () => {
        const start = performance.now();
        work();
        return performance.now() - start;
      }),
    );
  return { foldMs: repeat(3, () => foldOf(events)), stepMs: repeat(9, () => schedule(halfway, null, FACTS)) };
}

/** Wave by wave: each task is tried once, and merged with a few others. */
function journalOf(size: number): readonly LoopEvent[] {
  const idOf = (index: number): string => `T-${String(index + 1).padStart(5, "0")}`;
  const tasks = Array.from({ length: size }, (_, index) =>
    planned(idOf(index), index < WAVE ? [] : [idOf(index - WAVE)]),
  );
  let merges = 0;
  const mergesOf = (wave: readonly string[]): readonly LoopEvent[] =>
    wave.flatMap((_, from) => {
      if (from % TOGETHER > 0) return [];
      const batch = wave.slice(from, from + TOGETHER);
      merges += 1;
      return [mergeBegun(merges, ...batch), merged(merges, ...batch)];
    });
  const waves = inWaves(tasks).map((wave) => wave.map(({ id }) => id));
  return [
    opening({ binding: null, goal: { exitRule: "tasks", iterationLimit: null } }),
    adopted(tasks, { parallel: PARALLEL }),
    branchBegun,
    ...waves.flatMap((wave, index): readonly LoopEvent[] => [
      { type: "wave.begun", wave: index + 1 },
      ...wave.map((id, place) => started(id, 1, { slot: place + 1 })),
      ...wave.map((id) => finished(id)),
      ...mergesOf(wave),
      { type: "wave.ended", wave: index + 1 },
    ]),
  ];
}

function foldOf(events: readonly LoopEvent[]): Loop {
  let loop: Loop | null = null;
  for (const event of events) loop = evolve(loop, event, START);
  if (loop === null) throw new Error("a journal without an opening");
  return loop;
}
