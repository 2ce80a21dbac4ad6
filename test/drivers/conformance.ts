import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentEnding, Driver, Turn, TurnReport } from "../../src/agents/drivers/driver.ts";
import { effort } from "../support/effort.ts";
import { faultsOf, faultsOfGrowth, type Reading } from "./faults.ts";
import { hostileEnding } from "./hostile-endings.ts";
import { hostileStream, toldAgainWithZeros, twistedStreams } from "./hostile-lines.ts";
import { describeLaunch } from "./launch.ts";

/** What an agent printed in one turn, how its process ended, and what has to be read from that. */
export interface Specimen {
  /** Below `test/streams`. */
  readonly file: string;
  readonly turn?: Partial<ReadTurn>;
  readonly ending: AgentEnding;
  /** As much of the report as matters here. */
  readonly expect: { readonly [Field in keyof TurnReport]?: unknown };
  /** Numbers of lines after which the agent had said that it was done, and then went on all the same. */
  readonly falseEnds?: readonly number[];
}

export interface Candidate {
  readonly driver: Driver;
  readonly specimens: readonly Specimen[];
  /** What of a turn shows up in its launch, beside prompt and conversation. */
  readonly takes: readonly ("args" | "model" | "permissionMode" | "budgetUsd")[];
  /** A permission mode that this agent has. */
  readonly permissionMode?: string;
  /** It may print anything or nothing, and has finished all the same. */
  readonly plainText?: boolean;
}

type ReadTurn = Pick<Turn, "model" | "conversation" | "reportedUsd">;

/** When every stream of the tests is over. */
export const OVER_AT = Date.UTC(2026, 0, 5, 9);
export const EXIT_0: AgentEnding = { type: "exited", code: 0, stderr: "" };
export const EXIT_1: AgentEnding = { type: "exited", code: 1, stderr: "something broke\n" };
export const CUT_OFF: AgentEnding = { type: "cut-off", why: "it was stopped" };
export const KILLED: AgentEnding = { type: "signalled", signal: "SIGKILL", stderr: "" };

const NEW_TURN: ReadTurn = { model: null, conversation: null, reportedUsd: null };

/** Between the lines of a stream, these are nothing. */
const NOISE = ["", "(node:1) Warning: something", "{", '{"type":"nobody.knows","text":"x"}', "[1]", "null"];

/** Alone, they are no turn that went well. */
const GARBAGE = [
  "Everything is done!",
  '"Everything is done!"',
  '{"type":"nobody.knows","result":"Done!","text":"Done!","message":"Done!","content":"Done!"}',
  '{"type":"nobody.knows","subtype":"success","status":"success","session_id":"talk-1"}',
  '{"result":"Done!","message":{"content":[{"type":"text","text":"Done!"}]}}',
  '["Done!"]',
];

/** What every driver has to stand. */
/** Which of the wrong values are tried: a number that shares no factor with how many there are for a place. */
const EVERY = effort(7, 1);

