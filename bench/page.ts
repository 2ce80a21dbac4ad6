/// <reference lib="dom" />
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import { layoutOf } from "../src/programs/dashboard/page/plan/layout.ts";
import { createApproval } from "../src/storage/home/approval-record.ts";
import { createProjectFolder, loopFolder, projectAt, rememberProject } from "../src/storage/home/project.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { decodeRecord, encodeRecord } from "../src/storage/journal/record.ts";
import type { WorkflowTask } from "../src/views/plan.ts";
import { write } from "./measure.ts";
import { openingOf } from "./opening.ts";
import { createBenchProject } from "./project.ts";

const CLI = resolve("dist/cli.js");
const LOOPS = 1_000;
const TASKS = 500;

/** The dashboard with a thousand loops in an installed Chromium, and the layout of a large plan. */
export async function benchPage(folder: string): Promise<void> {
  write("\nThe dashboard");
  layOut();
  const { root, env, home } = createBenchProject(folder);
  const journals = makeLoops(root, home);
  const server = spawn(process.execPath, [...PROBED, CLI, "dashboard", "--no-open"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    const link = await linkOf(server.stdout);
    const page = await browser.newPage();
    await page.goto(link);
    await page.waitForFunction(
      (most) =>
        document.querySelector(".head .n")?.textContent === String(most) ||
        document.body.innerText.includes("more"),
      LOOPS,
    );
    const pid = server.pid ?? 0;
    await firstRows(page, new URL(link).origin);
    await freshness(page, journals[0] ?? "");
    const idle = cpuOf(pid);
    await sleep(10_000);
    row("idle, of one core, with 1,000 loops and a page open", (cpuOf(pid) - idle) / 10_000, "≤ 0.01");
    await busy(server, [...placeBusyPlan(root, home), ...journals.slice(0, 20)]);
  } finally {
    await browser.close();
    server.kill("SIGINT");
  }
}

function row(name: string, value: number, wanted: string): void {
  write(`  ${name.padEnd(62)} ${value.toFixed(value < 1 ? 4 : value < 10 ? 2 : 1).padStart(10)}   ${wanted}`);
}

function layOut(): void {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({
    id: `T-${index}`,
    wave: 1 + Math.floor(index / 25),
    state: index < 200 ? "done" : "blocked",
    blockedBy: index < 25 ? [] : [`T-${index - 25}`, `T-${index - 24}`],
  })) as unknown as readonly WorkflowTask[];
  const from = performance.now();
  layoutOf(tasks);
  row("500 tasks laid out, in ms", performance.now() - from, "≤ 50");
}

/** Trusted loops of this machine: every tenth is paused, the others are done. */
function makeLoops(root: string, home: string): readonly string[] {
  const project = projectAt(root);
  createProjectFolder(project);
  rememberProject(home, root, Date.now());
  return Array.from({ length: LOOPS }, (_, index) => {
    const opening = openingOf(`loop-number-${index}`);
    mkdirSync(loopFolder(project, opening.id));
    const path = join(loopFolder(project, opening.id), "journal.jsonl");
    const end: LoopEvent =
      index % 10 === 0
        ? {
            type: "loop.paused",
            reason: "same-error",
            detail: "the same error 3 times in a row",
            by: "machine",
          }
        : {
            type: "loop.completed",
            confidence: index % 3 === 0 ? "weak" : "verified",
            why: [],
            changed: null,
          };
    let position = { seq: 0, sum: "" };
    const lines = [[opening], [{ type: "cost.charged", usd: 0.2, tokens: 1, priced: true }], [end]].map(
      (events) => {
        const { line, sum } = encodeRecord(
          position,
          Date.now() - index * 60_000,
          "bench",
          events as readonly LoopEvent[],
        );
        position = { seq: position.seq + 1, sum };
        return `${line}\n`;
      },
    );
    writeFileSync(path, lines.join(""));
    last.set(path, position);
    createApproval(home, evolveAll(null, [opening], Date.now()), {
      root,
      worktree: null,
      protectedFiles: {},
      mustNotFiles: {},
    });
    return path;
  });
}

const RECORDED = resolve("e2e/recordings/night/ledger");

