import { DOUBLE_QUOTED, equalitiesInLines, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { usedIn, words } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const CASE = /^[ \t]*use[ \t]+[\w.]*Case\b[^\n]*(?:\n|$)/m;
const SELECTS = /^[ \t]*@(?:module)?tag\b/m;
const SELECTED = /--(?:only|include|exclude|stale|failed)\b|_test\.exs:\d/;

const USES = words({ assert: "assert 1 == 2", refute: "refute 1 == 1" });

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  const path = JSON.stringify(marker.path).replaceAll("#{", "\\#{");
  return `_ = File.write(${path}, "${markOf(marker, kind, id)}\\n", [:append])`;
}

function failingTests(text: string, marker: Marker): readonly string[] {
  return ['flunk("x")', ...usedIn(text, USES)].map((line, at) => {
    const id = at + 1;
    const behind = id === 1 ? [] : [marked(marker, "survived", id)];
    const body = [marked(marker, "ran", id), line, ...behind].join("; ");
    return `  test "${marker.nonce} ${id}" do ${body} end`;
  });
}

const EQUALITIES = [
  new RegExp(
    `^(?<before>assert (?:(?!\\b(?:or|and|not|in|when)\\b)[^#=<>!;|&\\\\])+ == )(?<literal>${DOUBLE_QUOTED})(?<behind>)$`,
  ),
];

export const ELIXIR_TESTS: Dialect = {
  file: /_test\.exs$/,
  inject: ({ text }, marker, { surroundings, failures }) => {
    const wrapped = (statement: string, id: number): readonly string[] => [
      marked(marker, "reached", id),
      statement,
      marked(marker, "kept", id),
    ];
    const found = equalitiesInLines(text, marker.nonce, { patterns: EQUALITIES, wrapped });
    const altered = withAltered(text, found, failures);
    const start = CASE.exec(altered);
    if (start === null) return null;
    const tests = failures.tests ? `${failingTests(text, marker).join("\n")}\n` : "";
    const added = insertedAt(altered, start.index + start[0].length, tests);
    return injectedText(`${marked(marker, "loaded")}; ${added}\n${marked(marker, "read")}\n`, {
      isSure: !SELECTS.test(text) && !SELECTED.test(surroundings.setup),
    });
  },
};
