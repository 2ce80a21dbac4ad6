import { readFile } from "node:fs/promises";
import type { Outcome, RecordedValue } from "./recorded-value.ts";

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

const MOST_BYTES = 20_000_000;

/** The calls that a run wrote down. */
export async function readRecorded(path: string): Promise<readonly RecordedCall[]> {
  const calls = (await linesOf(path)).flatMap(([site, given, isError, text]): readonly RecordedCall[] => {
    if (typeof site !== "number" || !Array.isArray(given) || typeof given[2] !== "string") return [];
    const [args, named, key] = given as [RecordedValue, RecordedValue, string];
    if (typeof isError !== "boolean" || typeof text !== "string") return [];
    return [{ site, key, args, named, outcome: { isError, text } }];
  });
  return [...new Map(calls.map((each) => [each.key, each])).values()];
}

/** What a run wrote down of calls that it was to make. */
export async function readAnswers(path: string): Promise<Answers> {
  const answers = new Map<number, Map<number, Outcome>>();
  for (const [id, other, isError, text] of await linesOf(path)) {
    if (typeof id !== "number" || typeof other !== "number") continue;
    if (typeof isError !== "boolean" || typeof text !== "string") continue;
    const own = answers.get(id) ?? new Map<number, Outcome>();
    // Runners may load a file more than once.
    if (!own.has(other)) own.set(other, { isError, text });
    answers.set(id, own);
  }
  return answers;
}

async function linesOf(path: string): Promise<readonly (readonly unknown[])[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text
    .slice(0, MOST_BYTES)
    .split("\n")
    .flatMap((line) => {
      try {
        const words: unknown = JSON.parse(line);
        return Array.isArray(words) ? [words] : [];
      } catch {
        return []; // cut short, or written by somebody else
      }
    });
}
