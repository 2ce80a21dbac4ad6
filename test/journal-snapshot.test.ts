import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VERIFICATION_TYPES } from "../src/core/loop/criterion.ts";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import { ImpossibleEvent } from "../src/core/events/event.ts";
import type { Loop } from "../src/core/loop/loop.ts";
import { PAUSE_REASONS, SHAPES, TASK_STATUSES, topFrame } from "../src/core/loop/loop.ts";
import { appendRecord } from "../src/storage/journal/file/append.ts";
import { fileJournals } from "../src/storage/journal/file/file-journals.ts";
import type * as Read from "../src/storage/journal/file/read.ts";
import { loadJournal, takeSnapshot } from "../src/storage/journal/file/load.ts";
import type { Cursor, EachRecord } from "../src/storage/journal/journal.ts";
import { sumOf } from "../src/storage/journal/record.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import {
  START,
  goal,
  held,
  idOf,
  iterate,
  openFixture,
  opening,
  writeChain,
} from "./programs/journal-fixture.ts";
import { effort } from "./support/effort.ts";

/** How many records were decoded and counted. */
const reading = vi.hoisted(() => ({ records: 0 }));
vi.mock("../src/storage/journal/file/read.ts", async (importOriginal) => {
  const read = await importOriginal<typeof Read>();
  return {
    ...read,
    readJournal: (path: string, cursor: Cursor, each: EachRecord) =>
      read.readJournal(path, cursor, (record, at) => {
        reading.records += 1;
        each(record, at);
      }),
  };
});

let fixture: Fixture;
let snapshot: string;
beforeEach(() => {
  fixture = openFixture();
  snapshot = join(dirname(fixture.journal), "snapshot.json");
});
afterEach(() => fixture.remove());

/** Loads, and says how many records were read for it. */
function load(options: { readonly fromScratch?: boolean } = {}) {
  reading.records = 0;
  const loaded = loadJournal(fixture.journal, options);
  return { ...loaded, records: reading.records };
}

function iterations(count: number): LoopEvent[][] {
  return [[opening()], ...Array.from({ length: count - 1 }, (_, index) => [held(index + 1)])];
}

const NAMES = ["a", "tests pass", 'né 🙂\n"x"', "__proto__", "constructor"] as const;
const name = fc.constantFrom(...NAMES);
const by = fc.constantFrom("person" as const, "agent" as const, "machine" as const);
const source = fc.constantFrom(
  "command" as const,
  "status-block" as const,
  "state-file" as const,
  "marker" as const,
);
const note = fc.option(fc.string({ unit: "binary", maxLength: 20 }));
const check = fc.option(
  fc.record({
    command: fc.oneof(
      fc.record({ kind: fc.constant("shell" as const), line: fc.string() }),
      fc.record({ kind: fc.constant("argv" as const), argv: fc.tuple(fc.string(), fc.string()) }),
    ),
    timeoutMs: fc.nat(),
    passEnv: fc.array(fc.string()),
  }),
);
const evidence = fc.record({
  passed: fc.boolean(),
  command: fc.string(),
  exitCode: fc.option(fc.nat(255)),
  ending: fc.string(),
  outputTail: fc.string({ unit: "binary" }),
  outputDigest: fc.string(),
  outputFile: fc.constant(null),
  treeDigest: fc.option(fc.string()),
  protectedDigest: fc.constant(null),
  durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  alteredTree: fc.boolean(),
  withheld: fc.array(fc.string()),
  at: fc.nat(),
});
const count = fc.nat(1_000);

