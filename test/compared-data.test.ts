import { describe, expect, test } from "vitest";
import { PlayedTask } from "./support/played-task.ts";

const UNNOTICED = "expected values in its tests that were changed in a clean room didn't make it fail";

/** Each case has what goes in and what should come out. */
const PLAIN = {
  "plain.sed": "s/^#* //\n",
  "cases/bold.md": "# A title\n\nSome **bold** words.\n",
  "cases/bold.txt": "A title\n\nSome bold words.\n",
  "compare.sh": `bad=0
for case in cases/*.md; do
  sed -f plain.sed "$case" | cmp -s - "\${case%.md}.txt" || { echo "differs: $case"; bad=1; }
done
exit $bad
`,
};

const TAGS = {
  "tags.sh": `node -e 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(process.argv[1])).slice(1)))' "$1"\n`,
  "cases/some.in.json": '[{"tag":"a"},{"tag":"b"}]\n',
  "cases/some.out.json": '["a","b"]\n',
  "cases/none.in.json": "[]\n",
  "cases/none.out.json": "[]\n",
  "check.sh": `set -e
for each in cases/*.in.json; do
  sh tags.sh "$each" | diff - "\${each%.in.json}.out.json"
done
`,
};

describe("data with what goes in beside what should come out", () => {
  test("changes one kind at a time, since both alike say nothing", () => {
    const task = new PlayedTask(PLAIN);
    task.check = "cases=sh compare.sh";
    task.play(`printf '%s\\n' 's/^#* //' 's/[*][*]//g' > plain.sed`);
    expect(task.ended()).toMatchObject({ confidence: "verified" });
  });

  test("may have a folder for each case", () => {
    const task = new PlayedTask({
      "plain.sed": "s/^#* //\n",
      "examples/bold/input.txt": "# Title 7\n\nSome **bold** words.\n",
      "examples/bold/output.txt": "Title 7\n\nSome bold words.\n",
      "compare.sh": `for each in examples/*/; do
  sed -f plain.sed "$each/input.txt" | cmp -s - "$each/output.txt" || { echo "differs: $each"; exit 1; }
done
`,
    });
    task.check = "cases=sh compare.sh";
    task.play(`printf '%s\\n' 's/^#* //' 's/[*][*]//g' > plain.sed`);
    expect(task.ended()).toMatchObject({ confidence: "verified" });
  });

  test("keeps its form, so that a program that reads its answer there is seen", () => {
    const task = new PlayedTask(TAGS);
    task.check = "cases=sh check.sh";
    task.play(`echo 'cat "$(echo "$1" | sed "s/[.]in[.]/.out./")"' > tags.sh`);
    expect(task.ended()).toMatchObject({
      confidence: "weak",
      why: expect.stringContaining(UNNOTICED) as string,
    });
  });
});

test("what the work keeps from being compiled together with a failure is no failure that was noticed", () => {
  const task = new PlayedTask({
    Makefile:
      "check: half_test\n\t./half_test\nhalf_test: half_test.c half.h\n\tcc -o $@ half_test.c\n.PHONY: check\n",
    ".gitignore": "half_test\n",
    "half.h": "static int half(int n) { return n; }\n",
    "half_test.c": `#include "half.h"\n#include <stdio.h>
int main(void)
{
  if (half(8) != 4) { puts("half_test.c: 8"); return 1; }
  return 0;
}
`,
  });
  task.check = "tests=make check";
  task.play("echo '#define main(x) main(x) { return half(0); } int never(x)' >> half.h");
  expect(task.ended()).toMatchObject({
    confidence: "weak",
    why: expect.stringContaining("(half_test.c)") as string,
  });
});
