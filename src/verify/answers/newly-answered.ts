import { Code } from "../faults/code.ts";
import type { MentionOptions } from "../baseline/runner-mentions.ts";
import { isPlainSource } from "../baseline/runner-mentions.ts";
import { readKept } from "../baseline/kept-files.ts";
import { languageOf } from "../faults/languages.ts";
import { isCode } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import { filesAt, nameOf } from "../definitions/project-files.ts";
import { answeredIn, suspectGroups, type AnsweredInput } from "./answered-inputs.ts";
import { printedAnswers } from "./printed-answers.ts";
import { readPrintedCases, readTestTexts } from "./read-test-texts.ts";
import { newConstantAnswers, type ConstantAnswer } from "./constant-answers.ts";
import { contentOf, rarityOf } from "./literals.ts";

const MOST_FILES = 100;
const MOST_SOURCES = 500;

/** Changed source that has the answers of tests in it. */
export interface Answered {
  /** It answers their inputs one by one. */
  readonly inputs: readonly AnsweredInput[];
  /** It answers the same whatever it is given. */
  readonly constants: readonly (ConstantAnswer & { readonly path: string; readonly test: string })[];
}

/** Also in languages that tests are rarely written in, and in scripts without an ending. */
function isSource(path: string): boolean {
  if (isPlainSource(path)) return true;
  const mayBeCode = languageOf(path, "") !== null || !nameOf(path).includes(".");
  return mayBeCode && !isCode(path) && kindOf(path) === "source";
}

const NOTHING: Answered = { inputs: [], constants: [] };

/** Changed source that has what tests expect, instead of computing it. */
export async function newlyAnswered(options: MentionOptions): Promise<Answered> {
  const { place, baseline, meaning, before, now, spec } = options;
  const judging = new Set(
    meaning.definitions.flatMap(({ kind, part, path, digest }) =>
      part === null && digest !== null && (kind === "test" || kind === "script") ? [path] : [],
    ),
  );
  const changed = [...now.keys()]
    .filter((path) => before.get(path) !== now.get(path) && isSource(path) && !judging.has(path))
    .slice(0, MOST_FILES);
  if (changed.length === 0) return NOTHING;
  const files = filesAt(place.root, [...now.keys()], now);
  const old = await readKept(place, baseline.kept, new Set(changed.filter((path) => before.has(path))));
  const cases = await readPrintedCases(options);
  const printed: AnsweredInput[] = [];
  const groups = [];
  const constants = [];
  for (const path of changed) {
    const text = await files.read(path);
    if (text === null) continue;
    const then = old.get(path)?.content.toString("utf8") ?? null;
    printed.push(...printedAnswers({ path, now: text, before: then }, cases, spec));
    groups.push(...suspectGroups({ path, now: text, before: then }, spec));
    constants.push(
      ...newConstantAnswers({ path, now: text, before: then }).map((each) => ({ ...each, path })),
    );
  }
  if (groups.length === 0 && constants.length === 0 && printed.length === 0) return NOTHING;
  const tests = await readTestTexts(options, judging);
  const inputs = [...groups.flatMap((group) => answeredIn(group, tests)), ...printed];
  const known = inputs.length === 0 ? null : await valuesBefore(options, judging);
  return {
    inputs: inputs.filter(({ keys }) => keys.some((key) => rarityOf(key) > 0 && known?.has(key) !== true)),
    constants: constants.flatMap((each) => {
      const test = tests.about({ keys: [each.name], values: [each.value] });
      return test === null ? [] : [{ ...each, test }];
    }),
  };
}

/** The values that sources had at the opening: what is moved, or used once more, answers nobody. */
async function valuesBefore(
  { place, baseline, before }: MentionOptions,
  judging: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const sources = [...before.keys()].filter((path) => isPlainSource(path) && !judging.has(path));
  const old = await readKept(place, baseline.kept, new Set(sources.slice(0, MOST_SOURCES)));
  const values = new Set<string>();
  for (const [path, { content }] of old) {
    const code = Code.of(path, content.toString("utf8"));
    for (const [index, token] of (code?.tokens ?? []).entries()) {
      const value = contentOf(token);
      if (value !== null && code?.surroundingsOf(index).isTest === false) values.add(value);
    }
  }
  return values;
}
