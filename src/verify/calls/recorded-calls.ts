import { readSync } from "node:fs";
import { withFile } from "../../system/files/read-file.ts";
import { MOST_WRITTEN } from "./asking.ts";
import { isRecordedValue, type Outcome, type RecordedValue } from "./recorded-value.ts";

/** A call that a test made. */
export interface RecordedCall {
  readonly site: number;
  readonly key: string;
  readonly args: RecordedValue;
  readonly named: RecordedValue;
  readonly outcome: Outcome;
}

/** By the number of a call, what it gave, and what it gave with each of the other values. */
export type Answers = ReadonlyMap<number, ReadonlyMap<number, Outcome>>;

/** The place of the call itself among its answers. */
export const ITSELF = -1;

const MOST_LINES = 100_000;
/** What is recorded of a call, with its key, has less. */
const LONGEST_LINE = 200_000;

/** The calls that a run wrote down. */
export function readRecorded(path: string): readonly RecordedCall[] {
  const calls = linesOf(path).flatMap(([site, given, isError, text]): readonly RecordedCall[] => {
    if (typeof site !== "number" || !Array.isArray(given)) return [];
    const [args, named, key] = given as readonly unknown[];
    if (!isRecordedValue(args) || !isRecordedValue(named) || typeof key !== "string") return [];
    if (typeof isError !== "boolean" || typeof text !== "string") return [];
    return [{ site, key, args, named, outcome: { isError, text } }];
  });
  return [...new Map(calls.map((each) => [each.key, each])).values()];
}

/** What a run wrote down of calls that it was to make. */
export function readAnswers(path: string): Answers {
  const answers = new Map<number, Map<number, Outcome>>();
  for (const [id, other, isError, text] of linesOf(path)) {
    if (typeof id !== "number" || typeof other !== "number") continue;
    if (typeof isError !== "boolean" || typeof text !== "string") continue;
    const own = answers.get(id) ?? new Map<number, Outcome>();
    // Runners may load a file more than once.
    if (!own.has(other)) own.set(other, { isError, text });
    answers.set(id, own);
  }
  return answers;
}

/** Whatever ran may have put something else in its place: a pipe, a device, a file without an end. */
function linesOf(path: string): readonly (readonly unknown[])[] {
  const text = withFile(path, (file, { size }) => {
    const bytes = Buffer.alloc(Math.min(size, MOST_WRITTEN));
    return bytes.toString("utf8", 0, readSync(file, bytes));
  });
  return (text ?? "").split("\n", MOST_LINES).flatMap((line) => {
    if (line.length > LONGEST_LINE) return [];
    try {
      const words: unknown = JSON.parse(line);
      return Array.isArray(words) ? [words] : [];
    } catch {
      return []; // cut short, or written by somebody else
    }
  });
}
