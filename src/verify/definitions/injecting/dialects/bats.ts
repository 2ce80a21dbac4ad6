import { equalitiesInLines, withAltered } from "../altered.ts";
import { injectedText, type Dialect, type Failures } from "../dialect.ts";
import { usedIn, type Uses } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const TEST = /^[ \t]*@test\b/m;
const SELECTS = /bats:focus|bats test_tags=bats:focus/;
const SELECTED = /\s(?:-f|--filter(?:-tags|-status)?)\b/;

/** What every helper can compare with. */
const COMPARED_IN_SHELL = ["[ 1 = 2 ]", "test 1 = 2", "echo a | grep -q b"];
const USES: Uses = [
  [/\bassert_equal\b/, "assert_equal 1 2"],
  [/\bassert_output\b/, "run echo a; assert_output b"],
  [/\bassert_success\b/, "run false; assert_success"],
];

/** Always succeeds. */
export function markedInShell(marker: Marker, kind: MarkKind, id = 0): string {
  const path = `'${marker.path.replaceAll("'", String.raw`'\''`)}'`;
  return `(echo ${markOf(marker, kind, id)} >> ${path}; :) 2>/dev/null`;
}

function failingTests(text: string, marker: Marker): readonly string[] {
  return ["false", ...COMPARED_IN_SHELL, ...usedIn(text, USES)].map((line, at) => {
    const id = at + 1;
    const steps = [markedInShell(marker, "ran", id), line, markedInShell(marker, "survived", id)];
    return `@test "${marker.nonce} ${id}" {\n${steps.map((step) => `  ${step}`).join("\n")}\n}`;
  });
}

const COMPARED = String.raw`"?\$(?:\{?\w+(?:\[\d+\])?\}?|\([^()"]*\))"?`;
const VALUE = String.raw`"[^"\\\n$#{}%\`*?[\]]{0,200}"`;
const EQUAL = `(?<before>\\[{1,2} ${COMPARED} (?:={1,2} (?=")|-eq (?=\\d)))(?<literal>${VALUE}|\\d{1,9})`;
const EQUALITIES = [
  new RegExp(`^${EQUAL}(?<behind> \\]{1,2})$`),
  new RegExp(`^${EQUAL}(?<behind> \\]{1,2} \\|\\| [^|&]+)$`),
];

/** What comes behind gets the same exit code as before. */
function comparedBetween(statement: string, marker: Marker, id: number): readonly string[] {
  const reached = markedInShell(marker, "reached", id);
  const kept = markedInShell(marker, "kept", id);
  const [test = "", ...otherwise] = statement.split(" || ");
  if (otherwise.length > 0) return [reached, `${test} && ${kept} || ${otherwise.join(" || ")}`];
  return [reached, test, `(code=$?; case $code in 0) ${kept} ;; esac; exit $code)`];
}

export function withWrongValuesInShell(
  text: string,
  marker: Marker,
  failures: Pick<Failures, "altered">,
): string {
  const found = equalitiesInLines(text, marker.nonce, {
    patterns: EQUALITIES,
    wrapped: (statement, id) => comparedBetween(statement, marker, id),
  });
  return withAltered(text, found, failures);
}

export const BATS_TESTS: Dialect = {
  file: /\.bats$/,
  inject: ({ text }, marker, { surroundings, failures }) => {
    if (!TEST.test(text)) return null;
    const altered = withWrongValuesInShell(text, marker, failures);
    const at = /^(?:#[^\n]*\n)*/.exec(altered)?.[0].length ?? 0;
    const added = [...(failures.tests ? failingTests(text, marker) : []), markedInShell(marker, "read")];
    const begun = insertedAt(altered, at, `${markedInShell(marker, "loaded")}\n`);
    return injectedText(`${begun}\n${added.join("\n")}\n`, {
      isSure: !SELECTS.test(text) && !SELECTED.test(surroundings.setup),
    });
  },
};