/** A recorded plan as it was while its last attempt was at work. Returns the journals that such a plan writes to. */
function placeBusyPlan(root: string, home: string): readonly string[] {
  const project = projectAt(root);
  const journals = readdirSync(RECORDED).map((file) => {
    const lines = readFileSync(join(RECORDED, file), "utf8").trimEnd().split("\n");
    return lines.map((line) => ({ line, record: decodeRecord(Buffer.from(line))?.record }));
  });
  const upTo = (lines: (typeof journals)[number], type: LoopEvent["type"]): number =>
    lines.findLastIndex(({ record }) => record?.events.some((event) => event.type === type) === true);
  const plan = journals.find((lines) => upTo(lines, "attempt.started") !== -1) ?? [];
  const started = plan[upTo(plan, "attempt.started")]?.record?.events.find(
    (event) => event.type === "attempt.started",
  );
  return journals.flatMap((lines) => {
    const [opening] = lines[0]?.record?.events ?? [];
    if (opening?.type !== "loop.opened") return [];
    const isAtWork = opening.id === started?.loop;
    const isPlan = lines === plan;
    const end = isPlan ? upTo(lines, "attempt.started") : isAtWork ? upTo(lines, "turn.launched") : -1;
    const kept = end === -1 ? lines : lines.slice(0, end + 1);
    const path = join(loopFolder(project, opening.id), "journal.jsonl");
    mkdirSync(loopFolder(project, opening.id));
    writeFileSync(path, kept.map(({ line }) => `${line}\n`).join(""));
    last.set(path, { seq: kept.length, sum: kept.at(-1)?.record?.sum ?? "" });
    const { loop } = loadJournal(path);
    createApproval(home, loop, { root, worktree: null, protectedFiles: {}, mustNotFiles: {} });
    return isPlan || isAtWork ? [path] : [];
  });
}

const last = new Map<string, { seq: number; sum: string }>();

function append(path: string, event: LoopEvent): void {
  const { line, sum } = encodeRecord(last.get(path) ?? { seq: 0, sum: "" }, Date.now(), "bench", [event]);
  last.set(path, { seq: (last.get(path)?.seq ?? 0) + 1, sum });
  appendFileSync(path, `${line}\n`);
}

async function linkOf(stdout: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    const [link] = /http:\S+#code=\S+/.exec(text) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error("the dashboard did not start");
}

/** From the request for the page to the first rows, as the browser paints them. */
async function firstRows(page: Page, origin: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await page.goto("about:blank");
    await page.goto(origin, { waitUntil: "commit" });
    await page.waitForSelector(".row");
    times.push(await page.evaluate<number>("performance.now()"));
  }
  row("first rows of 1,000 loops, in ms", median(times), "≤ 300");
}

/** From the append of a record to its words on screen. */
async function freshness(page: Page, path: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const text = `record ${round} of the bench`;
    const from = performance.now();
    append(path, {
      type: "loop.continued",
      addedUsd: null,
      addedIterations: null,
      addedTokens: null,
      addedMinutes: null,
      by: "person",
    });
    append(path, { type: "loop.paused", reason: "blocked", detail: text, by: "machine" });
    await page.waitForSelector(`text=${text}`);
    times.push(performance.now() - from);
    await sleep(150);
  }
  row("a record on screen after its append, in s", median(times) / 1_000, "≤ 1.5");
}

/** Collects garbage and says what is left, when it is asked to. */
const PROBED = [
  "--expose-gc",
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    process.on("message", () => {
      gc();
      gc();
      const { heapUsed, external } = process.memoryUsage();
      process.send({ usedMb: (heapUsed + external) / 1048576 });
    });
    process.channel.unref();
  `)}`,
];

/** The seconds in which the hour is written. LOOP_BENCH_HOUR=3600 is a real one. */
const HOUR = Number(process.env["LOOP_BENCH_HOUR"] ?? 60);
const RECORDS = 240;

/** What a plan and twenty loops write in a busy hour. */
async function busy(server: ChildProcess, paths: readonly string[]): Promise<void> {
  const write = async (records: number): Promise<void> => {
    for (let tick = 0; tick < records; tick += 1)
      for (const path of paths) {
        append(path, { type: "cost.charged", usd: 0.001, tokens: 1, priced: true });
        await sleep((HOUR * 1_000) / RECORDS / paths.length);
      }
  };
  await write(RECORDS / 60);
  const early = await residentMbLately(server);
  await write(RECORDS);
  const late = await residentMbLately(server);
  row("memory after a busy hour over after a minute, resident", late / early, "≤ 1.1");
  row("memory of the server, in MB", late, "≤ 120");
  const { usedMb, collectedMb } = await collectedMemoryOf(server);
  row("the same, after garbage was collected", collectedMb, "");
  row("of which is in use by the program", usedMb, "");
}

/** Garbage comes and goes, so one look says little. */
async function residentMbLately({ pid = 0 }: ChildProcess): Promise<number> {
  const seen: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    seen.push(residentMbOf(pid));
    await sleep(1_000);
  }
  return median(seen);
}

async function collectedMemoryOf(
  server: ChildProcess,
): Promise<{ readonly usedMb: number; readonly collectedMb: number }> {
  server.send("collect");
  const [{ usedMb }] = (await once(server, "message")) as [{ readonly usedMb: number }];
  return { usedMb, collectedMb: residentMbOf(server.pid ?? 0) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** In milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