/** Everything that can happen to a loop; what cannot happen where it comes is left out. */
const anyEvent: fc.Arbitrary<LoopEvent> = fc.oneof(
  fc.record({ type: fc.constant("turn.started" as const) }),
  fc.record({ type: fc.constant("wait.began" as const), what: fc.string() }),
  fc.record({ type: fc.constant("criterion.added" as const), name, check, by }),
  fc.record({ type: fc.constant("criterion.amended" as const), name, check, by }),
  fc.record({ type: fc.constant("criterion.removed" as const), name, by }),
  fc.record({
    type: fc.constant("criterion.attested" as const),
    name,
    by: fc.constantFrom(...VERIFICATION_TYPES),
    actor: by,
    note,
    source,
  }),
  fc.record({ type: fc.constant("criterion.disclaimed" as const), name, source }),
  fc.record({ type: fc.constant("check.ran" as const), name, evidence, atStart: fc.boolean() }),
  fc.record({ type: fc.constant("step.added" as const), name }),
  fc.record({ type: fc.constant("step.finished" as const), name, source }),
  fc.record({ type: fc.constant("step.reopened" as const), name }),
  fc.record({ type: fc.constant("step.removed" as const), name }),
  fc.record({
    type: fc.constant("task.recorded" as const),
    task: fc.record({
      id: name,
      subject: fc.string(),
      status: fc.constantFrom(...TASK_STATUSES),
      blockedBy: fc.array(name),
      wave: fc.option(count),
      attempts: count,
    }),
  }),
  fc.record({ type: fc.constant("task.dropped" as const), id: name }),
  fc.record({ type: fc.constant("exit.signalled" as const), source }),
  fc.record({ type: fc.constant("exit.withdrawn" as const), source }),
  fc.record({
    type: fc.constant("shape.changed" as const),
    shape: fc.constantFrom(...SHAPES),
    by: fc.constant("person" as const),
  }),
  fc.record({ type: fc.constant("protection.approved" as const), digest: fc.string() }),
  fc.record({
    type: fc.constant("cost.charged" as const),
    usd: fc.double({ min: 0, max: 10, noNaN: true }),
    tokens: count,
    priced: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("breakers.counted" as const),
    breakers: fc.record({
      stuck: fc.record({ lastUnmet: note, count }),
      sameError: fc.record({ signature: note, count }),
      noProgress: fc.record({ fingerprint: note, count }),
    }),
  }),
  fc.record({ type: fc.constant("iteration.held" as const), iteration: fc.constant(-1), sentFailure: note }),
  fc.record({ type: fc.constant("iteration.handed-back" as const), iteration: fc.constant(-1) }),
  fc.record({ type: fc.constant("loosening.refused" as const), what: fc.string() }),
  fc.record({
    type: fc.constant("loop.paused" as const),
    reason: fc.constantFrom(...PAUSE_REASONS),
    detail: note,
    by,
  }),
  fc.record({
    type: fc.constant("loop.continued" as const),
    addedUsd: fc.option(count),
    addedIterations: fc.option(count),
    addedTokens: fc.constant(null),
    addedMinutes: fc.constant(null),
    by,
  }),
  fc.record({ type: fc.constant("frame.pushed" as const), goal: fc.constant(goal({ steps: ["a"] })), by }),
  fc.record({ type: fc.constant("frame.popped" as const), outcome: fc.constant("satisfied" as const) }),
);

/** The next event of a loop, with the counter that fits it; null when it cannot come next. */
function fitting(loop: Loop, event: LoopEvent, at: number): { event: LoopEvent; loop: Loop } | null {
  const iteration = topFrame(loop).iteration + 1;
  const fitted = "iteration" in event ? { ...event, iteration } : event;
  try {
    return { event: fitted, loop: evolveAll(loop, [fitted], at) };
  } catch (error) {
    if (error instanceof ImpossibleEvent) return null;
    throw error;
  }
}

/** With the sum that fits it: only the journal can tell that it is wrong. */
function writeSnapshot(
  changed: (snapshot: { cursor: Cursor; loop: unknown }) => unknown,
  format: unknown = 1,
): void {
  const { snapshot: found } = JSON.parse(readFileSync(snapshot, "utf8")) as {
    snapshot: { cursor: Cursor; loop: unknown };
  };
  const made = changed(found);
  writeFileSync(snapshot, JSON.stringify({ format, sum: sumOf(JSON.stringify(made) ?? ""), snapshot: made }));
}

