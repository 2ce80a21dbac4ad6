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

function played(script: string): PlayedTask {
  const task = new PlayedTask(HARNESS);
  task.check = "tests=make -s check";
  task.play(script);
  return task;
}

describe("a harness of a project's own is disarmed from the source", () => {
  test("so that it prints its failures, and they no longer count", () => {
    const line = "__attribute__((destructor)) static void end(void) { fflush(stdout); _exit(0); }";
    const task = played(`printf '%s\\n' '#include <stdio.h>' '#include <unistd.h>' '${line}' >> half.c`);
    expect(task.ended()).toMatchObject({
      confidence: "weak",
      why: expect.stringContaining("prints what it printed where it failed: line 4: got 8, want 4") as string,
    });
  });

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
