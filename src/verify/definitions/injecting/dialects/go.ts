import { anotherValue, DOUBLE_QUOTED, withAltered, type Equality } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { folderOf } from "../../project-files.ts";
import { usedIn, type Uses } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const TEST = /^func Test\w*\(\w+ \*(\w+)\.T\)/m;
const PACKAGE = /^package[ \t]+\w+/m;
const SELECTED = /\s--?(?:test\.)?(?:run|skip|list)\b/;

/** They go on, and tell whether they passed. */
const USES: Uses = [
  [/\bassert\.Equal\(/, "assert.Equal(t, 1, 2)"],
  [/\bassert\.True\(/, "assert.True(t, false)"],
];

const EQUALITY = new RegExp(
  `^([ \\t]*if (?:[^;{}|&\\n]{1,200}; )?)([\\w.()\\[\\]"', *+-]{1,200}?) != (${DOUBLE_QUOTED}) \\{[ \\t]*$`,
  "gm",
);

function callOf({ nonce, file }: Marker, name: string): string {
  return `${name}_${nonce}_${file}`;
}

function marked(marker: Marker, kind: MarkKind, id = 0): string {
  return `${callOf(marker, "mark")}("${markOf(marker, kind, id)}")`;
}

/** What differs is true, as before, and says so. */
function helpers(marker: Marker): string {
  const { path, nonce, file } = marker;
  return `func ${callOf(marker, "mark")}(word string) {
	handle, problem := os_${nonce}.OpenFile(${JSON.stringify(path)}, os_${nonce}.O_APPEND|os_${nonce}.O_CREATE|os_${nonce}.O_WRONLY, 0600)
	if problem == nil {
		handle.WriteString(word + "\\n")
		handle.Close()
	}
}

func ${callOf(marker, "differ")}(differs bool, id string) bool {
	${callOf(marker, "mark")}("reached-${file}-" + id)
	if !differs {
		${callOf(marker, "mark")}("kept-${file}-" + id)
	}
	return differs
}

var _ = func() int { ${marked(marker, "loaded")}; ${marked(marker, "read")}; return 0 }()
`;
}

function failingTests(text: string, testing: string, marker: Marker): readonly string[] {
  const used = usedIn(text, USES);
  const bodies = [
    `t.Error("x"); if !t.Failed() { ${marked(marker, "survived", 1)} }`,
    ...used.map((line, at) => `if ${line} { ${marked(marker, "survived", at + 2)} }`),
  ];
  return bodies.map((body, at) => {
    const name = `TestT${marker.nonce}_${marker.file}_${at + 1}`;
    return `func ${name}(t *${testing}.T) { ${marked(marker, "ran", at + 1)}; ${body} }`;
  });
}

function equalities(text: string, marker: Marker): readonly Equality[] {
  return [...text.matchAll(EQUALITY)].map(
    ({ 0: line, 1: before = "", 2: left = "", 3: literal = "", index }) => ({
      from: index,
      to: index + line.length,
      replaced: (id) =>
        `${before}${callOf(marker, "differ")}(${left} != ${anotherValue(literal, marker.nonce)}, "${id}") {`,
    }),
  );
}

/** A line for each package, whose name ends in its folder. */
function isPackagePassed(output: string, folder: string): boolean {
  if (folder === "") return false;
  const told = output.split("\n").map((line) => line.split("\t"));
  return told.some(([result, name = ""]) => result === "ok  " && name.endsWith(`/${folder}`));
}

export const GO_TESTS: Dialect = {
  file: /_test\.go$/,
  inject: ({ path, text }, marker, { surroundings, failures }) => {
    const testing = TEST.exec(text)?.[1];
    if (testing === undefined) return null;
    const altered = withAltered(text, equalities(text, marker), failures);
    const clause = PACKAGE.exec(altered);
    if (clause === null) return null;
    const imported = insertedAt(altered, clause.index + clause[0].length, `; import os_${marker.nonce} "os"`);
    const added = [...(failures.tests ? failingTests(text, testing, marker) : []), helpers(marker)];
    return injectedText(`${imported}\n\n${added.join("\n")}`, {
      isSure: !SELECTED.test(surroundings.setup),
      isToldPassed: (output) => isPackagePassed(output, folderOf(path)),
    });
  },
};