export function describeDriver(name: string, candidate: Candidate): void {
  const { driver, specimens, plainText = false } = candidate;
  const streams = [...new Set(specimens.map(({ file }) => file))].map(linesOf);

  function read(lines: readonly string[], ending: AgentEnding, turn: Partial<ReadTurn> = {}): Reading {
    const reader = driver.readStream({ ...NEW_TURN, ...turn });
    const agentEvents = lines.flatMap((line) => reader.line(line));
    return { agentEvents, report: reader.end(ending, OVER_AT) };
  }

  describe(`${name} reads`, () => {
    describe.each(specimens)(
      "$file ($ending.type)",
      ({ file, ending, turn, expect: expected, falseEnds = [] }) => {
        const lines = linesOf(file);
        const parts = Array.from({ length: lines.length + 1 }, (_, count) => lines.slice(0, count));
        const whole = read(lines, ending, turn);

        test("as what happened", () => {
          expect(whole.report).toMatchObject(expected);
        });

        test("within the bounds, and the same twice", () => {
          expect(faultsOf(whole)).toEqual([]);
          expect(read(lines, ending, turn)).toEqual(whole);
        });

        test("up to any line as interrupted, or as the end that it has seen", () => {
          const seen = outcomeOf(read(lines, CUT_OFF, turn).report);
          const outcomes = parts.map((part) => outcomeOf(read(part, CUT_OFF, turn).report));
          const ended = outcomes.filter(
            ({ trouble }, count) => trouble?.kind !== "interrupted" && !falseEnds.includes(count),
          );
          expect(ended).toEqual(ended.map(() => seen));
          expect(outcomes[0]?.trouble?.kind).toBe("interrupted");
        });

        test("up to any line for no more than it cost in the end", () => {
          const readings = parts.map((part) => read(part, CUT_OFF, turn));
          const faults = readings.flatMap((each) => [
            ...faultsOf(each),
            ...faultsOfGrowth(each.report.bill, whole.report.bill),
          ]);
          expect(faults).toEqual([]);
        });

        test.skipIf(plainText)("up to a line before its end as no success, also after a good exit", () => {
          const unfinished = parts.filter(
            (part) => read(part, CUT_OFF, turn).report.trouble?.kind === "interrupted",
          );
          const successes = unfinished.filter((part) => read(part, EXIT_0, turn).report.trouble === null);
          expect(successes.map((part) => part.length)).toEqual([]);
        });

        test.skipIf(plainText)("with noise between its lines as if there were none", () => {
          const noisy = lines.flatMap((line) => [...NOISE, line, ...NOISE]);
          expect(read(noisy, ending, turn)).toEqual(whole);
        });
      },
    );

    test("at least one turn that went well", () => {
      expect(specimens.filter((each) => each.expect.trouble === null)).not.toEqual([]);
    });

    test.each([EXIT_1, KILLED, CUT_OFF])("nothing at all as no success, ended by $type", (ending) => {
      const { agentEvents, report } = read([], ending);
      expect(agentEvents).toEqual([]);
      expect(report).toMatchObject({ trouble: expect.any(Object), lastMessage: null, conversation: null });
    });

    test("nothing at all and a good exit as no message", () => {
      const { report } = read([], EXIT_0);
      expect(report.lastMessage).toBeNull();
      expect(report.trouble === null).toBe(plainText);
    });

    test("what it cannot understand as no success", () => {
      expect(read(GARBAGE, EXIT_1).report).toMatchObject({ trouble: expect.any(Object), conversation: null });
    });

    test.skipIf(plainText)("no words out of what it cannot understand", () => {
      const nothing = { trouble: expect.any(Object), lastMessage: null, conversation: null };
      expect(read(GARBAGE, EXIT_1).report).toMatchObject(nothing);
      expect(read(GARBAGE, EXIT_0).report).toMatchObject(nothing);
    });

    test("a program that did not start as something for a person", () => {
      const { report } = read([], { type: "not-started", message: "spawn nothing ENOENT" });
      expect(report.trouble?.kind).toBe("blocking");
    });

    test("a bill that is told again, and lower, as no lower", () => {
      const faults = streams.flatMap((lines) => faultsOf(read(toldAgainWithZeros(lines), EXIT_0)));
      expect(faults).toEqual([]);
    });

    test("a wrong value anywhere without a throw, and within the bounds", () => {
      const found: unknown[] = [];
      for (const [index, lines] of [...twistedStreams(streams)].entries()) {
        if (index % EVERY !== 0) continue;
        const faults = faultsOf(read(lines, EXIT_0));
        if (faults.length > 0) found.push({ faults, lines: lines.map((line) => line.slice(0, 500)) });
      }
      expect(found.slice(0, 3)).toEqual([]);
    });

    test("any lines without a throw, within the bounds, and the same twice", () => {
      const stream = hostileStream(streams);
      const reported = fc.option(fc.double({ min: 0, max: 10, noNaN: true }));
      fc.assert(
        fc.property(stream, hostileEnding, reported, (lines, ending, reportedUsd) => {
          const reading = read(lines, ending, { reportedUsd });
          expect(faultsOf(reading)).toEqual([]);
          expect(read(lines, ending, { reportedUsd })).toEqual(reading);
        }),
        { numRuns: effort(20, 300, 60) },
      );
      expect("polluted" in {}).toBe(false);
    });
  });

  describeLaunch(name, candidate);
}

function outcomeOf({ trouble, lastMessage }: TurnReport): Pick<TurnReport, "trouble" | "lastMessage"> {
  return { trouble, lastMessage };
}

function linesOf(file: string): readonly string[] {
  return readFileSync(join("test/streams", file), "utf8").split("\n").slice(0, -1);
}
