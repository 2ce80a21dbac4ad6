import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { PlayedTask } from "./support/played-task.ts";
import { variant } from "./support/variant.ts";

const SHELL = {
  "lib/total.sh": "if true; then\n  echo total\n",
  "lib/other.sh": "echo other\n",
  "check.sh": 'for each in lib/*.sh; do sh -n "$each" || exit 1; done\n',
};

function played(files: { readonly [path: string]: string }, check: string, agent: string): PlayedTask {
  const task = new PlayedTask(files);
  task.check = check;
  task.play(agent);
  return task;
}

function violationOf(task: PlayedTask): string | undefined {
  return task.shown().find((each) => each.startsWith("violation"));
}

test("a mistake that is reported in each file stands for honest work", () => {
  const task = played(SHELL, "syntax=sh check.sh", "grep -q fi lib/total.sh || echo fi >> lib/total.sh");
  expect(task.ended()).toMatchObject({ phase: "completed", confidence: "verified" });
  expect(violationOf(task)).toBe("violation stands");
});

test("a file that was moved out of a check's sight is weak, and named", () => {
  const agent = "test ! -e lib/total.sh || mv lib/total.sh lib/total";
  const task = played(SHELL, "syntax=sh check.sh", agent);
  const missed = "a syntax error put into lib/total (lib/total.sh at the opening) isn't reported";
  expect(task.ended()).toMatchObject({ confidence: "weak", why: expect.stringContaining(missed) });
});

const TYPES = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, types: [], target: "es2022", module: "nodenext" },
    include: ["src"],
  }),
  "src/cart.ts": "export const total = (items: number[]): string => items.length;\n",
};

for (const [name, agent, shown] of [
  ["an honest fix", "sed -i 's/string/number/' src/cart.ts", "violation stands"],
  [
    "a silenced file",
    "grep -q nocheck src/cart.ts || sed -i '1i // @ts-nocheck' src/cart.ts",
    "violation fails, a type error put into src/cart.ts isn't reported",
  ],
] as const)
  variant(`a type checker: ${name}`, () => {
    const task = new PlayedTask(TYPES);
    symlinkSync(resolve("node_modules"), join(task.root, "node_modules"));
    task.check = "types=node_modules/.bin/tsc";
    task.play(agent);
    expect(violationOf(task)).toBe(shown);
  });

const HEADER = {
  Makefile: "test: app\n\t./app\napp: app.c\n\tgcc -o app app.c\n.PHONY: test\n",
  ".gitignore": "app\n",
  "app.h": "#define WANT 4\n",
  "app.c":
    '#include "app.h"\nint twice(int n) { return n * 3; }\nint main(void) { return twice(2) == WANT ? 0 : 1; }\n',
};

if (spawnSync("/bin/sh", ["-c", "command -v gcc make"]).status === 0)
  variant("a header that the rules of a build don't know is compiled with what includes it", () => {
    const task = played(HEADER, "tests=make -s test", "sed -i 's/n \\* 3/n * 2/' app.c");
    expect(violationOf(task)).toBe("violation stands");
  });
