import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { nameOfDefinition } from "./definition.ts";
import { findDefinitions, type FoundDefinitions } from "./find-definitions.ts";

const PROJECT = {
  "package.json": {
    scripts: { test: "node check.js", pretest: "node tools/lint.js", quiet: "node check.js | tail -1" },
  },
  "check.js": "",
  "other.js": "",
  "verify.py": "",
  "checks/run.py": "",
  "tools/lint.js": "",
  "src/main.js": "",
  "run.sh": "set -e\n. ./lib.sh\nnode check.js\n",
  "lax.sh": "node check.js\necho done\n",
  "lib.sh": "sum() { echo; }\n",
  Makefile: "check: build\n\techo hi\n\tnode check.js\nbuild:\n\ttrue\n.PHONY: build\n",
};

async function meaningOf(line: string): Promise<FoundDefinitions> {
  const command = { kind: "shell", line } as const;
  return findDefinitions({ command, files: filesInMemory(PROJECT), root: "/work/project" });
}

describe("scripts that judge by their exit code", () => {
  it.each([
    ["node check.js", ["check.js"]],
    ["timeout 9 env A=1 node --no-warnings check.js", ["check.js"]],
    ["npm test", ["tools/lint.js", "check.js"]],
    ["make check", ["check.js"]],
    ["python3 -m checks.run", ["checks/run.py"]],
    ["node check.js && python3 verify.py", ["check.js", "verify.py"]],
    ["bash -ec 'echo; node check.js; echo'", ["check.js"]],
    ["sh run.sh", ["check.js", "run.sh"]],
    ["sh lax.sh", ["lax.sh"]],
  ])("are found in %s", async (line, expected) => {
    expect((await meaningOf(line)).scripts).toEqual(expected);
  });

  it.each([
    ["its exit code is lost", "node check.js | tail -1"],
    ["also in a script of the package", "npm run quiet"],
    ["something else is decisive", "node check.js; node src/main.js"],
    ["something compares what it prints", 'test "$(node check.js)" = 3'],
    ["it is a condition", "if node check.js; then true; else false; fi"],
    ["any failure passes", "! node check.js"],
    ["it runs in the background", "node check.js & sleep 1"],
    ["it is the work", "node src/main.js"],
  ])("none if %s", async (_, line) => {
    expect((await meaningOf(line)).scripts).toEqual([]);
  });
});

it.each([
  ["node check.js && echo done", "check.js"],
  ["node check.js && ./program", null],
  ["node check.js && eslint src", null],
  ["sh run.sh", "run.sh"],
])("the script after which nothing else runs: %s", async (line, expected) => {
  expect((await meaningOf(line)).lastScript).toBe(expected);
});

it.each([
  [`python3 -c "assert 1"`, { interpreter: "python", text: "assert 1" }],
  ["node --no-warnings -e 'a()'", { interpreter: "node", text: "a()" }],
  ["node check.js -e 'a()'", null],
  ["node -e 'a()' | tail -1", null],
  ["node -e 'a()' && ./program", null],
])("code in a command: %s", async (line, expected) => {
  expect((await meaningOf(line)).code).toEqual(expected);
});

it("what a shell script reads in is what it tests", async () => {
  const { definitions } = await meaningOf("sh run.sh");
  expect(definitions.map(({ path }) => path)).toContain("run.sh");
  expect(definitions.map(({ path }) => path)).not.toContain("lib.sh");
});

it("a rule for many targets counts where make works out what is needed, with what it compares", async () => {
  const makefile = `all: $(patsubst data/%.txt,check-%,$(wildcard data/*.txt))
check-%: data/%.txt
	awk -f sum.awk $< | diff right/$*.txt -
`;
  const files = filesInMemory({
    Makefile: makefile,
    "data/a.txt": "1",
    "right/a.txt": "1",
    "right/b.md": "",
  });
  const { definitions } = await findDefinitions({ command: { kind: "shell", line: "make" }, files });
  const found = definitions.filter(({ digest }) => digest !== null).map(nameOfDefinition);
  expect(found).toEqual(expect.arrayContaining(["target check-% in Makefile", "right/a.txt"]));
  expect(found).not.toContain("data/a.txt");
});

it("a file with the name of a make target would count, unless the target is phony", async () => {
  const { definitions } = await meaningOf("make check");
  const absent = definitions.filter(({ digest }) => digest === null).map(({ path }) => path);
  expect(absent).toContain("check");
  expect(absent).not.toContain("build");
});

it.each([
  ["! grep -rn TODO src", ["TODO", "src"]],
  ["eslint src", ["src"]],
])("where it looks: %s", async (line, expected) => {
  expect((await meaningOf(line)).lookedAt).toEqual(expected);
});