describe("a snapshot", () => {
  it("gives the same loop as the whole journal, whatever happened", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), {
          minLength: 200,
          maxLength: 260,
          size: "max",
        }),
        (decisions) => {
          let loop = evolveAll(null, [opening({ iterationLimit: 10 })], START);
          const possible: LoopEvent[][] = [[opening({ iterationLimit: 10 })]];
          const states: Loop[] = [loop];
          for (const decision of decisions) {
            const events: LoopEvent[] = [];
            const at = START + possible.length * 1_000;
            for (const each of structuredClone(decision)) {
              const next = fitting(loop, each, at);
              if (next === null) continue;
              events.push(next.event);
              loop = next.loop;
            }
            if (events.length === 0) continue;
            possible.push(events);
            states.push(loop);
          }
          fc.pre(possible.length > 128);
          const cursors = writeChain(fixture.journal, possible);
          takeSnapshot(fixture.journal, cursors[127] as Cursor, states[127] as Loop);
          const tail = load();
          expect(tail.records).toBe(possible.length - 128);
          const whole = load({ fromScratch: true });
          expect(whole.records).toBe(possible.length);
          expect(tail.loop).toStrictEqual(whole.loop);
          expect(tail.cursor).toStrictEqual(whole.cursor);
          expect(whole.loop).toStrictEqual(loop);
        },
      ),
      { numRuns: effort(10, 25, 25), endOnFailure: true },
    );
  });

  it("spares the reading of all but the tail of 10,000 records", () => {
    const cursors = writeChain(fixture.journal, iterations(10_000));
    expect(load().records).toBe(10_000); // which leaves a snapshot
    expect(load().records).toBe(0);
    let last = cursors[9_999] as Cursor;
    for (const iteration of [10_000, 10_001, 10_002]) {
      const appended = appendRecord(fixture.journal, last, START, [held(iteration)]);
      expect(appended.type).toBe("won");
      last = appended.cursor;
    }
    const tail = load();
    expect(tail.records).toBe(3);
    expect(topFrame(tail.loop).iteration).toBe(10_002);
    expect(load({ fromScratch: true })).toEqual({ ...tail, records: 10_003 });
  });

  it("is taken by writers on their way, so that no reader reads far", async () => {
    await iterate(fixture, 130);
    expect(load().records).toBe(131 - 128);
  });

  describe("that is not to be believed", () => {
    beforeEach(() => {
      writeChain(fixture.journal, iterations(300));
      load(); // which leaves a snapshot
      if (load().records !== 0) throw new Error("there is no snapshot to begin with");
    });

    it.each<[string, () => void]>([
      ["deleted", () => rmSync(snapshot)],
      ["empty", () => writeFileSync(snapshot, "")],
      ["cut short", () => writeFileSync(snapshot, readFileSync(snapshot).subarray(0, -10))],
      ["no JSON", () => writeFileSync(snapshot, "not JSON")],
      ["null", () => writeFileSync(snapshot, "null")],
      ["of zeros", () => writeFileSync(snapshot, Buffer.alloc(1_000))],
      [
        "edited",
        () =>
          writeFileSync(snapshot, readFileSync(snapshot, "utf8").replace('"iteration":299', '"iteration":2')),
      ],
      ["of another format", () => writeSnapshot((found) => found, 0)],
      ["of nothing", () => writeSnapshot(() => null)],
      ["without a loop", () => writeSnapshot(({ cursor }) => ({ cursor }))],
      ["with a loop that is none", () => writeSnapshot(({ cursor }) => ({ cursor, loop: "x" }))],
      ["without a cursor", () => writeSnapshot(({ loop }) => ({ loop }))],
      [
        "at a record of another sum",
        () => writeSnapshot(({ cursor, loop }) => ({ cursor: { ...cursor, sum: "0" }, loop })),
      ],
      [
        "before the first byte",
        () => writeSnapshot(({ cursor, loop }) => ({ cursor: { ...cursor, start: -5 }, loop })),
      ],
      [
        "within a record",
        () => writeSnapshot(({ cursor, loop }) => ({ cursor: { ...cursor, start: cursor.start - 7 }, loop })),
      ],
      [
        "behind the end",
        () => writeSnapshot(({ cursor, loop }) => ({ cursor: { ...cursor, start: 1e12 }, loop })),
      ],
      ["at no record", () => writeSnapshot(({ loop }) => ({ cursor: { seq: 0, sum: "", start: 0 }, loop }))],
    ])("is ignored when it is %s", (_name, act) => {
      act();
      const { loop, records } = load();
      expect(records).toBeGreaterThanOrEqual(300);
      expect(topFrame(loop).iteration).toBe(299);
    });

    it("is ignored when it is another loop's, longer or shorter", () => {
      const other = openFixture(opening({}, { id: idOf("another-loop-2def") }));
      try {
        for (const length of [280, 400]) {
          writeChain(other.journal, [
            [opening({}, { id: other.id })],
            ...Array.from({ length }, (_, index) => [held(index + 1)]),
          ]);
          rmSync(join(dirname(other.journal), "snapshot.json"), { force: true });
          loadJournal(other.journal);
          writeFileSync(snapshot, readFileSync(join(dirname(other.journal), "snapshot.json")));
          const { loop } = load();
          expect(loop.id).toBe(fixture.id);
          expect(topFrame(loop).iteration).toBe(299);
        }
      } finally {
        other.remove();
      }
    });

    it("is not read where the journal of a stranger is", () => {
      writeSnapshot(({ cursor, loop }) => ({
        cursor,
        loop: { ...(loop as Loop), mustNots: [], phase: "cancelled" },
      }));
      expect(load({ fromScratch: true }).loop.phase).toBe("active");
    });

    it("is replaced by a right one", () => {
      writeFileSync(snapshot, "damaged");
      expect(load().records).toBe(300);
      expect(load().records).toBe(0);
    });

    it("is forgotten, where nobody may have looked at it: all is read again", () => {
      load();
      fileJournals(dirname(dirname(fixture.journal)))
        .of(fixture.id)
        .forget();
      expect(existsSync(snapshot)).toBe(false);
      expect(load().records).toBe(300);
    });

    it("does not bring back a folder that was deleted", () => {
      const { loop, cursor } = load();
      fixture.remove();
      takeSnapshot(fixture.journal, { ...cursor, seq: 128 }, loop);
      expect(() => load()).toThrow("the journal is gone");
    });
  });
});
