import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { definitionLines } from "./definition.ts";
import { findDefinitions } from "./find-definitions.ts";
import { kindOf } from "./tools/tools.ts";

describe("a changed file is listed", () => {
  it.each([
    ["src/a.ts", "source"],
    ["package.json", "source"],
    ["Makefile", "source"],
    ["docs/testing.md", "source"],
    ["src/latest.ts", "source"],
    ["src/spec/parser.js", "source"],
    ["planner/tasks.py", "source"],
    ["src/a.test.ts", "test"],
    ["src/__snapshots__/a.snap", "test"],
    ["tests/data.csv", "test"],
    ["pkg/a_test.go", "test"],
    ["spec/a_spec.rb", "test"],
    ["src/test/java/ATest.java", "test"],
    ["vitest.config.ts", "definition"],
    ["packages/a/jest.config.js", "definition"],
    [".npmrc", "definition"],
    ["tests/conftest.py", "definition"],
    [".cargo/config.toml", "definition"],
    ["sub/.eslintrc.json", "definition"],
  ])("%s as %s", (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });

  it("by what is known to have changed in it", () => {
    const change = { path: "package.json", part: "scripts.test", change: "changed" } as const;
    expect(kindOf("package.json", [{ ...change, kind: "script" }])).toBe("definition");
    expect(kindOf("qa/a.js", [{ path: "qa/a.js", part: null, kind: "test", change: "removed" }])).toBe(
      "test",
    );
    expect(
      kindOf("src/lib.rs", [{ path: "src/lib.rs", part: "test a", kind: "inline", change: "removed" }]),
    ).toBe("source");
  });
});

describe("for people, a check", () => {
  async function lines(
    line: string,
    project: Readonly<Record<string, string | object>>,
  ): Promise<readonly string[]> {
    const command = { kind: "shell", line } as const;
    return definitionLines({
      name: "tests pass",
      command,
      changes: [],
      ...(await findDefinitions({ command, files: filesInMemory(project) })),
    });
  }

  it("is a line with what it rests on, and one with what has to stay away", async () => {
    const project = {
      "package.json": { scripts: { test: "vitest run" } },
      "vitest.config.ts": "",
      "a.test.ts": "",
      "b.test.ts": "",
    };
    const [found, absent] = await lines("npm test", project);
    expect(found).toBe("tests pass: npm test → scripts.test in package.json, vitest.config.ts, 2 test files");
    expect(absent).toMatch(/^ {2}must stay absent: .*\.npmrc.* more$/);
  });

  it("counts tests inside source files, not each of their examples", async () => {
    const project = {
      "a.py": 'def add():\n    """\n    >>> add()\n    1\n    >>> add()+1\n    2\n    """\n',
    };
    expect((await lines("python -m doctest a.py", project))[0]).toMatch(/→ 1 test inside source files$/);
  });

  it("names a single test file, and says when nothing was found", async () => {
    expect((await lines("vitest run", { "a.test.ts": "" }))[0]).toBe("tests pass: vitest run → a.test.ts");
    expect(await lines("grep -q x README.md", { "README.md": "" })).toEqual([
      "tests pass: grep -q x README.md → nothing in this project",
    ]);
  });
});
