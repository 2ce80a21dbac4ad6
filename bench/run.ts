import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setLimits } from "../src/engine/opening/limits.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { openLoop } from "../src/engine/opening/open-loop.ts";
import { topFrame } from "../src/core/loop/loop.ts";
import { rehearsalOf } from "../src/engine/run/agent-choice.ts";
import { driveLoop } from "../src/engine/run/drive.ts";
import { NO_INTERRUPTS } from "../src/engine/run/run-context.ts";
import type { RunNews } from "../src/views/news/news.ts";
import { median, node, write } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const ITERATIONS = Number(process.env["BENCH_ITERATIONS"] ?? 1_000);
const WINDOW = Math.max(1, Math.floor(ITERATIONS / 10));

/** The engine's own time per iteration (all but agent and checks) and its memory, at the beginning and the end of a long run. */
export async function benchRun(folder: string): Promise<void> {
  const { root, env } = createBenchProject(folder);
  const script = join(folder, "script.json");
  const turn = {
    do: [{ run: "date +%s%N > now.txt" }, { say: "Working on it, one unit at a time." }],
    say: "One more unit is done.",
    usd: 0.01,
    tokens: { input: 1_000, output: 100 },
  };
  writeFileSync(script, JSON.stringify({ repeat: true, turns: [turn] }));
  const machine = createMachine(env, root);
  const never = {
    command: { kind: "shell", line: "test -f never" },
    timeoutMs: 30_000,
    passEnv: [],
  } as const;
  const loop = await openLoop(machine, {
    kind: "plain",
    spec: "Go on until never",
    criteria: [{ name: "never", check: never }],
    steps: [],
    mustNots: [],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: "tool",
    limits: setLimits(
      { budgetUsd: null, iterations: ITERATIONS, stuck: 0, sameError: 0, sameFile: 0, noProgress: 0 },
      {},
      null,
    ),
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    binding: null,
  });
  const watch = stopwatch(() => node(["-e", "0"], { cwd: root, env }));
  await driveLoop(machine, loop, {
    choice: rehearsalOf(script),
    cli: resolve("dist/cli.js"),
    interrupts: NO_INTERRUPTS,
    person: null,
    tell: watch.tell,
  });
  tellFigures(watch);
}

interface Stopwatch {
  readonly tell: (news: RunNews) => void;
  /** Of each iteration, without its agent and its checks. */
  readonly times: readonly number[];
  /** After each iteration. */
  readonly heap: readonly number[];
  /** Of bare node after each of the last iterations: a busy machine is as slow for one as for the other. */
  readonly bare: readonly number[];
}

function stopwatch(runBareNode: () => void): Stopwatch {
  const times: number[] = [];
  const bare: number[] = [];
  const heap: number[] = [];
  let began = performance.now();
  let launched = began;
  let agentMs = 0;
  return {
    times,
    heap,
    bare,
    tell: (news) => {
      const now = performance.now();
      if (news.type === "launched") launched = now;
      if (news.type === "returned") agentMs = now - launched;
      if (news.type !== "judged") return;
      const checksMs = topFrame(news.loop).criteria.reduce(
        (sum, { evidence }) => sum + (evidence?.durationMs ?? 0),
        0,
      );
      times.push(now - began - agentMs - checksMs);
      globalThis.gc?.();
      heap.push(process.memoryUsage().heapUsed / 1e6);
      if (times.length > ITERATIONS - WINDOW) {
        const start = performance.now();
        runBareNode();
        bare.push(performance.now() - start);
      }
      began = performance.now();
    },
  };
}

function tellFigures({ times, heap, bare }: Stopwatch): void {
  const windows = (values: readonly number[]): readonly [number, number] => [
    median(values.slice(WINDOW, 2 * WINDOW)),
    median(values.slice(-WINDOW)),
  ];
  const [early, late] = windows(times);
  const [small, large] = windows(heap);
  const bareMs = median(bare);
  write(
    `\nA run of ${times.length.toLocaleString("en")} iterations: its last tenth over its second  (aim: both flat, ≤ 1.2)`,
  );
  write(
    `  engine's own time per iteration              ${(late / early).toFixed(2).padStart(7)}×  ${late.toFixed(2).padStart(9)} ms`,
  );
  write(
    `  the same over bare node                      ${(late / bareMs).toFixed(2).padStart(7)}×  ${bareMs.toFixed(2).padStart(9)} ms  (aim: ≤ 1.50)`,
  );
  write(
    `  heap in use after an iteration               ${(large / small).toFixed(2).padStart(7)}×  ${large.toFixed(2).padStart(9)} MB`,
  );
}
