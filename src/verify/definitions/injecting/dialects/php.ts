import { equalitiesInLines, LITERAL, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { usedIn, words } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const CASE = /(?<!abstract )\bclass\s+\w+\s+extends\s+[\w\\]*Test(?:Case)?\b[^{}]{0,300}\{/;
const FUNCTION = /^(?:test|it)\s*\(/m;
const SELECTED = /--(?:filter|group|exclude-group|testsuite|covers)\b/;

const USES = words({
  assertSame: "$this->assertSame(1, 2);",
  assertEquals: "$this->assertEquals(1, 2);",
  assertTrue: "$this->assertTrue(false);",
  assertFalse: "$this->assertFalse(true);",
  assertNull: "$this->assertNull(1);",
  assertCount: "$this->assertCount(1, []);",
});

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  const path = `'${marker.path.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
  return `@\\file_put_contents(${path}, "${markOf(marker, kind, id)}\\n", \\FILE_APPEND);`;
}

function failingMethods(text: string, marker: Marker): string {
  return ["$this->fail('x');", ...usedIn(text, USES)]
    .map((line, at) => {
      const id = at + 1;
      const body = [marked(marker, "ran", id), line, marked(marker, "survived", id)].join(" ");
      return ` public function test_${marker.nonce}_${id}(): void { ${body} }`;
    })
    .join("");
}

function failingFunction(marker: Marker): string {
  return `test('${marker.nonce}', function () { ${marked(marker, "ran", 1)} throw new \\Exception('x'); });`;
}

const EQUALITIES = [
  new RegExp(
    `^(?<before>(?:\\$this->|self::|static::)assert(?:Same|Equals)\\()(?<literal>${LITERAL})(?<behind>, [^;#\\\\]+\\);)$`,
  ),
];

/** These have to be the first statements. */
const PROLOGUE =
  /^(?:#![^\n]*\n)?<\?php(?:\s+|\/\/[^\n]*\n|#[^\n[]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|declare\s*\([^)]*\)\s*;|namespace\s+[\w\\]+\s*;)*/;

/** null: it doesn't begin with code. */
export function atBeginningOfPhp(text: string, statement: string): string | null {
  const prologue = PROLOGUE.exec(text)?.[0];
  return prologue === undefined ? null : insertedAt(text, prologue.length, statement);
}

export const PHP_TESTS: Dialect = {
  file: /\.php$/,
  inject: ({ text }, marker, { surroundings, failures }) => {
    const isCase = CASE.test(text);
    const prologue = PROLOGUE.exec(text)?.[0];
    if (prologue === undefined || (!isCase && !FUNCTION.test(text)) || /\?>\s*$/.test(text)) return null;
    const wrapped = (statement: string, id: number): readonly string[] => [
      marked(marker, "reached", id),
      statement,
      marked(marker, "kept", id),
    ];
    const found = equalitiesInLines(text, marker.nonce, { patterns: EQUALITIES, wrapped });
    const altered = withAltered(text, found, failures);
    const added = failures.tests
      ? altered.replace(CASE, (start) => `${start}${failingMethods(text, marker)}`)
      : altered;
    const begun = insertedAt(added, prologue.length, `${marked(marker, "loaded")} `);
    const last = failures.tests && !isCase ? failingFunction(marker) : "";
    return injectedText(`${begun}\n${last}\n${marked(marker, "read")}\n`, {
      isSure: !SELECTED.test(surroundings.setup),
    });
  },
};
