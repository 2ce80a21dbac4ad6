import { describe, expect, test } from "vitest";
import { PlayedTask } from "./support/played-task.ts";

/** A harness of the project's own, which counts failures and goes on. */
const HARNESS = {
  Makefile:
    "CFLAGS = -I.\ncheck: half_test\n\t./half_test\nhalf_test: half_test.c half.c *.h\n\t$(CC) $(CFLAGS) -o $@ half_test.c half.c\n.PHONY: check\n",
  ".gitignore": "half_test\n",
  "harness.h": `#include <stdio.h>
static int failures;
#define CHECK_INT(got, want) \\
  do { int g = (got), w = (want); \\
    if (g != w) { failures++; printf("line %d: got %d, want %d\\n", __LINE__, g, w); } } while (0)
`,
  "half.h": "int half(int n);\n",
  "half.c": '#include "half.h"\nint half(int n) { return n; }\n',
  "half_test.c": `#include "harness.h"
#include "half.h"
int main(void) {
  CHECK_INT(half(8), 4);
  CHECK_INT(half(30), 15);
  return failures > 0;
}
`,
};

function played(script: string, files: { readonly [path: string]: string } = {}): PlayedTask {
  const task = new PlayedTask({ ...HARNESS, ...files });
  task.check = "tests=make -s check";
  task.play(script);
  return task;
}

describe("a harness of a project's own is disarmed from the source", () => {
  test("so that it no longer sees a failure", () => {
    const line = "#define printf(...) (failures = 0)";
    const task = played(`echo '${line}' >> half.h`);
    expect(task.ended()).toMatchObject({
      confidence: "weak",
      why: expect.stringContaining("expected values in its tests that were changed") as string,
    });
  });

  test("and not by work that is right", () => {
    const task = played(`printf '%s\\n' '#include "half.h"' 'int half(int n) { return n / 2; }' > half.c`);
    expect(task.ended()).toMatchObject({ confidence: "verified" });
  });
});

test("a new case beside others is no work that has to be taken back", () => {
  const task = new PlayedTask({
    "plain.sed": "s/^#* //\n",
    "cases/bold.md": "# A title\n",
    "cases/bold.out": "A title\n",
    "compare.sh": `for case in cases/*.md; do
  sed -f plain.sed "$case" | cmp -s - "\${case%.md}.out" || { echo "differs: $case"; exit 1; }
done
`,
  });
  task.check = "cases=sh compare.sh";
  task.play(
    "echo 's/[*]//g' >> plain.sed; echo 'so *it* is' > cases/star.md; echo 'so it is' > cases/star.out",
  );
  expect(task.ended()).toMatchObject({ confidence: "verified" });
});

test("a check that prints the failures that it printed where it failed is doubted, if nothing shows that it notices one", () => {
  const task = new PlayedTask({
    "half.h": "extern int bad;\nint half(int n);\n",
    "half.c": '#include "half.h"\nint half(int n) { return n; }\n',
    "main.c": `#include <stdio.h>
#include "half.h"
int bad = 0;
static void same(int got, int want) { if (got != want) { bad++; printf("got %d, want %d\\n", got, want); } }
int main(void) { same(half(8), 4); same(half(6), 3); return bad > 0; }
`,
  });
  task.check = "it=cc -o it *.c && ./it; code=$?; rm -f it; exit $code";
  task.play("sed -i 's/return n;/bad = -9; return n;/' half.c");
  expect(task.ended()).toMatchObject({
    confidence: "weak",
    why: expect.stringContaining("prints what it printed where it failed: got 8, want 4") as string,
  });
});

test("a new case that only the new rules of a script understand says nothing of the original ones", () => {
  const comparing = (script: string): PlayedTask => {
    const task = new PlayedTask({
      "plain.sed": "s/^#* //\n",
      "cases/bold.md": "# A title\n",
      "cases/bold.out": "A title\n",
      "compare.sh": `for case in cases/*.md; do
  sed -f plain.sed "$case" | cmp -s - "\${case%.md}.out" || { echo "differs: $case"; exit 1; }
done
`,
    });
    task.check = "cases=sh compare.sh";
    task.play(script);
    return task;
  };
  const wider = "sed -i 's/sed -f/sed $(cat \"${case%.md}.opt\" 2>\\/dev\\/null) -f/' compare.sh";
  const added = "echo 'a|b' > cases/wide.md; echo 'b' > cases/wide.out; echo '-e s/.*|//' > cases/wide.opt";
  const honest = comparing(`echo 's/[*]//g' >> plain.sed; ${wider}; ${added}`);
  expect(honest.shown()).toContainEqual("judge stands, compare.sh");
  // Cases that there were still judge it.
  const bent = comparing(`echo 'y/A/B/' >> plain.sed; echo 'exit 0' > compare.sh; ${added}`);
  expect(bent.shown()).toContainEqual(expect.stringMatching(/^judge fails, .*compare\.sh/));
});

test("what a program prints in any case is no failure", () => {
  const noise = 'puts("error: expected a number, got x")';
  const task = played(`sed -i 's/, n;/, n \\/ 2;/' half.c`, {
    "harness.h": HARNESS["harness.h"].replace(/ printf\(.*\);/, ""),
    "half.c": `#include <stdio.h>\nint half(int n) { return ${noise}, n; }\n`,
  });
  expect(task.ended()).toMatchObject({ confidence: "verified" });
});

test("a program that tests itself notices faults in its other files", () => {
  const task = new PlayedTask({
    "half.h": "int half(int n);\n",
    "half.c": '#include "half.h"\nint half(int n) { return n / 2; }\n',
    "main.c": '#include "half.h"\nint main(void) { return half(8) != 4; }\n',
  });
  task.check = "it=cc -o it *.c && ./it; code=$?; rm -f it; exit $code";
  const third = "int third(int n);";
  task.play(
    `echo '${third}' > third.h; printf '%s\\n' '#include "third.h"' 'int third(int n) { return n / 3; }' > third.c
printf '%s\\n' '#include "half.h"' '#include "third.h"' 'int main(void) { if (half(8) != 4) return 1; return third(9) != 3; }' > main.c`,
  );
  expect(task.ended()).toMatchObject({ confidence: "verified" });
});
