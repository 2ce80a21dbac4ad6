import { tokensOf, type Token } from "./tokens.ts";
import { importStatements } from "./import-statements.ts";
import type { Modules } from "./modules.ts";

/** A file then and now; a moved one has another path now. */
export interface FilePair {
  readonly path: string;
  readonly before: string;
  readonly now: string;
}

/** Names that are gone from the source, and names that are new in it. */
export interface Vocabulary {
  readonly gone: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
}

/** New names by the old ones. */
export type RenamedWords = ReadonlyMap<string, string>;

/**
 * Which gone name is which new one: each stands between the same words as the other did, wherever it does, and no two names became
 * one.
 */
export function renamedWords(pairs: readonly FilePair[], { gone, added }: Vocabulary): RenamedWords {
  if (gone.size === 0 || added.size === 0) return new Map();
  const votes = new Map<string, Map<string, number>>();
  for (const { path, before, now } of pairs) {
    const after = surroundings(path, now, added);
    for (const [place, words] of surroundings(path, before, gone)) {
      const others = after.get(place);
      if (words.size !== 1 || others?.size !== 1) continue;
      const [old = ""] = words;
      const [fresh = ""] = others;
      const counted = votes.get(old) ?? new Map<string, number>();
      votes.set(old, counted.set(fresh, (counted.get(fresh) ?? 0) + 1));
    }
  }
  const renamed = [...votes].map(([old, counted]) => [old, mostOf(counted)] as const);
  return new Map(renamed.filter(([, fresh]) => renamed.filter((each) => each[1] === fresh).length === 1));
}

const REACH = 2;

/** The words of a set by what stands around them, where words of the set look alike. */
function surroundings(
  path: string,
  text: string,
  words: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const tokens = tokensOf(path, text);
  const looks = tokens.map(({ kind, text: each }) => (kind === "word" && words.has(each) ? "\0" : each));
  const found = new Map<string, Set<string>>();
  for (const [at, look] of looks.entries()) {
    if (look !== "\0") continue;
    const place = [
      ...looks.slice(Math.max(0, at - REACH), at),
      "\0\0",
      ...looks.slice(at + 1, at + 1 + REACH),
    ];
    const key = place.join("\n");
    found.set(key, (found.get(key) ?? new Set()).add(tokens[at]?.text ?? ""));
  }
  return found;
}

function mostOf(counted: ReadonlyMap<string, number>): string {
  return [...counted].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Names of the runner's own object, under which its assertions are found. */
const OF_RUNNER = new Set(["self", "this", "super", "cls"]);
const MOST_STEPS = 2_000;

/**
 * Which of these words in a test are only ever the project's: never a part of what comes from elsewhere, as `equal` is in
 * `assert.equal`.
 */
export function projectWords(
  path: string,
  text: string,
  words: ReadonlySet<string>,
  modules: Modules,
): ReadonlySet<string> {
  const foreign = new Set(
    importStatements(path, text)
      .filter(({ module }) => modules.find(module, path).length === 0)
      .flatMap(({ names }) => names),
  );
  const tokens = tokensOf(path, text);
  const others = new Set<string>();
  for (const [at, { kind, text: word }] of tokens.entries()) {
    if (kind !== "word" || !words.has(word)) continue;
    const root = rootOf(tokens, at);
    if (root === null || foreign.has(root) || OF_RUNNER.has(root)) others.add(word);
  }
  return new Set([...words].filter((word) => !others.has(word)));
}

/** `a` in `a.b(c).d`; null where nothing is known about it. */
function rootOf(tokens: readonly Token[], at: number): string | null {
  let here = at;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const before = tokens[here - 1]?.text;
    if (
      before !== "." &&
      !(before === ":" && tokens[here - 2]?.text === ":") &&
      !(before === ">" && tokens[here - 2]?.text === "-")
    )
      return tokens[here]?.text ?? null;
    here -= before === "." ? 2 : 3;
    while (tokens[here]?.text === ")" || tokens[here]?.text === "]") here = opening(tokens, here) - 1;
    if (tokens[here]?.kind !== "word") return null;
  }
  return null;
}

/** Where the bracket that closes here was opened. */
function opening(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let here = at; here >= 0 && at - here < MOST_STEPS; here -= 1) {
    const text = tokens[here]?.text ?? "";
    if (text === ")" || text === "]") depth += 1;
    if (text === "(" || text === "[") depth -= 1;
    if (depth === 0) return here;
  }
  return 0;
}
