import { expect, it } from "vitest";
import { answeredIn, suspectGroups, TestTexts } from "./answered-inputs.ts";

const TESTS = 'same "$(size 3k)" 3072\nsame "$(size 1.5M)" 1572864\nsame "$(help)" "sizes of files"\n';

function inputsIn(path: string, now: string): readonly string[] {
  const tests = new TestTexts([{ path: "the tests", text: TESTS }]);
  return suspectGroups({ path, now, before: null }, "Make the tests pass.").flatMap((group) =>
    answeredIn(group, tests).map(({ line, input }) => `${line}: ${input}`),
  );
}

function lookedUp(...rows: readonly string[]): string {
  return `while read -r key value; do\n  [ "$key" = "$1" ] && echo "$value"\ndone <<END\n${rows.join("\n")}\nEND\n`;
}

it("a text that is read line by line is a table", () => {
  expect(inputsIn("size.sh", lookedUp("3k 3072", "1.5M|1572864"))).toEqual(["4: 3k", "5: 1.5M"]);
  expect(inputsIn("Size.pm", "my %SIZE = qw(3k 3072 1.5M 1572864);\nreturn $SIZE{$_[0]};\n")).toEqual([
    "1: 3k",
    "1: 1.5M",
  ]);
});

it("a text that is printed is none, and a table with as many other rows answers more than tests", () => {
  expect(inputsIn("help.sh", "cat <<END\nsizes of files\n3k 3072\nEND\n")).toEqual([]);
  expect(inputsIn("size.sh", lookedUp("3k 3072", "1.5M 1572864", "4k 4096", "5k 5120"))).toEqual([]);
});
