import { equalitiesInLines, LITERAL, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { usedIn, words, type Uses } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

/** A class of minitest, test-unit, or what a framework made of them. */
const CASE = /^[ \t]*class\s+[\w:]+\s*<\s*((?:::)?(?:\w+::)*\w*(?:TestCase|Test|Unit))\b/m;
const GROUP = /^[ \t]*(RSpec\.)?(?:describe|context|feature)\b[^\n]*\bdo\b/m;
const SELECTS = /\bfocus\b|:focus\b|\bf(?:it|describe|context)\b/;
const SELECTED = /\s-[enti]\s|--(?:example|name|tag|only|pattern)\b|_(?:spec|test)\.rb:\d|\bTESTOPTS\b/;

const OF_CASES = words({
  assert_equal: "assert_equal(1, 2)",
  assert: "assert(false)",
  refute: "refute(true)",
  assert_nil: "assert_nil(1)",
  assert_includes: "assert_includes([], 1)",
  assert_raises: "assert_raises(KeyError) { 1 }",
  assert_raise: "assert_raise(KeyError) { 1 }",
});
const OF_GROUPS: Uses = [
  [/\beq\b/, "expect(1).to eq(2)"],
  [/\beql\b/, "expect(1).to eql(2)"],
  [/\bbe_truthy\b/, "expect(false).to be_truthy"],
  [/\bbe_nil\b/, "expect(1).to be_nil"],
  [/\braise_error\b/, "expect { 1 }.to raise_error(KeyError)"],
  [/\bmust_equal\b/, "_(1).must_equal(2)"],
];

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  return `mark_${marker.nonce}("${markOf(marker, kind, id)}")`;
}

function beginning(marker: Marker): string {
  const { nonce, path } = marker;
  return `def mark_${nonce}(word); File.open(${quoted(path)}, "a") { |file| file.puts(word) }; rescue StandardError; nil; end; ${marked(marker, "loaded")}; `;
}

function bodies(lines: readonly string[], marker: Marker): readonly string[] {
  return lines.map((line, at) =>
    [marked(marker, "ran", at + 1), line, marked(marker, "survived", at + 1)].join("; "),
  );
}

function failingTests(text: string, marker: Marker): readonly string[] | null {
  const { nonce, file } = marker;
  const base = CASE.exec(text)?.[1];
  if (base !== undefined) {
    const methods = bodies(['flunk("x")', ...usedIn(text, OF_CASES)], marker);
    const name = `T${nonce}${file}`;
    return [
      `class ${name} < ${base}`,
      ...methods.map((body, at) => `  def test_${nonce}_${at + 1}; ${body}; end`),
      "end",
    ];
  }
  if (!GROUP.test(text)) return null;
  const isMinitest = /\bminitest\b|\bmust_\w+/.test(text);
  const lines = ['raise "x"', ...usedIn(text, OF_GROUPS)];
  return [
    `${isMinitest ? "" : "RSpec."}describe("${nonce}") do`,
    ...bodies(lines, marker).map((body, at) => `  it("${at + 1}") { ${body} }`),
    "end",
  ];
}

const NO_CONDITION = "(?:(?!\\b(?:if|unless|rescue|and|or)\\b)[^#;\\\\])+";
const EQUALITIES = [
  new RegExp(`^(?<before>assert_equal[ (])(?<literal>${LITERAL})(?<behind>, ?${NO_CONDITION})$`),
  new RegExp(`^(?<before>expect\\([^#;\\\\]+\\)\\.to eql?[ (])(?<literal>${LITERAL})(?<behind>\\)?)$`),
  new RegExp(`^(?<before>_\\([^#;\\\\]+\\)\\.must_equal[ (])(?<literal>${LITERAL})(?<behind>\\)?)$`),
];

const PROLOGUE = /^(?:[ \t]*(?:#[^\n]*)?\n)*/;
const END = /^__END__$/m;

/** Behind the comments that say how it is read, and on the line that is there, so that none moves. */
export function atBeginningOfRuby(text: string, statement: string): string {
  return insertedAt(text, PROLOGUE.exec(text)?.[0].length ?? 0, statement);
}

export const RUBY_TESTS: Dialect = {
  file: /\.rb$/,
  inject: ({ text }, marker, { surroundings, failures }) => {
    const failing = failingTests(text, marker);
    if (failing === null) return null;
    const wrapped = (statement: string, id: number): readonly string[] => [
      marked(marker, "reached", id),
      statement,
      marked(marker, "kept", id),
    ];
    const found = equalitiesInLines(text, marker.nonce, { patterns: EQUALITIES, wrapped });
    const altered = withAltered(text, found, failures);
    const begun = atBeginningOfRuby(altered, beginning(marker));
    const added = [...(failures.tests ? failing : []), marked(marker, "read")];
    const end = END.exec(begun)?.index ?? begun.length;
    return injectedText(insertedAt(begun, end, `\n\n${added.join("\n")}\n`), {
      isSure: !SELECTS.test(text) && !SELECTED.test(surroundings.setup),
    });
  },
};
