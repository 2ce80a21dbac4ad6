import { spawn } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFailed, test } from "vitest";
import { effort } from "./support/effort.ts";
import { Sandbox } from "./support/sandbox.ts";
import { PATIENCE_MS } from "./support/patience.ts";

const CLI = resolve("dist/cli.js");
const TURNS = 4;
const MOMENTS = effort(5, 50);
/** Each project is killed this often before it may finish. */
const KILLS_EACH = 5;

/** Every turn adds a file of its own; the last one makes the check pass. Prices differ, so that a sum tells its parts. */
function script(): string {
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    do: [
      { say: `Turn ${index + 1}` },
      { run: "sleep 0.05 & sleep 0.05" },
      { write: `part-${index + 1}.txt`, text: `part ${index + 1}\n` },
      { wait: 60 },
    ],
    say: `Wrote part ${index + 1}.\n---LOOP_STATUS---\nEXIT_SIGNAL: ${index + 1 === TURNS}\n---END_STATUS---`,
    usd: 2 ** index / 100,
    tokens: { input: 100, output: 10 },
  }));
  // A player that printed its last turn may lose the reader before anybody kept it, and isn't asked for that turn again.
  const again = { say: "All is there.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---", usd: 0.005 };
  return JSON.stringify({ turns: [...turns, again] });
}

const WHOM = ["runner", "agent", "both"] as const;

interface Processes {
  readonly runner: readonly number[];
  readonly agents: readonly number[];
  readonly guardians: readonly number[];
}

/** What runs on behalf of this sandbox, by its home in the environment of each process. */
function processesOf(sandbox: Sandbox): Processes {
  const found = { runner: [] as number[], agents: [] as number[], guardians: [] as number[] };
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(`HOME=${sandbox.home}\0`)) continue;
      if (readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.startsWith("Z") === true) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0");
      if (command.includes("guardian")) found.guardians.push(pid);
      else if (command.includes("rehearse")) found.agents.push(pid);
      else if (command.includes("run") || command.includes("continue")) found.runner.push(pid);
      else found.agents.push(pid);
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

async function untilNoneLeft(sandbox: Sandbox): Promise<Processes> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = processesOf(sandbox);
    const count = left.runner.length + left.agents.length + left.guardians.length;
    if (count === 0 || performance.now() > deadline) return left;
    await sleep(25);
  }
}

interface Moment {
  readonly whom: (typeof WHOM)[number];
  readonly amidWork: boolean;
  readonly afterMs: number;
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function untilItDrives(sandbox: Sandbox, isOver: () => boolean): Promise<void> {
  const bytes = journalBytes(sandbox);
  while (!isOver() && journalBytes(sandbox) === bytes) await sleep(5);
}

function journalBytes(sandbox: Sandbox): number {
  try {
    const folder = join(sandbox.root, ".loop", "loops");
    return readdirSync(folder).reduce((sum, id) => sum + statSync(sandbox.journal(id)).size, 0);
  } catch {
    return 0;
  }
}

/** Runs a command of `loop` and kills it, its agent or both at a moment; tells how it ended. */
async function runAndKill(
  sandbox: Sandbox,
  args: readonly string[],
  moment: Moment | null,
): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: sandbox.root,
    env: sandbox.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  if (moment !== null) {
    // Most moments lie within the work; the rest anywhere, before it too.
    if (moment.amidWork) await untilItDrives(sandbox, () => child.exitCode !== null);
    await sleep(moment.afterMs);
    const found = processesOf(sandbox);
    if (moment.whom !== "runner") kill(found.agents);
    if (moment.whom !== "agent") kill(found.runner);
  }
  return { code: await ended, err };
}

