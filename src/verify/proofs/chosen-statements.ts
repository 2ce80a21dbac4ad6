import { placesIn } from "../../core/output/line-kinds.ts";
import { showsValue } from "../answers/literals.ts";
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
/** How far from its place a failure says what it compared. */
const AROUND = 14;

/**
 * The assertions that failed before the work, by the places in what was printed then; where it has none, those of which a failure
 * shows what they expect. Without an output, nothing ran before the work: then the first ones of all.
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
  for (const [index, line] of lines.entries())
    for (const place of placesIn(line)) {
      const [, file = "", number = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
      const code = [...codes].find(([path]) => isSameFile(path, file))?.[1];
      const around = lines.slice(Math.max(0, index - AROUND), index + AROUND).join("\n");
      const isShown = (content: string): boolean => showsValue(around, content);
      const statement = code?.statementAt(Number(number), { ...options, isShown, taken }) ?? null;
      if (statement === null) continue;
      failed.push(statement);
      taken.add(statement.inputs[0]?.from ?? -1);
    }
  const placed = distinct(failed);
  if (placed.length > 0) return placed;
  return firstOf([...codes.values()], { ...options, isShown: (content) => showsValue(output, content) });
}

function firstOf(codes: readonly TestCode[], options: StatementOptions): readonly TestedStatement[] {
  return distinct(codes.flatMap((code) => code.assertions(options)));
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
