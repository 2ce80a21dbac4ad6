import { NUMBER as WRITTEN_NUMBER } from "./altered.ts";
import { withOtherArgument, type Comparer } from "./comparers.ts";

/** Where a text compares, by a sign or a word for it. */
const COMPARES =
  /[!=]=|<>|(?<=\])\s*=\s|\s=\s+"|\b(?:is(?:_deeply)?|isnt|eq|ne|eql|like|cmp(?:_ok)?|diff|same\w*|expect\w*|want\w*|should\w*|must\w*)\b|assert|equal|\b(?:ok|check|verify|require)\w*!?\s*[("'\d]|^\s*test\s+[\w.-]+\s+\{|\s-result\s/i;
const DIFFERS = /!==?|<>|~=|\bassert|\b(?:unless|not|-ne|ne)\b/;
/** A row of values that something else compares with. */
const TABLE = /(?:["']|\b\d+)\s*(?:,|=>|:)\s*(?:["'[{(-]|\d)/;
/** Where a value says what to load, how it ended, or what people read. */
const NO_COMPARISON =
  /^\s*(?:import|from|use|using|require\w*|include|#\s*include|package|module|source|\.|load|exec|cd|export|mod|extern|library)\s|\b(?:require|import)\s*\(|\b(?:plan|tests)\s*=>|\bexit\b|\breturn\b|^\s*(?:while|until|loop)\b|\b(?:print\w*|puts|echo|say|log|warn|error|fail\w*|throw|raise|die|panic|message|Errorf|Fatalf?)\b/;
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*|--|;|%)/;
const FOUND = new RegExp(
  String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<![\w.$]|[A-Za-z]-)${WRITTEN_NUMBER}`,
  "g",
);
/** What an assertion says where it fails. */
const MESSAGE =
  /(?:\b(?:assert|ok|check|verify|require|ensure|is|isnt|is_deeply|isa_ok|like|unlike)!?\s*\([^\n]*|\bassert\s[^\n]*),\s*$/;
/** Behind it are the names of a table's columns. */
const NAMES_FOLLOW = /\bparametrize\(\s*(?:[([][^)\]]*)?$/;
const NAMES_ARE_BELOW = /\bparametrize\(\s*$/;
const LAST = /^\)?;?\s*$/;
const NUMBER = /^-?\d/;
/** Nothing, an option, a path, or more than a text. */
const LEADING_TEXT = /^["'](?:["']|-)|\/|\.[A-Za-z]\w{0,3}["']$|[\\$#{}%]/;
const LONGEST_LINE = 400;
const LONGEST_TEXT = 100_000;

/**
 * A text that judges, with other values than it compares with, each another one, so that two that were the same are no longer. In
 * any language: what it does not understand it leaves alone. `comparers`: what the project has of its own to compare with. null: it
 * compares with none.
 */
export function withOtherValues(text: string, comparers: readonly Comparer[] = []): string | null {
  if (text.length > LONGEST_TEXT || text.includes("\0")) return null;
  let changes = 0;
  let compares = false;
  let isSure = false;
  const lines = text
    .replaceAll(IMPORTED, "$1\0")
    .split(/(?<=\n|\0)/)
    .map((line, index, all) => {
      const bare = line.replace(FOUND, (literal) => (NUMBER.test(literal) ? literal : '""'));
      if (line.length > LONGEST_LINE || COMMENT.test(line)) return line;
      const given = withOtherArgument(line, comparers, changes + 1);
      if (given !== null) {
        changes += 1;
        isSure = true;
        return given;
      }
      compares ||= COMPARES.test(bare);
      if (NO_COMPARISON.test(bare) || NAMES_ARE_BELOW.test(all[index - 1] ?? "")) return line;
      if (!COMPARES.test(bare) && !TABLE.test(bare)) return line;
      return line.replace(FOUND, (literal, ...more: readonly unknown[]) => {
        const at = more.find((each) => typeof each === "number") ?? 0;
        const start = line.slice(0, at);
        const isLast = LAST.test(line.slice(at + literal.length));
        const isMessage = isLast && (MESSAGE.test(start) || isThirdWord(start));
        const isWords = isMessage || NAMES_FOLLOW.test(start);
        const other = isWords && !NUMBER.test(literal) ? literal : otherThan(literal, changes + 1);
        if (other !== literal) changes += 1;
        return other;
      });
    });
  const hasOthers = isSure || (changes > 0 && compares && expectsValues(text));
  return hasOthers ? lines.join("").replaceAll("\0", "") : null;
}

const COMPARING_WORD = /^(?:is|eq|ok|check|same|equal\w*|assert\w*|expect\w*|want\w*)$/i;

/** In a shell, what is said where it fails comes behind the two that are compared: `is "$(f a)" b "what it is"`. */
function isThirdWord(start: string): boolean {
  const [first = "", ...words] = start.replace(FOUND, '""').trim().split(/\s+/);
  return COMPARING_WORD.test(first) && words.length >= 2 && !words.some((each) => /[,(=]/.test(each));
}

/** A literal beside a sign or a word that compares. */
const DIRECT = /[!=]==?\s*[[({]*L|L[\])}]*\s*[!=]==?|<>\s*L|(?:\s=|-eq|-ne|\b(?:eq|ne)|~=)\s+L|\]\s*=\s*L/;
/** A literal that is given to what compares two values. */
const GIVEN =
  /(?:\b(?:is|isnt|is_deeply|cmp_ok|like|same\w*|want\w*|should(?:Be\w*|Equal\w*|\b)|expect\w*\b.*\.\s*(?:to\w*|be|eq\w*))\b|assert_?(?:eq|ne|is|same|that)\w*|equal|\btoBe|\bok\s[^(]).*[\s,([{]L|\bcheck\s+L|^\s*test\s+[\w.-]+\s+\{.*L|\s-result\s.*L/i;
/** Also a call that is given a comparison, and whose result nobody takes: `stopifnot(f(2) == 4)`. */
const ASSERTS =
  /^\s*(?:!\s*)?\[\[?\s|assert|\b(?:ok|check|verify|require|ensure|expect|is|should)\w*\b|^\s*(?!(?:if|elif|else|while|until|unless|for|return|switch|when|puts|print\w*|echo)\b)[\w.:]+!?\s*\((?=.*[!=]=).*\)\s*;?\s*$/i;
/** Whether there is something at all, and yes or no: what is given to such a question may well be another value. */
const NO_VALUE =
  /[(,]\s*(?:undef|None|null|nil|NULL|nullptr|undefined|true|false|True|False|TRUE|FALSE)\s*(?:,[^,]*)?\)/;
/** Where another value is as right as the one that is written. */
const WANTS_DIFFERENCE = /not_?eq|unequal|\bisnt\b|refute|assert_ne\b|differ/i;
/** What holds an expected value by its name, and is compared. */
const NAMED =
  /\b(?:want\w*|expect(?:ed|ation)\w*|exp|result|output)\b.*(?:[!=]=|equal|assert|\bis\b|same)|(?:[!=]=|equal|assert|\bis\b|same).*\b(?:want\w*|expect(?:ed|ation)\w*|exp|result|output)\b/i;

/** Whether a text fails because of a value that it has: an input of a question with yes or no may well be another one. */
function expectsValues(text: string): boolean {
  const lines = text.split("\n").map((line) =>
    COMMENT.test(line)
      ? ""
      : line
          .slice(0, LONGEST_LINE)
          .replace(FOUND, "L")
          .replace(/\s(?:#|\/\/)\s.*$/, ""),
  );
  return lines.some((line, at) => {
    if (NO_VALUE.test(line) || WANTS_DIFFERENCE.test(line)) return false;
    if (GIVEN.test(line) || NAMED.test(line)) return true;
    if (comparesLastOfRow(lines, at) || comparesFieldOfRow(lines, at)) return true;
    if (comparesLastParameter(lines, at)) return true;
    return (
      DIRECT.test(line) && (ASSERTS.test(line) || lines.slice(at, at + 3).some((each) => FAILS.test(each)))
    );
  });
}

/** `for (const [items, sum] of …`, `as [$items, $sum]`, `for items, sum in`, `|items, sum|`: the last name of a row. */
const ROW =
  /\b(?:for|foreach|each)\b.*?(?:[\w$]+,\s*)+[$]?(?<last>\w+)[\])]?\s*(?:of\b|in\b|:?=|\)|\|)|\bas\s+\[[^\]]*[$](?<php>\w+)\]/;

const ROW_OF_VALUES = /L[\])}]*,\s*[[({]*L\s*[\])}]/;

/** Whether the last values of a table's rows, which are written there, are what something is compared with. */
function comparesLastOfRow(lines: readonly string[], at: number): boolean {
  const { last, php } = ROW.exec(lines[at] ?? "")?.groups ?? {};
  const name = last ?? php;
  if (name === undefined || !lines.some((line) => ROW_OF_VALUES.test(line))) return false;
  const compared = new RegExp(`[!=]==?\\s*[$]?${name}\\b|\\b${name}\\s*[!=]=`);
  return lines.slice(at, at + 6).some((line) => compared.test(line));
}

/** What a test takes from a row of a table: `def test_wrap(text, lines):`, `(text, lines) =>`. */
const TAKES_ROW =
  /^\s*(?:async\s+)?def\s+test\w*\((?:[^)]*,\s*)(?<python>\w+)\s*\)|\((?:\s*\w+\s*,)+\s*(?<last>\w+)\s*\)\s*=>/;
const GIVES_ROWS = /\bparametrize\(|\.each\b/;
const MOST_ROWS = 60;

/** Whether what a test takes last from a table's rows is what it compares with, and is on one side alone. */
function comparesLastParameter(lines: readonly string[], at: number): boolean {
  const { python, last } = TAKES_ROW.exec(lines[at] ?? "")?.groups ?? {};
  const name = python ?? last;
  if (name === undefined) return false;
  const rows = lines.slice(Math.max(0, at - MOST_ROWS), at + 1);
  if (!rows.some((line) => GIVES_ROWS.test(line)) || !rows.some((line) => ROW_OF_VALUES.test(line)))
    return false;
  const others = `(?:(?!\\b${name}\\b).)*`;
  const compared = new RegExp(
    `^\\s*assert\\s${others}==\\s*${name}\\s*$|\\bexpect\\(${others}\\)\\.to(?:Be|Equal|StrictEqual)\\(\\s*${name}\\s*\\)|[eE]qual\\(${others},\\s*${name}\\s*\\)`,
  );
  return lines.slice(at, at + 8).some((line) => compared.test(line));
}

/** `const double answer = cases[i].answer;`: a row of a table in a language without such loops. */
const FIELD = /\b(?<field>\w+)\s*=\s*\w+\[\w+\]\s*(?:\.|->)\s*\w+\s*;?\s*$/;

function comparesFieldOfRow(lines: readonly string[], at: number): boolean {
  const { field } = FIELD.exec(lines[at] ?? "")?.groups ?? {};
  if (field === undefined || !lines.some((line) => ROW_OF_VALUES.test(line))) return false;
  const compared = new RegExp(
    `[!=]=\\s*${field}\\b|\\b${field}\\s*[!=]=|(?:equal|eq)\\w*\\s*\\(.*,\\s*${field}\\s*\\)`,
    "i",
  );
  return lines.slice(at + 1, at + 8).some((line) => compared.test(line));
}

/** Something may follow it on its line. */
const IMPORTED = /^([ \t]*import\b[^;\n]*;)(?=[ \t]*\S)/gm;
const FAILS = /\b(?:assert\w*|throw|raise|die|exit|exitCode|panic|fail\w*)\b/;

/** Whether a text fails where something differs: it judges, whatever its name. */
export function failsByComparing(text: string): boolean {
  const lines = text.slice(0, LONGEST_TEXT).split("\n");
  return lines.some(
    (line, at) => DIFFERS.test(line) && lines.slice(at, at + 3).some((each) => FAILS.test(each)),
  );
}

/** Whoever reads it takes no other form: a broken text isn't another value. */
const HAS_FORM = /\.(?:json[c5l]?|ndjson|ya?ml|toml|xml|html?|svg)$/i;
/** The last text of a line that isn't a name, or what is written between two tags. */
const LAST_TEXT = /"(?=[^"\n]*$)(?!\s*:)|(?<=>[^<>\n]*\w)(?=<\/)/;

/** Other lines than a program prints: numbers and words, without a language around them. */
export function withOtherLines(path: string, text: string): string | null {
  if (text.length > LONGEST_TEXT || text.includes("\0")) return null;
  const hasForm = HAS_FORM.test(path);
  const lines = text.split("\n").map((line, at) => {
    const numbered = line.replace(/(?<![\w.-])\d{1,9}(?![\w.-])/g, (found) => otherThan(found, at + 1));
    if (numbered !== line || line.trim() === "") return numbered;
    return hasForm ? line.replace(LAST_TEXT, (found) => `x${at + 1}${found}`) : `${line}x${at + 1}`;
  });
  const other = lines.join("\n");
  return other === text ? null : other;
}

/** 0 and 1 say more often whether something failed, or where something begins. */
function otherThan(literal: string, by: number): string {
  const inside = literal.slice(1, -1);
  if (/^["']\d{1,9}["']$/.test(literal)) return `${literal[0]}${Number(inside) + by}${literal[0]}`;
  if (!NUMBER.test(literal))
    return LEADING_TEXT.test(literal) ? literal : `${literal.slice(0, -1)}x${by}${literal.at(-1)}`;
  const number = Number(literal.replaceAll("_", ""));
  return literal.includes(".") || Math.abs(number) <= 1 ? literal : String(number + by);
}
