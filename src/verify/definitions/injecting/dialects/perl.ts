import { equalitiesInLines, LITERAL, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { afterInterpreter, usedIn, type Uses } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const RUNNER = /^[ \t]*use\s+Test(?:::More|::Most|2::V\d|2::Bundle::\w+|2::Suite)\b/m;
/** Where a file says how many tests it had, or that there are no more. */
const ENDING = /^[ \t]*(?:done_testing\b|__END__$|__DATA__$)/m;

/** Each is false where it fails, and the script goes on. */
const USES: Uses = [
  [/\bis\b/, "is(1, 2)"],
  [/\bis_deeply\b/, "is_deeply([1], [2])"],
  [/\blike\b/, 'like("a", qr/b/)'],
  [/\bcmp_ok\b/, 'cmp_ok(1, "==", 2)'],
];

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  return `mark_${marker.nonce}("${markOf(marker, kind, id)}")`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** At once, before any module is loaded. */
function beginning(marker: Marker): string {
  const { nonce, path } = marker;
  return `BEGIN { sub mark_${nonce} { if (open(my $file, ">>", ${quoted(path)})) { print {$file} "$_[0]\\n"; close($file); } return 1 } ${marked(marker, "loaded")}; } `;
}

function failing(text: string, marker: Marker): readonly string[] {
  return ["ok(0)", ...usedIn(text, USES)].map((test, at) => {
    const id = at + 1;
    return `${marked(marker, "ran", id)}; ${test} and ${marked(marker, "survived", id)};`;
  });
}

const MESSAGE = String.raw`, (?:"[^"\\\n]*"|'[^'\\\n]*') ?\)`;
const EQUALITIES = [
  new RegExp(`^(?<before>is\\( ?[^#;\\\\]+, +)(?<literal>${LITERAL})(?<behind>${MESSAGE};)$`),
];

/** Tests of Test::More, and of what has its words. */
export const PERL_TESTS: Dialect = {
  file: /\.t$/,
  inject: ({ text }, marker, { failures }) => {
    if (!RUNNER.test(text)) return null;
    const wrapped = (statement: string, id: number): readonly string[] => [
      `${marked(marker, "reached", id)};`,
      `${statement.replace(/;$/, "")} and ${marked(marker, "kept", id)};`,
    ];
    const found = equalitiesInLines(text, marker.nonce, { patterns: EQUALITIES, wrapped });
    const altered = withAltered(text, found, failures);
    const added = [...(failures.tests ? failing(text, marker) : []), `${marked(marker, "read")};`];
    const end = ENDING.exec(altered)?.index ?? altered.length;
    const ended = insertedAt(altered, end, `\n${added.join("\n")}\n`);
    return injectedText(afterInterpreter(ended, beginning(marker)), { isSure: true });
  },
};
