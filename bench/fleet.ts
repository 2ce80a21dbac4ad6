import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_LIMITS } from "../src/core/loop/limits.ts";
import { createLoopId } from "../src/core/loop/id.ts";
import { remainingPaths } from "../src/core/plan/graph.ts";
import type { WorkerNews } from "../src/engine/fleet/worker-options.ts";
import type { AttemptEnvelope, Executor } from "../src/engine/plan/executor.ts";
import { canLoadEngine } from "../src/programs/cli/fleet/open-engine.ts";
import { hasPostgres, startPrivatePostgres } from "../src/programs/demo/private-postgres.ts";
import type { PlannedTask } from "../src/core/plan/plan.ts";
import { playDriver, playWorker } from "../test/support/fleet-stage.ts";
import { playedExecutor, type PlayedPlace } from "../test/support/played-executor.ts";
import { planned } from "../test/support/workflow-builders.ts";
import { chance, smooth } from "../test/support/workflow-scenario.ts";
import { play } from "./makespan.ts";
import { median, report, write } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const FILES = 1_000;
const ROUNDS = 9;
const HERE = "an attempt on this machine";
const THERE = "the same on a worker";
const BEGUN = "of that, until the worker has it";

/** What it costs to have an attempt made by a worker, through a real Postgres; and how well a large fleet is kept busy. */
export async function benchFleet(folder: string): Promise<void> {
  if (canLoadEngine() && hasPostgres(process.env)) await benchAttempts(folder);
  else write("\nA fleet's attempts: they need Node 22.12 and an installed Postgres");
  benchManyMachines();
}

async function benchAttempts(folder: string): Promise<void> {
  const { connectFleet, initFleet } = await import("../src/programs/fleet-engine/main.ts");
  const place = placeIn(folder);
  const postgres = await startPrivatePostgres(process.env);
  await initFleet(postgres.url);
  const engines = [await connectFleet(postgres.url), await connectFleet(postgres.url)] as const;
  let took: number | null = null;
  const tell = ({ type }: WorkerNews): void => void (type === "took" && (took = performance.now()));
  const worker = await playWorker(place, engines[0], "w1", { tell });
  const driver = await playDriver(place, engines[1], [worker]);
  const local = playedExecutor(place).executor;
  const times = new Map<string, number[]>([HERE, THERE, BEGUN].map((name) => [name, []]));
  const timed = async (name: string, executor: Executor, task: string): Promise<number> => {
    const envelope = envelopeOf(place, task);
    const from = performance.now();
    const { outcome } = await executor.runAttempt(envelope, NEVER);
    if (outcome.type !== "finished") throw new Error(`${task} ${JSON.stringify(outcome)}`);
    times.get(name)?.push(performance.now() - from);
    return from;
  };
  // The first of each fills caches.
  for (let round = -1; round < ROUNDS; round += 1) {
    await timed(HERE, local, `L-${round + 2}`);
    const from = await timed(THERE, driver, `F-${round + 2}`);
    times.get(BEGUN)?.push((took ?? Number.NaN) - from);
    if (round < 0) for (const all of times.values()) all.length = 0;
  }
  worker.now.abort();
  await Promise.all([worker.done, driver.close()]);
  for (const engine of engines) await engine.close();
  await postgres.end();
  const figures = new Map([...times].map(([name, all]) => [name, median(all)]));
  figures.set("what the way there and back adds", (figures.get(THERE) ?? 0) - (figures.get(HERE) ?? 0));
  report(`Attempts in a repository of ${FILES} files, by way of Postgres`, figures, HERE, {
    [BEGUN]: "≤ 1,000 ms",
    "what the way there and back adds": "≤ 1,500 ms",
  });
}

const NEVER = {
  signal: new AbortController().signal,
  soon: new AbortController().signal,
  tell: () => undefined,
  waitsUntil: () => null,
};

