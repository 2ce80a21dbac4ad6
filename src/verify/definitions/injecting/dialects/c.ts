import { Code } from "../../../faults/code.ts";
import { DOUBLE_QUOTED, equalitiesInLines, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { usedIn, type Uses } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

/** A macro may say how it is called. */
const MAIN = /\bint\s+(?:[A-Z_][A-Z0-9_]*\s+)?main\s*\(([^()]*)\)\s*(?=\{)/;
const OWN_EXIT = /(?<![\w.>:])(?:(?:std)?::)?(?:_?exit|_Exit|quick_exit)(?=\s*\()/g;
/** A framework's tests register themselves. */
const FRAMEWORK = /^(?:TEST|TEST_CASE)\s*\(/m;
const SELECTED = /--gtest_filter\b|GTEST_FILTER/;

const USES: Uses = [[/\bassert\s*\(/, "assert(1 == 2);"]];

function call({ nonce, file }: Marker, name: string): string {
  return `${name}_${nonce}_${file}`;
}

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  return `${call(marker, "mark")}("${markOf(marker, kind, id)}");`;
}

function declared(marker: Marker): string {
  return `void ${call(marker, "mark")}(const char *word);`;
}

function markFunction(marker: Marker): string {
  return `
#include <stdio.h>
#include <stdlib.h>
${declared(marker)}
void ${call(marker, "mark")}(const char *word) {
  FILE *file = fopen(${JSON.stringify(marker.path)}, "a");
  if (file) { fprintf(file, "%s\\n", word); fclose(file); }
}
`;
}

/** What would have succeeded fails instead. */
function endFunction(text: string, marker: Marker): string {
  const failing = usedIn(text, USES).map((line, at) => `${line} ${marked(marker, "survived", at + 1)}`);
  return `void ${call(marker, "end")}(int code) {
  if (code == 0) { ${marked(marker, "read")} ${marked(marker, "ran", 1)} ${failing.join(" ")} exit(1); }
  ${marked(marker, "failed")}
  exit(code);
}
`;
}

function mainFunction(parameters: string, marker: Marker, end: string): string {
  const given = /^\s*(?:void)?\s*$/.test(parameters) ? "" : parameters.includes(",") ? "argc, argv" : "argc";
  return `int main(int argc, char **argv) {
  (void)argc; (void)argv;
  ${marked(marker, "loaded")}
  ${end}(${call(marker, "main")}(${given}));
  return 1;
}
`;
}

/** Only a function that is called `main` may end without saying what it returns. */
function endingWell(path: string, text: string): string {
  const code = Code.of(path, text);
  const at = MAIN.exec(text)?.index;
  if (code === null || at === undefined) return text;
  const open = code.tokens.findIndex(({ start, text: own }) => start > at && own === "{");
  const close = open === -1 ? null : code.closerOf(open);
  const end = close === null ? null : code.at(close);
  return end === null ? text : insertedAt(text, end.start, " return 0; ");
}

const EQUALITIES = [
  new RegExp(`^(?<before>assert\\([^;|&]+ == )(?<literal>${DOUBLE_QUOTED})(?<behind>\\);)$`),
];

const SELF_REGISTERED: Uses = [
  [/\bEXPECT_EQ\b/, "EXPECT_EQ(1, 2);"],
  [/\bASSERT_EQ\b/, "ASSERT_EQ(1, 2);"],
  [/\bREQUIRE\b/, "REQUIRE(1 == 2);"],
  [/\bCHECK\b/, "CHECK(1 == 2);"],
];

function registered(text: string, marker: Marker): string {
  const isCase = /^TEST_CASE\s*\(/m.test(text);
  return (usedIn(text, SELF_REGISTERED).length === 0 ? ["throw 1;"] : usedIn(text, SELF_REGISTERED))
    .map((line, at) => {
      const id = at + 1;
      const head = isCase ? `TEST_CASE("${marker.nonce} ${id}")` : `TEST(${marker.nonce}, Test${id})`;
      return `${head} { ${marked(marker, "ran", id)} ${line} }`;
    })
    .join("\n");
}

export const C_TESTS: Dialect = {
  file: /\.(?:c|cc|cpp|cxx)$/,
  inject: ({ path, text }, marker, { surroundings, failures }) => {
    const main = MAIN.exec(text);
    const isRegistered = FRAMEWORK.test(text);
    if (main === null && !isRegistered) return null;
    const wrapped = (statement: string, id: number): readonly string[] => [
      `{ ${declared(marker)} ${marked(marker, "reached", id)}`,
      statement,
      `${marked(marker, "kept", id)} }`,
    ];
    const found = equalitiesInLines(text, marker.nonce, { patterns: EQUALITIES, wrapped });
    const altered = withAltered(text, found, failures);
    if (main === null)
      return injectedText(
        `${altered}\n${markFunction(marker)}${failures.tests ? registered(text, marker) : ""}\n`,
        { isSure: !SELECTED.test(surroundings.setup) },
      );
    const end = failures.tests ? call(marker, "end") : "exit";
    const ended = endingWell(path, altered);
    const own = failures.tests ? ended.replaceAll(OWN_EXIT, end) : ended;
    const renamed = own.replace(MAIN, (head) => head.replace(/\bmain\b/, call(marker, "main")));
    const parts = [
      failures.tests ? `void ${end}(int code);\n#line 1\n` : "",
      `${renamed}\n`,
      markFunction(marker),
      failures.tests ? endFunction(text, marker) : "",
      mainFunction(main[1] ?? "", marker, end),
    ];
    return injectedText(parts.join(""), { isSure: true, comesLast: true });
  },
};
