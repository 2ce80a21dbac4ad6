import { anotherValue, closingOf } from "./altered.ts";

/** A function, macro or procedure of a harness that fails where two of its parameters differ. */
export interface Comparer {
  readonly name: string;
  /** The positions of those two, from 0. */
  readonly compared: readonly number[];
}

const NAME = String.raw`(?<name>[A-Za-z_]\w*[!?]?)`;
/** How a definition begins, in languages that name their parameters there. */
const HEADS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:function|defp?|fn|fun|func|sub|proc)\s+(?:\w+[.:]{1,2})*${NAME}\s*(?:<[^<>]*>)?\s*[({](?<parameters>[^(){}]+)[)}]`,
  ),
  new RegExp(String.raw`^\s*#\s*define\s+${NAME}\((?<parameters>[^()]*)\)`),
  new RegExp(
    String.raw`\b${NAME}\s*(?:=|<-|:=)\s*(?:async\s+)?(?:function\s*)?\((?<parameters>[^()]*)\)\s*(?:=>|\{|->|$)`,
  ),
  new RegExp(
    String.raw`^(?!\s*(?:return|else|if|while|for|switch|new)\b)(?:[\w:<>,]+[\s*&]+)+${NAME}\s*\((?<parameters>[^()]*)\)\s*\{`,
  ),
  new RegExp(String.raw`^\s*let\s+(?:rec\s+)?${NAME}\s+(?<parameters>\w+(?:\s+\w+)+)\s*=`),
];
/** A shell's function, or one of Perl: what it is given is told inside. */
const BARE_HEAD = new RegExp(String.raw`^\s*(?:(?:sub|function)\s+)?${NAME}\s*(?:\(\s*\)\s*)?\{`);
const MOST_LINES = 15;
const LONGEST_LINE = 400;
/** What a harness does about a difference. */
const FAILS =
  /fail|bad\b|error|wrong|mismatch|throw|raise|\bdie\b|exit|panic|abort|not ok|quit|\+\+|\+=|\+ 1\b|incr|assert/i;

/** Those that some texts define. */
export function comparersIn(texts: readonly string[]): readonly Comparer[] {
  const definitions = texts.flatMap(definitionsIn);
  const direct = definitions.flatMap((each) => comparerOf(each, []));
  const names = direct.map(({ name }) => name);
  // A macro that only hands on what it is given.
  const handing = names.length === 0 ? [] : definitions.flatMap((each) => comparerOf(each, names));
  return [...new Map([...handing, ...direct].map((each) => [each.name, each])).values()];
}

interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
}

function definitionsIn(text: string): readonly Definition[] {
  const lines = text.split("\n").map((line) => line.slice(0, LONGEST_LINE));
  return lines.flatMap((line, at) => {
    const found = HEADS.map((head) => head.exec(line)).find((each) => each !== null);
    const bare = found === undefined ? BARE_HEAD.exec(line) : null;
    const head = found ?? bare;
    const name = head?.groups?.["name"];
    if (head === null || name === undefined) return [];
    const rest = [line.slice(head.index + head[0].length), ...lines.slice(at + 1, at + MOST_LINES)];
    const next = rest.findIndex((each, index) => index > 0 && beginsAnother(each, line));
    const body = rest.slice(0, next === -1 ? rest.length : next).join("\n");
    const given = head.groups?.["parameters"];
    const parameters = given === undefined ? parametersIn(body) : namesOf(given, /\bfunc\s/.test(line));
    return parameters.length < 2 ? [] : [{ name, parameters, body }];
  });
}

/** Whether a line begins another definition that isn't inside. */
function beginsAnother(line: string, head: string): boolean {
  const isInside = (/^\s*/.exec(line)?.[0].length ?? 0) > (/^\s*/.exec(head)?.[0].length ?? 0);
  return !isInside && (BARE_HEAD.test(line) || HEADS.some((each) => each.test(line)));
}

/** `got, want string`, `const A& got`, `string $name`, `got: i32`, `a b c`. */
function namesOf(given: string, isTypeBehind: boolean): readonly string[] {
  const parts = given.includes(",") ? given.split(",") : given.trim().split(/\s+/);
  return parts.flatMap((part) => {
    const bare = part.replace(/=.*/, "");
    const dollar = /[$@](\w+)/.exec(bare)?.[1];
    const typed = /(\w+)\s*:/.exec(bare)?.[1];
    const words = bare.match(/\w+/g) ?? [];
    // Whoever calls a method doesn't give it among the others.
    if (/^\W*(?:mut\s+)?(?:self|cls|this)\b/.test(bare)) return [];
    return dollar ?? typed ?? (isTypeBehind ? words[0] : words.at(-1)) ?? [];
  });
}

