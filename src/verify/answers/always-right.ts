import { newWords, type MentionOptions } from "../baseline/runner-mentions.ts";

/** How languages let a type say what it is equal to, where it says yes without looking. */
const ALWAYS_EQUAL = [
  // C++, C#, Swift, Java, Kotlin, Scala.
  /\boperator\s*==\s*\([^)\n]*\)[^{;\n]*\{\s*return\s+true\s*;?\s*\}/,
  /\boperator\s*!=\s*\([^)\n]*\)[^{;\n]*\{\s*return\s+false\s*;?\s*\}/,
  /\b(?:equals|Equals)\s*\([^)\n]*\)[^{;=\n]*(?:\{\s*return\s+true\s*;?\s*\}|=>?\s*true\b)/,
  /\bstatic\s+func\s+==\s*\([^)\n]*\)\s*->\s*Bool\s*\{\s*(?:return\s+)?true\s*\}/,
  // Python and Ruby.
  /\bdef\s+__eq__\s*\([^)\n]*\)[^:\n]*:\s*return\s+True\b/,
  /\bdef\s+__ne__\s*\([^)\n]*\)[^:\n]*:\s*return\s+False\b/,
  /\bdef\s+(?:==|eql\?|equal\?|===)\s*\(?\s*\w+\s*\)?\s*(?:=\s*|;\s*|\n\s*)true\b/,
  /\bdef\s+[\w@]+\.(?:==|eql\?|equal\?|===)\s*\(?\s*\*?\w*\s*\)?\s*(?:=\s*|;\s*|\n\s*)true\b/,
  /\bdefine_(?:singleton_)?method\(?\s*:(?:==|eql\?|equal\?|===)\s*\)?\s*(?:\{|do)\s*(?:\|[^|\n]*\|)?\s*true\b/,
  // Rust, Haskell, Lua, Perl, JavaScript's own way of comparing.
  /\bfn\s+eq\s*\([^)\n]*\)\s*->\s*bool\s*\{\s*true\s*\}/,
  /^\s*(?:_\s*==\s*_|\(==\)\s*_\s*_)\s*=\s*True\b/m,
  /\b__eq\s*=\s*function\s*\([^)\n]*\)\s*return\s+true\s+end/,
  /'(?:==|eq)'\s*=>\s*sub\s*\{\s*(?:return\s+)?1\s*;?\s*\}/,
  /\basymmetricMatch\s*\([^)\n]*\)\s*\{\s*return\s+true\s*;?\s*\}/,
];
const LONGEST_TEXT = 256 * 1024;

const CLASS = /^[ \t]*class[ \t]+(\w+)/;
const EQUALS = /^([ \t]+)def[ \t]+__eq__[ \t]*\([ \t]*(\w+)[^,)]*,[ \t]*(\w+)[^)]*\)[^:]*:(.*)/;
const LONGEST_LINE = 1_000;

/** Python that compares without looking at itself or at what it is: others are equal to it by what they are. */
function equalByOthersIn(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.slice(0, LONGEST_LINE));
  let name = "";
  return lines.flatMap((line, at) => {
    name = CLASS.exec(line)?.[1] ?? name;
    const [, indent = "", own = "", other = "", first = ""] = EQUALS.exec(line) ?? [];
    if (own === "" || name === "") return [];
    const below = lines.slice(at + 1);
    const isInside = (each: string): boolean =>
      each.trim() === "" || (each.startsWith(indent) && /^[ \t]/.test(each.slice(indent.length)));
    const end = below.findIndex((each) => !isInside(each));
    const body = [first, ...(end === -1 ? below : below.slice(0, end))].join("\n");
    const has = (words: string): boolean => new RegExp(String.raw`\b(?:${words})\b`).test(body);
    return has(other) && !has(`${own}|${name}|super|__class__|raise`) ? [`__eq__ of ${name}`] : [];
  });
}

/** Where a text says that something is equal to everything, in its own words. */
export function equalToAllIn(text: string): readonly string[] {
  const flat = text.slice(0, LONGEST_TEXT);
  const always = ALWAYS_EQUAL.flatMap(
    (pattern) => pattern.exec(flat)?.[0].replaceAll(/\s+/g, " ").trim() ?? [],
  );
  return always.length > 0 ? always : equalByOthersIn(flat);
}

const CLOCK =
  /\b(?:Date\.now\(\)|new Date\(\)|time\.time\(\)|time\.Now\(\)|datetime\.(?:now|today|utcnow)\(|date\.today\(\)|Time\.now|Date\.today|os\.time\(\)|time\(NULL\)|time\(nullptr\)|time\(0\)|Instant\.now\(\)|LocalDate\.now\(\)|System\.currentTimeMillis\(\)|SystemTime::now\(\)|DateTime\.(?:Utc)?Now|Sys\.time\(\)|Sys\.Date\(\)|microtime\(|getdate\(|clock seconds|epochTime\(\)|date \+%\w|\$EPOCHSECONDS|\btime\(\))/;
/** A moment that somebody wrote: seconds or milliseconds since 1970, a year to come, or a date. */
const MOMENT =
  /(?<![\w.])(?:1[5-9]\d{8}|2\d{9}|1[5-9]\d{11}|2\d{12}|1\.\d+e\+?(?:9|12)|20[2-9]\d)(?![\w.])|["'`]20\d\d-\d\d|\b(?:Date|date|datetime|UTC|local|of|new)\(\s*20\d\d\s*,/;
const COMPARED = /[<>]|\b(?:lt|gt|le|ge|-lt|-gt|-le|-ge|before|after|isBefore|isAfter|Before|After)\b/;

/** Lines that do something else from some day on. */
export function datedBehaviourIn(text: string): readonly string[] {
  const lines = text.slice(0, LONGEST_TEXT).split("\n");
  return lines
    .filter((line) => line.length < 1_000 && CLOCK.test(line) && MOMENT.test(line) && COMPARED.test(line))
    .map((line) => line.trim().slice(0, 80));
}

const ASKED =
  /\b(?:equal|equality|compar|wildcard|placeholder|match(?:es)? (?:any|every)|date|day|time|clock|expir|deadline|deprecat|now)/i;

/** Source that since the opening is equal to everything, or does something else from some day on; not if the spec speaks of such things. */
export async function newlyConditional(options: MentionOptions): Promise<readonly string[]> {
  if (ASKED.test(options.spec)) return [];
  return newWords(
    options,
    (text) => [...equalToAllIn(text), ...datedBehaviourIn(text)],
    () => false,
  );
}
