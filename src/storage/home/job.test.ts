import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import type { LoopId } from "../../core/loop/id.ts";
import { announceChecks, Jobs, runningSince, type JobKind } from "./job.ts";
import { approvalFolder, type LocalLoop } from "./approval-record.ts";

const NAMED = v.object({ names: v.array(v.string()) });

const COUNTING: JobKind<v.InferOutput<typeof NAMED>, Date> = {
  command: "judge",
  folder: "judging",
  asked: NAMED,
  result: v.pipe(
    v.number(),
    v.transform((at) => new Date(at)),
  ),
  store: (date) => date.getTime(),
  storedEarlier: ({ proven }) => proven,
  isAwaited: true,
  nothingPending: "Nothing.",
};

const SETTLING: typeof COUNTING = { ...COUNTING, command: "settle" };
const UNAWAITED: typeof COUNTING = { ...COUNTING, isAwaited: false };

function somewhere(): LocalLoop {
  const home = mkdtempSync(join(tmpdir(), "job-"));
  return { home, root: "/project", loop: "a-loop-1" as LoopId };
}

function issued<Asked, Result>(jobs: Jobs<Asked, Result>, asked: Asked): ReturnType<typeof jobs.issue> {
  return jobs.issue({ startedAt: 1_000, expiresAt: 2_000, asked });
}

test("a job is found with its typed result once it reported, and nothing replaces that", () => {
  const jobs = new Jobs(somewhere(), COUNTING);
  const job = issued(jobs, { names: ["a"] });
  expect(jobs.find()).toEqual({ ...job, pid: null, result: null });

  const begun = jobs.begin(job);
  expect(jobs.isRunning(begun, 1_500)).toBe(true);
  expect(jobs.isRunning(begun, 2_000)).toBe(false);
  jobs.report(begun, new Date(5));
  jobs.report(begun, new Date(6));
  expect(jobs.read(job.token)).toMatchObject({ pid: process.pid, result: new Date(5) });

  jobs.drop();
  expect(jobs.find()).toBeNull();
  jobs.report(begun, new Date(7));
  expect(jobs.find()).toBeNull();
});

test("of several jobs the last one counts, and none of another kind", () => {
  const local = somewhere();
  const jobs = new Jobs(local, COUNTING);
  issued(jobs, { names: ["old"] });
  jobs.issue({ startedAt: 3_000, expiresAt: 4_000, asked: { names: ["new"] } });
  expect(jobs.find()?.asked).toEqual({ names: ["new"] });
  expect(new Jobs(local, SETTLING).find()).toBeNull();
});

test("a job that nobody waits for leaves no token once it began", () => {
  const jobs = new Jobs(somewhere(), UNAWAITED);
  jobs.begin(issued(jobs, { names: [] }));
  expect(jobs.find()).toBeNull();
});

test.each(["../../x", "", "0".repeat(31), "g".repeat(32)])("%j is not a token", (token) => {
  expect(new Jobs(somewhere(), COUNTING).read(token)).toBeNull();
});

test("the process of a job that was killed is known to be gone", () => {
  const local = somewhere();
  const jobs = new Jobs(local, COUNTING);
  const begun = jobs.begin(issued(jobs, { names: [] }));
  const folder = join(approvalFolder(local), "judging");
  const path = join(folder, readdirSync(folder)[0] ?? "");
  const stored = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...stored, pid: 2 ** 22 + 1 }));
  const job = jobs.read(begun.token);
  expect(job !== null && jobs.isRunning(job, 1_500)).toBe(false);
});

const TOKEN = "ab".repeat(16);

function writeEarlier(local: LocalLoop, token: object): void {
  mkdirSync(join(approvalFolder(local), "judging"), { recursive: true });
  writeFileSync(join(approvalFolder(local), "judging", `${TOKEN}.json`), JSON.stringify(token));
}

test.each([COUNTING, SETTLING])("a token that an earlier version left is read: %j", (kind) => {
  const local = somewhere();
  const jobs = new Jobs(local, kind);
  const left = { startedAt: 1_000, expiresAt: 2_000, names: ["a"] };
  writeEarlier(local, { ...left, shown: null, proven: null });
  const asked = { names: ["a"] };
  expect(jobs.find()).toMatchObject({ token: TOKEN, asked, pid: null, result: null });

  const conceal = announceChecks(local, { startedAt: 1_000, expiresAt: 9_000 });
  const running = jobs.find();
  expect(running !== null && jobs.isRunning(running, 5_000)).toBe(true);
  expect(runningSince(local, 5_000)).toBe(1_000);
  conceal();
  expect(runningSince(local, 5_000)).toBeNull();

  writeEarlier(local, { ...left, shown: [], proven: 7 });
  expect(jobs.find()).toMatchObject({ asked, result: new Date(7) });
  jobs.drop();
  expect(jobs.find()).toBeNull();
});

test("a token that nobody understands is no job, and is dropped with the others", () => {
  const local = somewhere();
  const jobs = new Jobs(local, COUNTING);
  for (const token of [{}, { kind: "judge" }, { tree: "t", expiresAt: 1, name: null }]) {
    writeEarlier(local, token);
    expect(jobs.find()).toBeNull();
  }
  jobs.drop();
  expect(readdirSync(join(approvalFolder(local), "judging"))).toEqual([]);
});
