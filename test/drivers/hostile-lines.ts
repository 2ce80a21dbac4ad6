import * as fc from "fast-check";
import { parseJsonLine } from "../../src/agents/drivers/json-line.ts";

const DEEP = "@@deep@@";
const INFINITE = "@@infinite@@";
const LONG = "long words ".repeat(30_000);

const oddNumber = fc.constantFrom<unknown>(0, 1, -1, 0.5, -0.5, 1e15, 1e300, -1e300, INFINITE);
const oddText = fc.constantFrom(
  "",
  " ",
  "null",
  "__proto__",
  "--flag",
  "../../outside",
  "two words",
  "\u0000\u001b[2J\u202e\ud800",
  LONG,
);
const oddValue = fc.oneof(
  oddNumber,
  oddText,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[null]], [{ type: "text", text: 7 }], DEEP),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Something else in the nth of the places that hold such values. */
interface Change {
  readonly of: "number" | "string" | "anything";
  readonly nth: number;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ of: fc.constant("number" as const), nth: fc.nat(), value: oddNumber }),
  fc.record({ of: fc.constant("string" as const), nth: fc.nat(), value: oddText }),
  fc.record({ of: fc.constant("anything" as const), nth: fc.nat(), value: oddValue }),
);

const lines: readonly string[] = [
  "",
  " ",
  "{",
  "}",
  "{}",
  "[]",
  "null",
  "7",
  '"text"',
  "{}{}",
  '{"type":null}',
  '{"type":{}}',
  '{"type":"__proto__"}',
  '{"type":"constructor"}',
  '{"__proto__":{"type":"result","result":"polluted","polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  "[".repeat(100_000),
  `${'{"type":'.repeat(8_000)}1${"}".repeat(8_000)}`,
  `{"type":"${LONG}"}`,
  `{${LONG}`,
  LONG,
];

/** Streams that no agent should print: real ones out of order, torn or twisted, and what breaks careless readers. */
export function hostileStream(streams: readonly (readonly string[])[]): fc.Arbitrary<readonly string[]> {
  const noise = fc.oneof(fc.string({ unit: "binary" }), fc.json({ maxDepth: 4 }), fc.constantFrom(...lines));
  const real = streams.filter((stream) => stream.length > 0);
  if (real.length === 0) return fc.array(noise);
  const spoilt = fc.constantFrom(...real.flat()).chain(injectedFrom);
  return fc.oneof(
    fc.array(fc.oneof(noise, spoilt), { maxLength: 12 }),
    fc
      .constantFrom(...real)
      .chain((stream) => fc.tuple(...stream.map((line) => fc.oneof(fc.constant(line), injectedFrom(line))))),
    fc.constantFrom(...real).chain((stream) => fc.shuffledSubarray([...stream, ...stream])),
  );
}

function injectedFrom(line: string): fc.Arbitrary<string> {
  const torn = fc.nat(line.length).map((at) => line.slice(0, at));
  const stained = fc
    .tuple(fc.nat(line.length), fc.string({ maxLength: 3 }))
    .map(([at, stain]) => `${line.slice(0, at)}${stain}${line.slice(at + 1)}`);
  if (parseJsonLine(line) === null) return fc.oneof(torn, stained);
  const twisted = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => twist(line, changes));
  return fc.oneof(torn, stained, { arbitrary: twisted, weight: 4 });
}

/** Real streams with one wrong value in one place, for every value and every place that means something else. */
export function* twistedStreams(streams: readonly (readonly string[])[]): Generator<readonly string[]> {
  const seen = new Set<string>();
  // Each place is tried in the shortest stream that has it.
  for (const stream of streams.toSorted((one, other) => one.length - other.length)) {
    for (const [index, line] of stream.entries()) {
      if (parseJsonLine(line) === null) continue;
      const tree: unknown = JSON.parse(line);
      for (const { holder, key, path } of placesIn(tree)) {
        const meaning = `${kindsIn(tree)} ${path}`;
        if (seen.has(meaning)) continue;
        seen.add(meaning);
        const right = holder[key];
        for (const wrong of typeof right === "string" ? [...WRONG, LONG] : WRONG) {
          holder[key] = wrong;
          yield stream.with(index, written(tree));
        }
        holder[key] = right;
      }
    }
  }
}

const WRONG: readonly unknown[] = [null, -1, INFINITE, "", "--flag a b", [7], {}, DEEP];

/** What the line is about: the same field of another kind of message means something else. */
function kindsIn(tree: unknown): string {
  return placesIn(tree)
    .filter(({ key }) => /(^|sub|_)(type|kind|role|status|name|tool)$/.test(key))
    .map(({ holder, key }) => String(holder[key]))
    .join(" ");
}

/** The stream, and all of it once more with nothing but zeros for numbers. */
export function toldAgainWithZeros(stream: readonly string[]): readonly string[] {
  return [...stream, ...stream.map(withZeros)];
}

function withZeros(line: string): string {
  if (parseJsonLine(line) === null) return line;
  return JSON.stringify(JSON.parse(line, (_, value: unknown) => (typeof value === "number" ? 0 : value)));
}

function twist(line: string, changes: readonly Change[]): string {
  const tree: unknown = JSON.parse(line);
  for (const { of, nth, value } of changes) {
    const places = placesIn(tree).filter(({ holder, key }) => of === "anything" || typeof holder[key] === of);
    const place = places[nth % Math.max(places.length, 1)];
    if (place !== undefined) place.holder[place.key] = structuredClone(value);
  }
  return written(tree);
}

function written(tree: unknown): string {
  return (
    JSON.stringify(tree)
      .replaceAll(`"${INFINITE}"`, "1e999")
      // Deeper than a reader that recurses, or writes it out again, would survive.
      .replaceAll(`"${DEEP}"`, `${"[".repeat(8_000)}${"]".repeat(8_000)}`)
  );
}

interface Place {
  readonly holder: { [key: string]: unknown };
  readonly key: string;
  /** Without the numbers of a list's entries: these mean the same. */
  readonly path: string;
}

function placesIn(tree: unknown, above = ""): readonly Place[] {
  if (typeof tree !== "object" || tree === null) return [];
  const holder = tree as { [key: string]: unknown };
  return Object.keys(holder).flatMap((key) => {
    const path = `${above}/${Array.isArray(tree) ? "*" : key}`;
    return [{ holder, key, path }, ...placesIn(holder[key], path)];
  });
}
