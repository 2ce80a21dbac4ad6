/** A changed line with one small fault put in. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** What was done to it, for people. */
  readonly change: string;
  /** The line as it is then. */
  readonly text: string;
}

interface Family {
  readonly extensions: RegExp;
  readonly comment: RegExp;
  readonly operators: readonly Operator[];
}

/** `masked`: the line with the insides of its texts and its comment blanked out, so that places in it are those of the line. */
interface Operator {
  readonly change: string;
  readonly pattern: RegExp;
  readonly by: (found: RegExpExecArray) => string;
}

const swap = (change: string, pattern: RegExp, by: string): Operator => ({ change, pattern, by: () => by });

const COMPARISONS: readonly Operator[] = [
  swap("=== becomes !==", /===/, "!=="),
  swap("!== becomes ===", /!==/, "==="),
  swap("== becomes !=", /(?<![=!<>])==(?!=)/, "!="),
  swap("!= becomes ==", /!=(?!=)/, "=="),
  swap("<= becomes >", /<=(?![=>])/, ">"),
  swap(">= becomes <", /(?<![=>])>=(?!=)/, "<"),
  swap("< becomes >=", /(?<=\s)<(?=\s)/, ">="),
  swap("> becomes <=", /(?<=\s)>(?=\s)/, "<="),
];

const ARITHMETIC: readonly Operator[] = [
  swap("+ becomes -", /(?<=[\w)\]]\s)\+(?=\s)/, "-"),
  swap("- becomes +", /(?<=[\w)\]]\s)-(?=\s)/, "+"),
];

const NUMBER: Operator = {
  change: "a number is one more",
  pattern: /(?<![\w.])\d+(?![\w.])/,
  by: ([digits]) => String(Number(digits) + 1),
};

const BRACES: Family = {
  extensions: /\.(?:[cm]?[jt]sx?|java|kt|cs|c|cc|cpp|h|hpp|go|rs|swift|php|scala|dart)$/,
  comment: /^\s*(?:\/\/|\/\*|\*|#|@|import\b|export \*|package\b|using\b|use\b|#include)/,
  operators: [
    ...COMPARISONS,
    swap("&& becomes ||", /&&/, "||"),
    swap("|| becomes &&", /\|\|/, "&&"),
    swap("true becomes false", /\btrue\b/, "false"),
    swap("false becomes true", /\bfalse\b/, "true"),
    {
      change: "the condition is negated",
      pattern: /\b(if|while) \((.+)\)(?=\s*\{?\s*$)/,
      by: ([, word, condition]) => `${word ?? ""} (!(${condition ?? ""}))`,
    },
    ...ARITHMETIC,
    swap("returns nothing", /\breturn\s+[^;]+;/, "return;"),
    NUMBER,
    {
      change: "the statement is gone",
      pattern: /^(\s*)(?:await )?[\w.]+\(.*\);\s*$/,
      by: ([, blanks]) => blanks ?? "",
    },
  ],
};

const PYTHON: Family = {
  extensions: /\.pyi?$/,
  comment: /^\s*(?:#|@|import\b|from\b|"""|''')/,
  operators: [
    ...COMPARISONS,
    swap("and becomes or", /\band\b/, "or"),
    swap("or becomes and", /\bor\b/, "and"),
    swap("True becomes False", /\bTrue\b/, "False"),
    swap("False becomes True", /\bFalse\b/, "True"),
    {
      change: "the condition is negated",
      pattern: /\b(if|while) (.+):\s*$/,
      by: ([, word, condition]) => `${word ?? ""} not (${condition ?? ""}):`,
    },
    ...ARITHMETIC,
    swap("returns nothing", /\breturn\s+\S.*$/, "return None"),
    NUMBER,
    {
      change: "the statement is gone",
      pattern: /^(\s*)[\w.]+\(.*\)\s*$/,
      by: ([, blanks]) => `${blanks ?? ""}pass`,
    },
  ],
};

const RUBY: Family = {
  extensions: /\.rb$/,
  comment: /^\s*(?:#|require|include\b|=begin)/,
  operators: [
    ...COMPARISONS,
    swap("&& becomes ||", /&&/, "||"),
    swap("|| becomes &&", /\|\|(?!=)/, "&&"),
    swap("true becomes false", /\btrue\b/, "false"),
    swap("false becomes true", /\bfalse\b/, "true"),
    swap("if becomes unless", /^(\s*)if\b/, "unless"),
    ...ARITHMETIC,
    swap("returns nothing", /\breturn\s+\S.*$/, "return nil"),
    NUMBER,
  ],
};

const FAMILIES = [BRACES, PYTHON, RUBY];

/** Whether there are operators for a file. */
export function canMutate(path: string): boolean {
  return FAMILIES.some(({ extensions }) => extensions.test(path));
}

/** Each fault that can be put into a line. */
export function mutantsOf(file: string, line: number, text: string): readonly Mutant[] {
  const family = FAMILIES.find(({ extensions }) => extensions.test(file));
  if (family === undefined || family.comment.test(text) || text.length > LONGEST_LINE) return [];
  const masked = withoutTexts(text);
  return family.operators.flatMap(({ change, pattern, by }) => {
    const found = pattern.exec(masked);
    if (found === null) return [];
    const real = pattern.exec(text);
    // What the fault takes over from the line has to be the line's own words.
    const replaced = by(real !== null && real.index === found.index ? real : found);
    const mutated = text.slice(0, found.index) + replaced + text.slice(found.index + found[0].length);
    return mutated === text ? [] : [{ file, line, change, text: mutated }];
  });
}

const LONGEST_LINE = 300;

/** Texts in quotes, and what comes after `//` or ` #`, as blanks of the same length. */
function withoutTexts(text: string): string {
  return text
    .replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, (quoted) => `"${"_".repeat(Math.max(0, quoted.length - 2))}"`)
    .replace(/(?:\/\/|\s#\s).*$/, (comment) => " ".repeat(comment.length));
}

/** The first fault of each line, then the second of each, and so on: few mutants look at many lines. */
export function chosenMutants(
  lines: readonly { readonly file: string; readonly line: number; readonly text: string }[],
  count: number,
): readonly Mutant[] {
  const perLine = lines
    .map(({ file, line, text }) => mutantsOf(file, line, text))
    .filter((each) => each.length > 0);
  const chosen: Mutant[] = [];
  for (let depth = 0; chosen.length < count && perLine.some((each) => each.length > depth); depth += 1)
    for (const mutants of spread(perLine)) {
      const next = mutants[depth];
      if (next !== undefined && chosen.length < count) chosen.push(next);
    }
  return chosen;
}

/** Far from each other first, so that whoever stops early has seen all of the work. */
function spread<Each>(list: readonly Each[]): readonly Each[] {
  let step = Math.max(1, Math.round(list.length * 0.382));
  // Otherwise it would come back to the first before it has seen all.
  while (divisor(step, list.length) !== 1) step += 1;
  return list.map((_, index) => list[(index * step) % list.length] as Each);
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}
