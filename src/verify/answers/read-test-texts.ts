import { Code } from "../faults/code.ts";
import type { MentionOptions } from "../baseline/runner-mentions.ts";
import { filesAt, folderOf } from "../definitions/project-files.ts";
import { isCode, isHeldAgainst } from "../definitions/test-files.ts";
import { TestTexts } from "./answered-inputs.ts";
import type { PrintedCase } from "./printed-answers.ts";

const MOST_TESTS = 200;
const LONGEST_TEST = 300_000;

/** The tests of a check, those inside sources, and files with inputs and what is expected of them. */
export async function readTestTexts(
  { place, meaning, now }: MentionOptions,
  judging: ReadonlySet<string>,
): Promise<TestTexts> {
  const files = filesAt(place.root, [...now.keys()], now);
  const data = meaning.definitions.flatMap(({ kind, path, digest }) =>
    kind === "input" && digest !== null && !isCode(path) ? [path] : [],
  );
  const tests = [];
  for (const path of [...judging, ...data].slice(0, MOST_TESTS)) {
    const text = (await files.read(path)) ?? "";
    if (text.length <= LONGEST_TEST) tests.push({ path, text });
  }
  const inline = new Set(meaning.definitions.flatMap(({ kind, path }) => (kind === "inline" ? [path] : [])));
  for (const path of [...inline].slice(0, MOST_TESTS))
    tests.push({ path, text: testsInside(path, (await files.read(path)) ?? "") });
  return new TestTexts([...tests, ...besides(tests.filter(({ path }) => !isCode(path)))]);
}

/** What a program should print, with what is in the same folder: one of them may say what it is given. */
export async function readPrintedCases({
  place,
  meaning,
  before,
  now,
}: MentionOptions): Promise<readonly PrintedCase[]> {
  const files = filesAt(place.root, [...now.keys()], now);
  const paths = meaning.definitions.flatMap(({ kind, part, path, digest }) =>
    kind === "test" && part === null && digest !== null && before.has(path) ? [path] : [],
  );
  const read = await Promise.all(
    paths.slice(0, MOST_TESTS).map(async (path) => ({ path, text: (await files.read(path)) ?? "" })),
  );
  const texts = read.filter(({ text }) => text.length <= LONGEST_TEST);
  return texts
    .filter(({ path }) => !isCode(path) && isHeldAgainst(path))
    .map(({ path, text }) => ({
      path,
      text,
      given: texts.flatMap((each) =>
        each.path !== path && folderOf(each.path) === folderOf(path) ? [each.text] : [],
      ),
    }));
}

interface TestText {
  readonly path: string;
  readonly text: string;
}

/** Files that differ in their endings, line beside line: `many.in` has the inputs, `many.out` what is expected of them. */
function besides(files: readonly TestText[]): readonly TestText[] {
  const stems = new Map<string, TestText[]>();
  for (const each of files) {
    const stem = each.path.replace(/\.[^./]+$/, "");
    stems.set(stem, [...(stems.get(stem) ?? []), each]);
  }
  return [...stems.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < 2) return [];
    const lines = group.map(({ text }) => text.split("\n"));
    const most = Math.max(...lines.map(({ length }) => length));
    const text = Array.from({ length: most }, (_, at) => lines.map((each) => each[at] ?? "").join("\t"));
    return [{ path: first.path, text: text.join("\n") }];
  });
}

/** The lines of a source that are its tests, or examples in its comments. */
function testsInside(path: string, text: string): string {
  const code = Code.of(path, text);
  const lines = new Set(
    code?.tokens.flatMap(({ line }, index) => (code.surroundingsOf(index).isTest ? [line] : [])),
  );
  const isExample = (line: string): boolean => /^\s*(?:\/\/[/!]|>>>|\.\.\. |\*)/.test(line);
  const all = text.split("\n");
  return all
    .map((line, at) => (lines.has(at + 1) || isExample(line) || isExample(all[at - 1] ?? "") ? line : ""))
    .join("\n");
}
