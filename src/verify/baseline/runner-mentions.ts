import { filesAt } from "../definitions/project-files.ts";
import { definesTests, isCode, isCodeOf, isNamedAsHelper } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import type { Baseline } from "./baseline-record.ts";
import { readKept } from "./kept-files.ts";
import type { Listing, Place } from "./kept-files.ts";

/**
 * How code finds out that tests run, or tells their runner what to do: by the name of a runner, by what runners leave in the
 * surroundings, and by what languages offer for it.
 */
const MENTION =
  /\b(?:jest|vitest|mocha|jasmine|pytest|unittest|rspec|minitest|phpunit|testng|junit)\b|\bnode:test\b|\b(?:JEST|VITEST|PYTEST|MOCHA|AVA|TAP|BATS|RSPEC|PHPUNIT|CTEST|NEXTEST)_[A-Z_]+\b|\bVITEST\b|\bNODE_TEST_CONTEXT\b|\bcfg!\s*\(\s*test\b|\bcfg\s*\(\s*not\s*\(\s*test\b|\btesting\.Testing\s*\(|\bflag\.Lookup\s*\(\s*"test\.|["'`]\.test["'`]|\b(?:NODE|RAILS|RACK|APP|MIX|GO|PY)_ENV\b[^\n]{0,20}["':]test\b|\bretryTimes\b|\bretries\s*\(/gi;

const COMMENT = /^\s*(?:\/\/|#(?![![])|\*|\/\*|--|;)/;
const LONGEST_TEXT = 256 * 1024;

/** What a text mentions of runners, outside its comments, in lower case. */
export function mentionsIn(text: string): readonly string[] {
  const lines = text.slice(0, LONGEST_TEXT).split("\n");
  return lines
    .filter((line) => !COMMENT.test(line))
    .flatMap((line) => [...line.slice(0, 2_000).matchAll(MENTION)].map(([found]) => found.toLowerCase()));
}

interface MentionOptions {
  readonly place: Place;
  readonly baseline: Baseline;
  readonly before: Listing;
  readonly now: Listing;
  readonly spec: string;
}

/** Source that knows of a runner since the opening. A project whose sources did before is about such things, and so may a spec be. */
export async function newRunnerMentions(options: MentionOptions): Promise<readonly string[]> {
  const { place, before, now, spec } = options;
  const changed = [...now.keys()].filter((path) => before.get(path) !== now.get(path) && isPlainSource(path));
  if (changed.length === 0) return [];
  const files = filesAt(place.root, changed, now);
  const mentioned: { readonly path: string; readonly word: string }[] = [];
  for (const path of changed) {
    const text = (await files.read(path)) ?? "";
    if (isTestCode(path, text)) continue;
    for (const word of new Set(mentionsIn(text))) mentioned.push({ path, word });
  }
  if (mentioned.length === 0) return [];
  const known = await mentionedBefore(options);
  const asked = spec.toLowerCase();
  return mentioned
    .filter(({ word }) => !known.has(word) && !asked.includes(word))
    .map(({ path, word }) => `"${word}" in ${path}`);
}

function isTestCode(path: string, text: string): boolean {
  return (["javascript", "python"] as const).some(
    (family) => isCodeOf(path, family) && definesTests(path, family, text),
  );
}

function isPlainSource(path: string): boolean {
  return isCode(path) && kindOf(path) === "source" && !isNamedAsHelper(path);
}

const MOST_READ = 1_000;

async function mentionedBefore({ place, baseline, before }: MentionOptions): Promise<ReadonlySet<string>> {
  const sources = [...before.keys()].filter(isPlainSource).slice(0, MOST_READ);
  const old = await readKept(place, baseline.kept, new Set(sources));
  return new Set([...old.values()].flatMap(({ content }) => mentionsIn(content.toString("utf8"))));
}
