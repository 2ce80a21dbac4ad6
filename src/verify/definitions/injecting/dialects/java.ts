import { closingOf, DOUBLE_QUOTED, equalitiesInLines, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { usedIn, words } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const CLASS = /\bclass\s+\w+[^{};]{0,300}\{/;
const TEST = /^[ \t]*@Test\b/m;
const OLD_CASE = /\bextends\s+(?:[\w.]+\.)?TestCase\b/;
const MAIN = /\bstatic\s+void\s+main\s*\(\s*(?:final\s+)?String(?:\s*\[\]|\.\.\.)\s*\w+\s*(?:\[\])?\s*\)/;
const OWN_EXIT = /\bSystem\.exit(?=\s*\()/g;
const SELECTED = /-Dtest=|-Dgroups|--tests\b|--include-tag|-Dit\.test=/;

const USES = words({
  assertEquals: "assertEquals(1, 2);",
  assertTrue: "assertTrue(false);",
  assertFalse: "assertFalse(true);",
  assertNull: 'assertNull("a");',
});
/** Without the option that switches them on, such assertions judge nothing. */
const PLAIN = /^[ \t]*assert [^;\n]+;/m;

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  return `mark_${marker.nonce}("${markOf(marker, kind, id)}");`;
}

function markMethod({ nonce, path }: Marker): string {
  return ` private static void mark_${nonce}(String word) { try { java.nio.file.Files.write(java.nio.file.Paths.get(${JSON.stringify(path)}), (word + "\\n").getBytes(), java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND); } catch (Throwable problem) { } }`;
}

function prefixed(text: string, line: string): string {
  const object = /\b(Assertions?)\.assert\w+\(/.exec(text)?.[1];
  return object === undefined ? line : `${object}.${line}`;
}

function failingTests(text: string, marker: Marker): string {
  const isOld = OLD_CASE.test(text);
  const uses = usedIn(text, USES).map((line) => prefixed(text, line));
  return ['if (true) throw new AssertionError("x");', ...uses]
    .map((line, at) => {
      const id = at + 1;
      const body = [marked(marker, "ran", id), line, marked(marker, "survived", id)].join(" ");
      return ` ${isOld ? "" : "@Test "}public void test_${marker.nonce}_${id}() { ${body} }`;
    })
    .join("");
}

/** What would have succeeded fails instead. */
function endMethods(text: string, marker: Marker): string {
  const { nonce } = marker;
  const failing = PLAIN.test(text)
    ? `try { assert 1 == 2; ${marked(marker, "survived", 1)} } catch (AssertionError problem) { }`
    : "";
  return ` static void end_${nonce}(int code) { if (code == 0) { ${marked(marker, "read")} ${marked(marker, "ran", 1)} ${failing} System.exit(1); } ${marked(marker, "failed")} System.exit(code); }
 public static void main(String[] words) throws Throwable { ${marked(marker, "loaded")} main_${nonce}(words); end_${nonce}(0); }`;
}

const EQUALITIES = [
  new RegExp(
    `^(?<before>(?:Assertions?\\.)?assertEquals\\()(?<literal>${DOUBLE_QUOTED})(?<behind>, [^;]+\\);)$`,
  ),
  new RegExp(`^(?<before>assert [^;:|&?]+ == )(?<literal>${DOUBLE_QUOTED})(?<behind>;)$`),
];

/** Of three arguments, one is a message, or how much the values may differ. */
function hasTwoArguments(statement: string): boolean {
  const opened = statement.indexOf("(") + 1;
  return (
    opened === 0 || !statement.includes("assertEquals") || closingOf(statement, opened)?.commas.length === 1
  );
}

export const JAVA_TESTS: Dialect = {
  file: /\.java$/,
  inject: ({ text }, marker, { surroundings, failures }) => {
    const hasTests = TEST.test(text) || OLD_CASE.test(text);
    if (!hasTests && !MAIN.test(text)) return null;
    const wrapped = (statement: string, id: number): readonly string[] => [
      `{ ${marked(marker, "reached", id)}`,
      statement,
      `${marked(marker, "kept", id)} }`,
    ];
    const found = equalitiesInLines(text, marker.nonce, {
      patterns: EQUALITIES,
      isExpected: hasTwoArguments,
      wrapped,
    });
    const altered = withAltered(text, found, failures);
    const isMain = !hasTests && failures.tests;
    const own = isMain
      ? altered
          .replaceAll(OWN_EXIT, `end_${marker.nonce}`)
          .replace(MAIN, (head) => head.replace(/\bmain\b/, `main_${marker.nonce}`))
      : altered;
    const start = CLASS.exec(own);
    if (start === null) return null;
    const tests = !failures.tests ? "" : isMain ? endMethods(text, marker) : failingTests(text, marker);
    return injectedText(insertedAt(own, start.index + start[0].length, markMethod(marker) + tests), {
      isSure: !SELECTED.test(surroundings.setup),
      comesLast: isMain,
    });
  },
};
