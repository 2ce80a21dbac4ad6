import { isNoise, placesIn } from "../../core/output/line-kinds.ts";
import { rarityOf, showsValue } from "../answers/literals.ts";
import { TestCode, type StatementOptions, type TestedStatement } from "../answers/tested-statements.ts";
import { withoutPaint } from "./told-failures.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { nameOf } from "../definitions/project-files.ts";

/** A file that judges. */
export interface JudgingText {
  readonly path: string;
  readonly text: string;
  readonly mode: ReplacedFile["mode"];
}

const MOST_STATEMENTS = 4;
/** How many are looked at for those: a project may have thousands, and each takes a while to read. */
const MOST_READ = 200;
/** How far from its place a failure says what it compared. */
const AROUND = 14;

/**
 * The assertions that failed before the work, by the places in what was printed then; where it has none, those of which a failure
 * shows what they expect, and then rows of data that it shows. Without an output, nothing ran before the work: then the first ones of all.
 */
export function chosenStatements(
  tests: readonly JudgingText[],
  output: string | null,
  options: Omit<StatementOptions, "isShown" | "taken">,
): readonly TestedStatement[] {
  const codes = new Map(
    tests.flatMap(({ path, text }) => {
      const code = TestCode.of(path, text);
      return code === null ? [] : [[path, code] as const];
    }),
  );
  if (output === null) return firstOf([...codes.values()], { ...options, isShown: () => true });
  const lines = withoutPaint(output).split("\n");
  const failed: TestedStatement[] = [];
  const taken = new Set<number>();
  const expectations = new Set<string>();
  let tried = 0;
  for (const [index, line] of lines.entries())
    for (const place of placesIn(line)) {
      if (tried >= MOST_READ || expectations.size >= MOST_STATEMENTS) break;
      const [, file = "", number = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
      const code = [...codes].find(([path]) => isSameFile(path, file))?.[1];
      if (code === undefined) continue;
      tried += 1;
      const around = lines.slice(Math.max(0, index - AROUND), index + AROUND).join("\n");
      const isShown = (content: string): boolean => showsValue(around, content);
      const statement = code.statementAt(Number(number), { ...options, isShown, taken });
      if (statement === null) continue;
      failed.push(statement);
      expectations.add(statement.expected.content);
      taken.add(statement.inputs[0]?.from ?? -1);
    }
  const placed = distinct(failed);
  if (placed.length > 0) return placed;
  const written = firstOf([...codes.values()], {
    ...options,
    isShown: (content) => showsValue(output, content),
  });
  return written.length > 0 ? written : rowsOf([...codes.values()], lines, options);
}

const EXPECTED = /\b(?:expect\w*|want\w*|should\w*)\b/i;

function rowsOf(
  codes: readonly TestCode[],
  printed: readonly string[],
  options: Omit<StatementOptions, "isShown" | "taken">,
): readonly TestedStatement[] {
  const telling = printed.filter((line) => !isNoise(line));
  const expected = telling.filter((line) => EXPECTED.test(line)).join("\n");
  const all = telling.join("\n");
  const shows = {
    isShown: (content: string): boolean => showsValue(all, content),
    isExpected: (content: string): boolean => showsValue(expected, content),
  };
  const rows = codes.flatMap((code) => code.shownRows({ ...options, ...shows }));
  const rarity = ({ expected }: TestedStatement): number => rarityOf(expected.content);
  const most = Math.max(...rows.map(rarity));
  return distinct(rows.filter((row) => rarity(row) === most));
}

function firstOf(codes: readonly TestCode[], options: StatementOptions): readonly TestedStatement[] {
  const most = Math.ceil(MOST_READ / Math.max(1, codes.length));
  return distinct(codes.flatMap((code) => code.assertions(options, most)));
}

/** Each once, different expectations first. */
function distinct(statements: readonly TestedStatement[]): readonly TestedStatement[] {
  const found = new Map(statements.map((each) => [`${each.path}:${each.inputs[0]?.from}`, each]));
  const all = [...found.values()];
  const values = new Set<string>();
  const other = all.filter(({ expected: { content } }) => !values.has(content) && values.add(content));
  return [...other, ...all.filter((each) => !other.includes(each))].slice(0, MOST_STATEMENTS);
}

/** Some runners name files without their folders. */
function isSameFile(path: string, printed: string): boolean {
  return (
    printed === path ||
    printed.endsWith(`/${path}`) ||
    path.endsWith(`/${printed}`) ||
    nameOf(path) === printed
  );
}