/** What the attempts at the first iterations say that they cost, from what they printed. */
function costsOfAttempts(sandbox: Sandbox, id: string, iterations: number): number {
  const folder = join(sandbox.root, ".loop", "loops", id, "runs");
  let sum = 0;
  for (const turn of readdirSync(folder)) {
    const iteration = /^(\d+)-\d+$/.exec(turn)?.[1];
    if (iteration === undefined || Number(iteration) > iterations) continue;
    let text = "";
    try {
      text = readFileSync(join(folder, turn, "output.jsonl"), "utf8");
    } catch {
      continue; // it was killed before it said anything
    }
    const bills = text.split("\n").flatMap((line) => {
      try {
        const { usd } = JSON.parse(line) as { usd?: unknown };
        return typeof usd === "number" ? [usd] : [];
      } catch {
        return [];
      }
    });
    sum += bills.at(-1) ?? 0;
  }
  return sum;
}

describe.skipIf(process.platform !== "linux")("a run that is killed", () => {
  test.each(Array.from({ length: MOMENTS / KILLS_EACH }, (_, index) => [index]))(
    "at random moments, series %i: ends completed, with nothing counted twice and nothing left",
    { timeout: 3 * PATIENCE_MS },
    async (series) => {
      const seed = Number(process.env["LOOP_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
      const random = randomFrom(seed + series);
      onTestFailed(() => void process.stderr.write(`moments of LOOP_TEST_SEED=${seed}\n`));
      const sandbox = new Sandbox({ "README.md": "A project\n" });
      sandbox.commitAll();
      sandbox.write({ ".gitignore": "script.json\n", "script.json": script() });
      const first = [
        "run",
        "Write the parts",
        "-c",
        `parts=test -f part-${TURNS}.txt`,
        "--script",
        "script.json",
      ];
      const again = ["continue"];
      let args: readonly string[] = first;
      let isKilledAtItsEnd = false;
      for (let count = 0; count < KILLS_EACH; count += 1) {
        const whom = WHOM[(series + count) % WHOM.length] ?? "both";
        await runAndKill(sandbox, args, { whom, amidWork: random() < 0.8, afterMs: random() * 1_200 });
        const left = await untilNoneLeft(sandbox);
        expect(left).toEqual({ runner: [], agents: [], guardians: [] });
        const [view] = sandbox.status();
        if (view === undefined) continue; // killed before the loop was opened: begun again
        isKilledAtItsEnd = view.phase === "completed";
        if (isKilledAtItsEnd) break;
        args = again;
      }
      for (let attempt = 0; sandbox.status()[0]?.phase !== "completed" && attempt < 5; attempt += 1) {
        if (sandbox.status()[0] === undefined) args = first;
        await runAndKill(sandbox, args, null);
        args = again;
      }

      const view = sandbox.only();
      expect(view).toMatchObject({ phase: "completed", confidence: "verified" });
      for (let part = 1; part <= TURNS; part += 1)
        expect(sandbox.read(`part-${part}.txt`)).toBe(`part ${part}\n`);
      const rows = sandbox
        .read(".loop/iterations.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { iteration: number; cost: number });
      expect(rows.map((row) => row.iteration)).toEqual(rows.map((_, index) => index + 1));
      // A run that is killed between its last record and its last row leaves that row to nobody: no run comes after it.
      expect([rows.length, rows.length + 1]).toContain(view.iteration);
      expect(view.costUsd).toBeCloseTo(costsOfAttempts(sandbox, view.id, Infinity), 10);
      const cost = rows.reduce((sum, row) => sum + row.cost, 0);
      expect(cost).toBeCloseTo(costsOfAttempts(sandbox, view.id, rows.length), 10);
      const drafts = readdirSync(join(sandbox.root, ".loop"), { recursive: true, encoding: "utf8" });
      // The next run sweeps the draft of one that was killed; after the last one, none comes.
      const left = drafts.filter((name) => name.endsWith(".tmp"));
      expect(left.length).toBeLessThanOrEqual(isKilledAtItsEnd ? 1 : 0);
      expect(await untilNoneLeft(sandbox)).toEqual({ runner: [], agents: [], guardians: [] });
    },
  );
});
