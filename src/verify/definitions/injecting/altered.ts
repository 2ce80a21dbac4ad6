import type { Failures } from "./dialect.ts";

/** `5_400_000` is one, too. Behind a bracket, a minus is a sign of arithmetic. */
export const NUMBER = String.raw`(?:(?<![)\]}])-)?\d{1,15}(?:_\d{1,6}){0,5}(?:\.\d{1,15})?(?![\w.])`;
/** A number, or a string without anything that needs thought. */
export const LITERAL = String.raw`${NUMBER}|"[^"\\\n$#{}%]{0,200}"|'[^'\\\n$#{}%]{0,200}'`;
/** For languages in which single quotes are something else. */
export const DOUBLE_QUOTED = String.raw`${NUMBER}|"[^"\\\n$#{}%]{0,200}"`;

/** The largest numbers of their kinds: one more would not compile. */
const LARGEST: ReadonlySet<number> = new Set([127, 255, 32_767, 65_535, 2_147_483_647, 4_294_967_295]);

/** Another value of the same kind. */
export function anotherValue(literal: string, nonce: string): string {
  if (/^["']/.test(literal)) return `${literal.slice(0, -1)}${nonce}${literal.at(-1)}`;
  const [whole = "", ...rest] = literal.replaceAll("_", "").split(".");
  const number = Number(whole);
  return [String(LARGEST.has(number) ? number - 1 : number + 1), ...rest].join(".");
}

/** An assertion that compares with a literal: where it is, and how it reads with another value. */
export interface Equality {
  readonly from: number;
  readonly to: number;
  /** With marks before and behind. */
  readonly replaced: (id: number) => string;
}

/** How many are altered in one file. */
const MOST_ALTERED = 4;

/** The text with some of its expected values altered, far apart from each other. */
export function withAltered(
  text: string,
  equalities: readonly Equality[],
  { altered }: Pick<Failures, "altered">,
): string {
  if (altered === null) return text;
  const step = Math.max(1, equalities.length / MOST_ALTERED);
  const chosen = Array.from(
    { length: Math.min(equalities.length, MOST_ALTERED) },
    (_, index) => equalities[Math.floor(index * step)],
  );
  let result = "";
  let at = 0;
  for (const [index, each] of chosen.entries()) {
    const id = index + 1;
    if (each === undefined || each.from < at || (altered !== "all" && !altered.has(id))) continue;
    result += text.slice(at, each.from) + each.replaced(id);
    at = each.to;
  }
  return result + text.slice(at);
}

const LONGEST_LINE = 400;

export interface LineEqualities {
  /** With the groups `before`, `literal` and `behind`: together they are the statement, without what indents it. */
  readonly patterns: readonly RegExp[];
  /** Whether the literal is what such a statement expects; without: it always is. */
  readonly isExpected?: (statement: string) => boolean;
  /**
   * The statement between marks, line by line. It has a line of its own, as before: whoever looks for an answer there finds the
   * altered one.
   */
  readonly wrapped: (statement: string, id: number) => readonly string[];
}

/** Assertions that are a line of their own. */
export function equalitiesInLines(
  text: string,
  nonce: string,
  { patterns, isExpected, wrapped }: LineEqualities,
): readonly Equality[] {
  const found: Equality[] = [];
  let from = 0;
  for (const line of text.split("\n")) {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const bare = line.slice(indent.length).trimEnd();
    const groups =
      bare.length > LONGEST_LINE
        ? undefined
        : patterns.map((pattern) => pattern.exec(bare)?.groups).find((each) => each !== undefined);
    if (groups !== undefined && isExpected?.(bare) !== false) {
      const { before = "", literal = "", behind = "" } = groups;
      const statement = before + anotherValue(literal, nonce) + behind;
      const start = from + indent.length;
      found.push({
        from: start,
        to: start + bare.length,
        replaced: (id) => wrapped(statement, id).join(`\n${indent}`),
      });
    }
    from += line.length + 1;
  }
  return found;
}

const LONGEST_CALL = 2_000;

/** Where the parenthesis that was opened before `from` is closed, and the commas between its arguments; null: it isn't clear. */
export function closingOf(
  text: string,
  from: number,
): { readonly at: number; readonly commas: readonly number[] } | null {
  const commas: number[] = [];
  let depth = 1;
  const most = Math.min(text.length, from + LONGEST_CALL);
  for (let at = from; at < most; at += 1) {
    const letter = text[at] ?? "";
    if (letter === '"' || letter === "'" || letter === "`") {
      const end = endOfString(text, at, most);
      if (end === null) return null;
      at = end;
    } else if ("([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter)) {
      depth -= 1;
      if (depth === 0) return letter === ")" ? { at, commas } : null;
    } else if (letter === "," && depth === 1) commas.push(at);
    else if (letter === "/" && /[/*]/.test(text[at + 1] ?? "")) return null;
  }
  return null;
}

function endOfString(text: string, from: number, most: number): number | null {
  const quote = text[from];
  for (let at = from + 1; at < most; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
    else if (quote === "`" && text[at] === "$" && text[at + 1] === "{") return null;
  }
  return null;
}
