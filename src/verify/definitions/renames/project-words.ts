import { importStatements } from "./import-statements.ts";
import type { Modules } from "./modules.ts";
import { tokensOf } from "./tokens.ts";
import type { Token } from "./tokens.ts";

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