/** `my ($got, $want) = @_;`, or a shell's `$1` and `$2`. */
function parametersIn(body: string): readonly string[] {
  const listed = /\bmy\s*\(([^()]*)\)\s*=\s*@_/.exec(body)?.[1];
  if (listed !== undefined) return namesOf(listed, false);
  const shifted = [...body.matchAll(/\bmy\s+\$(\w+)\s*=\s*shift\b/g)].flatMap(([, name]) => name ?? []);
  if (shifted.length > 0) return shifted;
  return /\$\{?[12]\b/.test(body) ? ["1", "2", "3", "4"] : [];
}

const OPERATOR = String.raw`\s*(?:[!=]==?|<>|~=|\/=|\b(?:eq|ne)\b|-eq|-ne)\s*`;

function comparerOf({ name, parameters, body }: Definition, known: readonly string[]): readonly Comparer[] {
  if (WANTS_DIFFERENCE.test(name) || (known.length === 0 && !FAILS.test(body))) return [];
  const written = parameters.map((parameter) => {
    const alias = new RegExp(
      String.raw`\b(\w+)\s*=\s*["'(]*\$?\{?\b${parameter}\b\}?["')]*\s*(?:[,;\n]|\s\w+=|$)`,
    ).exec(body)?.[1];
    const names = [parameter, ...(alias === undefined ? [] : [alias])].join("|");
    return String.raw`["'({]*[$@]?\{?\b(?:${names})\b\}?["')}]*`;
  });
  for (const [one, first] of written.entries())
    for (const [other, second] of written.entries())
      if (one !== other && compares(body, { first, second, known }))
        return [{ name, compared: [one, other].toSorted((a, b) => a - b) }];
  return [];
}

function compares(
  body: string,
  {
    first,
    second,
    known,
  }: { readonly first: string; readonly second: string; readonly known: readonly string[] },
): boolean {
  if (known.length > 0)
    return new RegExp(String.raw`\b(?:${known.join("|")})\b\W[^\n]*${first}[^\n]*${second}`).test(body);
  return [
    `${first}${OPERATOR}${second}`,
    // A single sign assigns elsewhere.
    String.raw`(?:\bif\b|\[|\btest\b)[^\n]*${first}\s*=\s*${second}`,
    String.raw`(?:equal|identical|cmp|same|eql?|equals)\??\b[ (.]*${first}\s*[,\s]\s*${second}`,
    String.raw`${first}\.(?:equals?|eql\?|eq|isEqual\w*)\(${second}`,
  ].some((pattern) => {
    const found = new RegExp(pattern).exec(body);
    return found !== null && failsOnDifference(body, found.index, found[0]);
  });
}

/** `assert_not_equal`: another value is what it wants. */
const WANTS_DIFFERENCE = /not|differ|unequal|isnt|refute|unlike|(?:^|_)neq?(?:$|_)|[a-z]N[Ee]$/i;
const DIFFERS = /!=|<>|~=|\/=|\bne\b|-ne/;
const NEGATED = /!\s*[\w.(]*$|\b(?:unless|not)\b[^\n]*$/;
const FINE = /\breturn\b|\bnext\b|\bpass|\bok\b|\|\|/;

/** Whether what follows a comparison, or what comes before it on its line, fails where the two differ. */
function failsOnDifference(body: string, at: number, comparison: string): boolean {
  const before = body.slice(body.lastIndexOf("\n", at) + 1, at);
  const behind = body.slice(at + comparison.length, at + comparison.length + 160);
  const fails = behind.search(FAILS);
  const fine = behind.search(FINE);
  if (DIFFERS.test(comparison) !== NEGATED.test(before)) return fine === -1 || (fails !== -1 && fails < fine);
  if (/\bif\b\W*$/.test(before) && /\S\s+if\b\W*$/.test(before) && !/\belse\s+if\b/.test(before))
    return FINE.test(before);
  return fails === -1 || (fine !== -1 && fine < fails);
}

/** A line that calls one of them, with another value in one of its two places; null: it calls none with a written value. */
export function withOtherArgument(line: string, comparers: readonly Comparer[], by: number): string | null {
  for (const { name, compared } of comparers) {
    const called = new RegExp(String.raw`(?<![\w$])${name.replace("?", "\\?")}(?=[\s(])\s*`).exec(line);
    if (called === null || !BEFORE.test(line.slice(0, called.index))) continue;
    const from = called.index + called[0].length;
    const given = line[from] === "(" ? inBrackets(line, from + 1) : asWords(line, from);
    // What is expected comes last more often, and what is written out is more likely to be it.
    const places = compared.toReversed().flatMap((at) => given[at] ?? []);
    for (const other of [otherValue, otherList])
      for (const { text, from: start, isWord } of places) {
        const changed = other(text, isWord, by);
        if (changed !== null) return line.slice(0, start) + changed + line.slice(start + text.length);
      }
  }
  return null;
}

/** A call that is all of its statement: whoever wants a result may compare it with something else. */
const BEFORE =
  /^(?:[^"'`]*[;{}]|.*=>|\s*(?:let\s+(?:\(\)|_)\s*=|do|then|else))?\s*(?:await\s+)?(?:[\w$]+(?:\.|::|->|:))*$/;
const BEHIND = /^\s*(?:$|[;})\],]|#|\/\/|--|\|\||or\b)/;

interface Argument {
  readonly text: string;
  readonly from: number;
  /** Its language needs no quotes. */
  readonly isWord: boolean;
}

function inBrackets(line: string, from: number): readonly Argument[] {
  const end = closingOf(line, from);
  if (end === null || !BEHIND.test(line.slice(end.at + 1))) return [];
  const bounds = [from - 1, ...end.commas, end.at];
  return bounds.slice(1).map((to, at) => trimmed(line, (bounds[at] ?? 0) + 1, to, false));
}

function trimmed(line: string, from: number, to: number, isWord: boolean): Argument {
  const text = line.slice(from, to);
  return { text: text.trim(), from: from + (text.length - text.trimStart().length), isWord };
}

const OPENS: { readonly [letter: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** `"$(f a)" b "what it is"`, or `f(a), b`. */
function asWords(line: string, from: number): readonly Argument[] {
  const blanks: number[] = [];
  const commas: number[] = [];
  const open: string[] = [];
  let quote: string | null = null;
  let end = line.trimEnd().length;
  for (let at = from; at < end; at += 1) {
    const letter = line[at] ?? "";
    if (letter === "\\") at += 1;
    else if (quote !== null) quote = letter === quote ? null : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (OPENS[letter] !== undefined) open.push(OPENS[letter]);
    else if (letter === open.at(-1)) open.pop();
    else if (open.length === 0 && /[;|&#]/.test(letter)) end = at;
    else if (open.length === 0 && letter === ",") commas.push(at);
    else if (open.length === 0 && /\s/.test(letter)) blanks.push(at);
  }
  const isWord = commas.length === 0;
  const bounds = [from - 1, ...(isWord ? blanks : commas), end];
  return bounds
    .slice(1)
    .map((to, at) => trimmed(line, (bounds[at] ?? 0) + 1, to, isWord))
    .filter(({ text }) => text !== "");
}

const QUOTED = /^(["'])(?:(?!\1)[^\\\n$#{}%`])*\1$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const BARE = /^[A-Za-z0-9][\w.:@%+/-]*$/;
/** Brackets with nothing but values in them, and what makes a value of them: `[3, 30]`, `c(1, 2)`, `std::string("ab")`. */
const LISTED =
  /^(?:&?(?:c|list|vec!|tuple|(?:std::)?(?:string|vector)(?:<\w+>)?|String::from|Some|\[\]\w+|new \w+\[\]))?[[({]+(?:[\s,;]|-?\d[\d.]*|"[^"\\]*"|'[^'\\]*')*[\])}]+$/;
const LAST_VALUE = /("[^"\\$#{}%]*"|'[^'\\$#{}%]*'|-?\d[\d.]*)(?=[^"'\d]*$)/;

/** Of a shell, say. Whoever reads the answers out of a test looks for another number. */
const QUOTED_NUMBER = /^(["'])(\d{1,9})\1$/;

function otherValue(text: string, isWord: boolean, by: number): string | null {
  const [, quote, number] = QUOTED_NUMBER.exec(text) ?? [];
  if (quote !== undefined) return `${quote}${Number(number) + by}${quote}`;
  if (QUOTED.test(text) || NUMBER.test(text)) return anotherValue(text, `x${by}`);
  return isWord && BARE.test(text) ? `${text}x${by}` : null;
}

function otherList(text: string, _: boolean, by: number): string | null {
  if (!LISTED.test(text)) return null;
  const other = text.replace(LAST_VALUE, (value) => anotherValue(value, `x${by}`));
  return other === text ? null : other;
}
