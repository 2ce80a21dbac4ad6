import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../../src/core/loop/limits.ts";
import type { EventOf, LoopEvent, OpenedGoal } from "../../src/core/events/event.ts";
import { evolveAll } from "../../src/core/events/evolve.ts";
import type { LoopId } from "../../src/core/loop/id.ts";
import { parseLoopId } from "../../src/core/loop/id.ts";
import type { Loop } from "../../src/core/loop/loop.ts";
import { topFrame } from "../../src/core/loop/loop.ts";
import { scoreSpec } from "../../src/core/spec/score.ts";
import { createJournal, fileJournals } from "../../src/storage/journal/file/file-journals.ts";
import type { Cursor } from "../../src/storage/journal/journal.ts";
import { BEFORE_THE_FIRST, encodeRecord, sumOf } from "../../src/storage/journal/record.ts";
import type { Decided, LiveLoop } from "../../src/storage/loops/live-loop.ts";
import { openLiveLoop } from "../../src/storage/loops/live-loop.ts";
import type { Project } from "../../src/storage/home/project.ts";
import {
  createLoopFolder,
  createProjectFolder,
  loopFolder,
  projectAt,
} from "../../src/storage/home/project.ts";
import { writeProjections } from "../../src/storage/home/projections.ts";

/** What the tests of the journal and the programs that they spawn have in common. */
export const START = Date.parse("2026-01-02T03:04:05.000Z");

export const LOOP_ID = idOf("fix-the-tests-1abc");

export function idOf(text: string): LoopId {
  const id = parseLoopId(text);
  if (id === null) throw new Error(`not an id: ${text}`);
  return id;
}

export function goal(part: Partial<OpenedGoal> = {}): OpenedGoal {
  return {
    spec: "Fix the tests",
    exitRule: "criteria",
    mode: "loop",
    iterationLimit: null,
    criteria: [],
    steps: [],
    ...part,
  };
}

export function opening(
  part: Partial<OpenedGoal> = {},
  rest: Partial<EventOf<"loop.opened">> = {},
): EventOf<"loop.opened"> {
  const opened = goal(part);
  return {
    type: "loop.opened",
    id: LOOP_ID,
    by: "person",
    origin: "native",
    folder: "",
    goal: opened,
    score: scoreSpec("Fix the tests"),
    shape: "tool",
    limits: DEFAULT_LIMITS,
    mustNots: [],
    protects: [],
    protectedDigest: null,
    redFirst: false,
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    start: { tree: null, head: null },
    binding: null,
    attemptOf: null,
    ...rest,
  };
}

export interface Fixture {
  readonly project: Project;
  readonly journal: string;
  readonly id: LoopId;
  readonly remove: () => void;
}

/** A project in a folder of its own with one open loop, projections included. */
export function openFixture(opened: EventOf<"loop.opened"> = opening()): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-journal-")));
  const project = projectAt(root);
  createProjectFolder(project);
  createLoopFolder(project, opened.id);
  const journal = join(loopFolder(project, opened.id), "journal.jsonl");
  createJournal(journal, START, [opened]);
  // Those that a test reads are written at once.
  void writeProjections(project, evolveAll(null, [opened], START), 1);
  return {
    project,
    journal,
    id: opened.id,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The decision of a stop that holds: one more iteration. */
export function hold(loop: Loop): Decided<number> {
  const iteration = topFrame(loop).iteration + 1;
  return { events: [{ type: "iteration.held", iteration, sentFailure: null }], result: iteration };
}

/** A clock that goes on by a second with each look. */
export function clock(from = START): () => number {
  let now = from;
  return () => (now += 1_000);
}

/** A live loop, and what was known of it at a moment. */
export interface Standing {
  readonly loop: Loop;
  readonly cursor: Cursor;
  readonly damagedStateFile: string | null;
  readonly live: LiveLoop;
  readonly setClock: (now: () => number) => void;
}

export async function loadLoop(project: Project, id: LoopId): Promise<Standing> {
  let now = clock();
  const machine = {
    now: () => now(),
    env: {},
    journals: ({ folder }: Project) => fileJournals(join(folder, "loops")),
  };
  const live = await openLiveLoop(machine, project, id);
  return standingOf(live, (next) => {
    now = next;
  });
}

async function standingOf(live: LiveLoop, setClock: Standing["setClock"]): Promise<Standing> {
  const { damage } = await live.look();
  return { loop: live.loop, cursor: live.cursor, damagedStateFile: damage, live, setClock };
}

/** Appends what a decision makes of a loop, which is known as it was when it was loaded. */
export async function transact<Result>(
  { live, setClock }: Standing,
  now: () => number,
  decide: (loop: Loop) => Decided<Result> | Promise<Decided<Result>>,
): Promise<{ readonly result: Result; readonly standing: Standing }> {
  setClock(now);
  let result: Result | undefined;
  await live.record(async (loop) => {
    const decided = await decide(loop);
    result = decided.result;
    return decided.events;
  });
  return { result: result as Result, standing: await standingOf(live, setClock) };
}

export async function append(standing: Standing, ...events: readonly LoopEvent[]): Promise<Standing> {
  const outcome = await transact(standing, clock(standing.loop.updatedAt), () => ({
    events,
    result: undefined,
  }));
  return outcome.standing;
}

/** Appends so many iterations, and says where the loop stands then. */
export async function iterate(fixture: Fixture, times: number): Promise<Standing> {
  let standing = await loadLoop(fixture.project, fixture.id);
  for (let each = 0; each < times; each += 1) {
    standing = (await transact(standing, clock(standing.loop.updatedAt), hold)).standing;
  }
  return standing;
}

/** The lines of a journal, without their ends. */
export function linesOf(journal: string): string[] {
  return readFileSync(journal, "utf8").split("\n").slice(0, -1);
}

/** Gives a line that was tampered with the sum that fits it. */
export function withRightSum(line: string): string {
  const body = line.replace(/,"sum":"[0-9a-f]{16}"\}$/, "");
  return `${body},"sum":"${sumOf(body)}"}`;
}

/** Writes a whole journal at once, each list of events as one record, without a sync for each. */
export function writeChain(journal: string, decisions: readonly (readonly LoopEvent[])[]): Cursor[] {
  const lines: string[] = [];
  const cursors: Cursor[] = [];
  let last: { readonly seq: number; readonly sum: string } = BEFORE_THE_FIRST;
  let start = 0;
  for (const events of decisions) {
    const { line, sum } = encodeRecord(last, START + last.seq * 1_000, "chain", events);
    last = { seq: last.seq + 1, sum };
    cursors.push({ ...last, start });
    lines.push(`${line}\n`);
    start += Buffer.byteLength(line) + 1;
  }
  writeFileSync(journal, lines.join(""));
  return cursors;
}

export function held(iteration: number, sentFailure: string | null = null): LoopEvent {
  return { type: "iteration.held", iteration, sentFailure };
}
