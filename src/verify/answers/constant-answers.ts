import { Code } from "../faults/code.ts";
import type { Token } from "../faults/tokens.ts";
import type { ChangedText } from "./answered-inputs.ts";
import { contentOf, rarityOf } from "./literals.ts";

/** A function that has parameters, looks at none of them, and always answers the same. */
export interface ConstantAnswer {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

/** What may be around the one value of such a function. */
const AROUND_VALUE =
  /^(?:return|new|Some|Ok|Just|String|string|str|std|from|to_string|to_owned|into|of|end|my|shift|do|then|begin)$/;
const NO_PARAMETER = /^(?:self|this|cls|void|mut|_\w*|\$_|@_)$/;

/** Those that there were none of before. */
export function newConstantAnswers({ path, now, before }: ChangedText): readonly ConstantAnswer[] {
  const found = constantAnswersIn(path, now);
  const known = new Set(constantAnswersIn(path, before ?? "").map(({ name, value }) => `${name}\0${value}`));
  return found.filter(({ name, value }) => !known.has(`${name}\0${value}`));
}

function constantAnswersIn(path: string, text: string): readonly ConstantAnswer[] {
  const code = Code.of(path, text);
  if (code === null) return [];
  const bodies = new Map<string, { readonly header: readonly Token[]; readonly body: Token[] }>();
  for (const [index, token] of code.tokens.entries()) {
    const { header, isTest } = code.surroundingsOf(index);
    const first = header?.[0];
    if (header === null || first === undefined || isTest) continue;
    // Of a language without braces, a header is around itself, too.
    const isOwn = token.start >= first.start && token.end <= (header.at(-1)?.end ?? 0);
    const key = String(first.start);
    const known = bodies.get(key) ?? { header, body: [] };
    if (!isOwn) known.body.push(token);
    bodies.set(key, known);
  }
  return [...bodies.values()].flatMap(({ header, body }) => {
    const named = signatureOf(header);
    const value = named === null ? null : onlyValueOf(body);
    return named === null || value === null ? [] : [{ line: header[0]?.line ?? 0, name: named, value }];
  });
}

/** The name of a function with parameters; null: it has none. */
function signatureOf(header: readonly Token[]): string | null {
  const open = header.findIndex(
    ({ text }, index) =>
      text === "(" &&
      header[index - 1]?.type === "word" &&
      !/^(?:func|function|fn)$/.test(header[index - 1]?.text ?? ""),
  );
  if (open === -1) return null;
  const depth = header[open]?.opener;
  const close = header.findIndex(
    ({ text, opener }, index) => index > open && text === ")" && opener === depth,
  );
  const parameters = header.slice(open + 1, close === -1 ? header.length : close);
  const isGiven = parameters.some(({ type, text }) => type === "word" && !NO_PARAMETER.test(text));
  return isGiven ? (header[open - 1]?.text ?? null) : null;
}

/** null: there is more in it than one value that isn't usual. */
function onlyValueOf(body: readonly Token[]): string | null {
  const values = body.map(contentOf).filter((each) => each !== null);
  const others = body.filter((each) => contentOf(each) === null);
  const isPlain = others.every(
    ({ type, text }) => (type === "word" && AROUND_VALUE.test(text)) || /^(?:[;(){}.:-]|::|!)$/.test(text),
  );
  const [value] = values;
  return isPlain && values.length === 1 && value !== undefined && rarityOf(value) > 0 ? value : null;
}
