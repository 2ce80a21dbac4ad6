import { equalitiesInLines, LITERAL, withAltered } from "../altered.ts";
import { injectedText, type Dialect, type Failures, type Surroundings } from "../dialect.ts";
import { usedIn } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";
import { COMPARED, UNITTEST } from "../python.ts";

const TEST_CASE = /\bTestCase\b/;
const TEST_FUNCTION = /^[ \t]*(?:async[ \t]+)?def[ \t]+test_/m;
const EXAMPLE = /^[ \t]*>>> /m;
/** A script that calls its own tests. */
const CALLS_ITSELF = /^[ \t]*test_\w+\(|\bglobals\(\)|^if __name__\b/m;
/** It says itself which of its tests run. */
const SELECTS = /\bload_tests\b|\baddTests?\b|\bmakeSuite\b|\bpytestmark\b|\b__test__\b/;
const SELECTED =
  /(?:pytest|addopts)[^\n]{0,300}\s-[km]|::\w|\bpython_(?:functions|classes)\b|--(?:deselect|last-failed|lf|ff|sw|stepwise)\b|unittest[^\n]{0,300}\s(?:\w+\.){2}\w/;

/** A class of others, which nobody may look at for tests, has none of its own. */
const HAS_TESTS = /^[ \t]*(?:async[ \t]+)?def[ \t]+test/m;

/** What a test file does with the tests that it finds. */
type Kind = "case" | "functions" | "examples";

function kindOf(text: string, { runner, setup }: Surroundings): Kind | null {
  if (TEST_CASE.test(text)) return "case";
  const isPytest = runner?.includes("pytest") === true || /\bpytest\b/.test(`${setup}\n${text}`);
  if (TEST_FUNCTION.test(text) && isPytest) return "functions";
  if (TEST_FUNCTION.test(text) && !CALLS_ITSELF.test(text) && runner !== "unittest") return "functions";
  return EXAMPLE.test(text) ? "examples" : null;
}

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  return `mark_${marker.nonce}("${markOf(marker, kind, id)}")`;
}

/** One simple statement, so that no line moves. */
function beginning(marker: Marker): string {
  const code = `def mark_${marker.nonce}(word):
    try:
        import os
        handle = os.open(${JSON.stringify(marker.path)}, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, (word + "\\n").encode())
        os.close(handle)
    except BaseException:
        pass`;
  return `exec(${JSON.stringify(code)}); ${marked(marker, "loaded")}`;
}

function failingTests(text: string, kind: Kind, marker: Marker): readonly string[] {
  const { nonce } = marker;
  const bodies = (lines: readonly string[], indent: string): readonly (readonly [number, string])[] =>
    lines.map((line, at) => {
      const id = at + 1;
      const steps = [marked(marker, "ran", id), line, marked(marker, "survived", id)];
      return [id, steps.map((step) => `${indent}${step}`).join("\n")] as const;
    });
  if (kind === "case") {
    const lines = ['self.fail("x")', ...usedIn(text, [...UNITTEST, ...COMPARED])];
    const methods = bodies(lines, "        ").map(([id, body]) => `    def test_${id}(self):\n${body}`);
    return [`class Test_${nonce}(__import__("unittest").TestCase):`, ...methods];
  }
  if (kind === "functions")
    return bodies(["assert 1 == 2", ...usedIn(text, COMPARED)], "    ").map(
      ([id, body]) => `def test_${nonce}_${id}():\n${body}`,
    );
  return [`def example_${nonce}():\n    """\n    >>> ${marked(marker, "ran", 1)}; 1\n    2\n    """`];
}

const EQUALITIES = [
  new RegExp(
    `^(?<before>assert (?:(?!\\b(?:or|and|not|if|for|lambda|in|is)\\b)[^#=<>!;:\\\\])+ == )(?<literal>${LITERAL})(?<behind>)$`,
  ),
  new RegExp(`^(?<before>self\\.assertEquals?\\([^#;\\\\]+, ?)(?<literal>${LITERAL})(?<behind>\\))$`),
  new RegExp(`^(?<before>self\\.assertEquals?\\()(?<literal>${LITERAL})(?<behind>, ?[^#;\\\\]+\\))$`),
];

/** Comments, the text that documents the module, and what Python wants first. */
const PROLOGUE =
  /^(?:[ \t]*(?:#[^\n]*)?\n)*(?:[rRuU]?(?:"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''|"[^"\n]*"|'[^'\n]*')[^\n]*\n)?(?:[ \t]*(?:#[^\n]*)?\n|from[ \t]+__future__[ \t]+import[ \t]*(?:\([^)]*\)[^\n]*|[^\n(]*)\n)*/;
const SIMPLE = /^(?:import|from)\b/;
/** From there on, the file runs its tests. */
const RUNS_ITSELF =
  /^(?:if __name__\b|(?:unittest|pytest|doctest)\.\w+\(|sys\.exit\(|raise SystemExit|exit\(|main\(\))/m;

const NOTHING_ALTERED = { altered: null };

/** With the beginning that marks need. */
export function withWrongValuesInPython(
  text: string,
  marker: Marker,
  failures: Pick<Failures, "altered">,
): string {
  const wrapped = (statement: string, id: number): readonly string[] => [
    marked(marker, "reached", id),
    statement,
    marked(marker, "kept", id),
  ];
  const found = equalitiesInLines(text, marker.nonce, { patterns: EQUALITIES, wrapped });
  const altered = withAltered(text, found, failures);
  return atBeginning(altered, beginning(marker));
}

/** Behind what Python wants first. If it can be, on the line that is there, so that none moves. */
export function atBeginning(text: string, statement: string): string {
  const at = PROLOGUE.exec(text)?.[0].length ?? 0;
  return insertedAt(text, at, `${statement}${SIMPLE.test(text.slice(at)) ? "; " : "\n"}`);
}

export const PYTHON_TESTS: Dialect = {
  file: /\.py$/,
  inject: ({ text }, marker, { surroundings, failures }) => {
    const kind = kindOf(text, surroundings);
    if (kind === null) return null;
    const begun = withWrongValuesInPython(text, marker, kind === "examples" ? NOTHING_ALTERED : failures);
    const end = RUNS_ITSELF.exec(begun)?.index ?? begun.length;
    // Linters that run in the same check judge what people wrote.
    const added = [
      "# ruff: noqa",
      "# flake8: noqa",
      ...(failures.tests ? failingTests(text, kind, marker) : []),
      marked(marker, "read"),
    ];
    return injectedText(insertedAt(begun, end, `\n\n\n${added.join("\n")}\n\n`), {
      isSure:
        kind !== "examples" &&
        HAS_TESTS.test(text) &&
        !SELECTS.test(text) &&
        !SELECTED.test(surroundings.setup),
    });
  },
};