function placeIn(folder: string): PlayedPlace {
  const { root, env } = createBenchProject(folder);
  for (let each = 0; each < FILES; each += 1) {
    const path = join(root, `module-${each % 50}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, `file-${each}.txt`), `${each}\n`.repeat(40));
  }
  const identity = ["-c", "user.name=b", "-c", "user.email=b@example.invalid"];
  for (const args of [
    ["add", "-A"],
    [...identity, "commit", "-qm", "all"],
  ])
    if (spawnSync("git", args, { cwd: root, env }).status !== 0) throw new Error("git can't commit");
  const scripts = join(folder, "scripts");
  mkdirSync(scripts);
  return { root, env, cli: resolve("dist/cli.js"), scripts, workflow: createLoopId("A plan", "1abc") };
}

/** A task that is done at once. */
function envelopeOf({ root, scripts, workflow, ...place }: PlayedPlace, task: string): AttemptEnvelope {
  const turn = { do: [{ write: `${task}.txt`, text: "done\n" }], say: "<loop-complete>", usd: 0.01 };
  writeFileSync(join(scripts, `${task}.json`), JSON.stringify({ turns: [turn] }));
  const base = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim();
  const { workspace } = playedExecutor({ root, scripts, workflow, ...place });
  const check = {
    command: { kind: "shell", line: `test -f ${task}.txt` },
    timeoutMs: 20_000,
    passEnv: [],
  } as const;
  return {
    version: 1,
    key: `${workflow}/${task}/1`,
    ...{ workflow, task, number: 1, loop: createLoopId(task, "2def"), base, carry: null },
    worktree: workspace.pathOf(task, 1),
    ...{ folder: "", slot: 1, agent: "rehearsal", spec: `${task}: Write its file` },
    criteria: [{ name: task, check }],
    ...{ mustNots: [], protects: [], mayChange: [], proof: "standard", proofBudgetMs: null },
    limits: { ...DEFAULT_LIMITS, sameError: 1 },
    ...{ turnUsd: 0, iterationLimit: 5, mayBeDone: false, recall: null },
  };
}

const TASKS = 10_000;
const WIDTH = 2_500;
const MACHINES = 100;
const SLOTS = 10;
/** Attempts end at full ten seconds: so fewer steps have to be played, and what is lost by that counts. */
const TICK_MS = 10_000;
/** As measured above, and more: until a worker has a job, and until its driver has the result. */
const WAY_MS = 1_500;

/** Nothing of it waits for a clock: a plan of hours takes minutes. */
function benchManyMachines(): void {
  write(
    `\n${TASKS} tasks in ${TASKS / WIDTH} levels, ${MACHINES} simulated machines with ${SLOTS} slots: time over the least possible`,
  );
  const tasks = wideTasks();
  const slots = MACHINES * SLOTS;
  const work = tasks.reduce((sum, { id }) => sum + lengthOf(id), 0);
  const longest = Math.max(...remainingPaths(tasks, ({ id }) => lengthOf(id)).values());
  const least = Math.max(longest, work / slots);
  for (const [name, checkMs, aim] of [
    ["merges take no time", 0, "  (aim: ≤ 1.05)"],
    ["the checks of each merge take ten seconds", 10_000, ""],
  ] as const) {
    const attempt = (task: string): ReturnType<Parameters<typeof smooth>[1]["attempt"]> => ({
      ms: Math.ceil((lengthOf(task) + WAY_MS) / TICK_MS) * TICK_MS,
      turnsUsd: [],
      setback: null,
    });
    const from = performance.now();
    const ms = play(smooth(tasks, { parallel: slots, checkMs, attempt }));
    write(
      `  ${name.padEnd(44)} ${(ms / least).toFixed(3).padStart(7)}×  ${(ms / 60_000).toFixed(1)} min of ${(least / 60_000).toFixed(1)}, played in ${((performance.now() - from) / 1_000).toFixed(0)} s${aim}`,
    );
  }
}

function lengthOf(task: string): number {
  return Math.round(60_000 * 30 ** chance(1, "length", task));
}

function wideTasks(): readonly PlannedTask[] {
  const idOf = (index: number): string => `T-${String(index + 1).padStart(5, "0")}`;
  return Array.from({ length: TASKS }, (_, index) => {
    const level = Math.floor(index / WIDTH);
    const count = level === 0 ? 0 : Math.floor(chance(1, "blockers", index) * 4);
    const blockers = Array.from({ length: count }, (_each, which) =>
      idOf(Math.floor((level - 1 + chance(1, "back", index, which)) * WIDTH)),
    );
    return { ...planned(idOf(index), [...new Set(blockers)]), estimateMs: lengthOf(idOf(index)) };
  });
}
