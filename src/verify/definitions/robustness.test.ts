import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effort } from "../../../test/support/effort.ts";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { changedDefinitions, definitionLines } from "./definition.ts";
import { findDefinitions } from "./find-definitions.ts";
import { kindOf } from "./tools/tools.ts";
import { hidesExitCode } from "./shell/hidden-exit-code.ts";

const pieces = fc.constantFrom(
  ..."npm test run npx vitest pytest -m python make cargo go -C --prefix .. / /etc/passwd && || ; | & ( ) ' \" ` $( ) $X ${Y} # ! { } < > << EOF \n \\ cd env uv just tox task constructor __proto__ toString -- -c sh bash --config=x :: *.js [a- {a,b} ~ C:\\x \0".split(
    " ",
  ),
);
const lines = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(pieces, { maxLength: 25 }).map((list) => list.join(" ")),
);

const paths = fc.constantFrom(
  ..."package.json packages/a/package.json pyproject.toml setup.cfg tox.ini Makefile justfile Taskfile.yml Cargo.toml go.mod pom.xml build.gradle vitest.config.ts jest.config.js tsconfig.json noxfile.py src/lib.rs src/a.py a.test.js test/a.js x.sh deno.json".split(
    " ",
  ),
);
const texts = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.json(),
  lines.map((line) => JSON.stringify({ scripts: { test: line, pretest: 1 }, jest: line })),
  lines.map(
    (line) => `test: ${line}\n\t${line}\n[testenv]\ncommands = ${line}\n[tool.pytest]\nx = """\n${line}\n`,
  ),
  lines.map(
    (line) =>
      `tasks:\n  test:\n    cmds:\n      - ${line}\nsession.run("${line}")\n#[test]\n/// \`\`\`\nfn a() { >>> x\n`,
  ),
);
const projects = fc
  .array(fc.tuple(paths, texts), { maxLength: 8 })
  .map((entries) => Object.fromEntries(entries));

describe("hostile commands and files", () => {
  it("throw nothing, end, and mean the same twice", async () => {
    await fc.assert(
      fc.asyncProperty(lines, projects, async (line, project) => {
        const command = { kind: "shell", line } as const;
        const files = filesInMemory(project);
        const meaning = await findDefinitions({ command, files, root: "/work" });
        expect(await findDefinitions({ command, files, root: "/work", known: meaning.definitions })).toEqual(
          meaning,
        );
        expect(changedDefinitions(meaning.definitions, meaning.definitions)).toEqual([]);
        for (const { path } of meaning.definitions) {
          expect(path.startsWith("/") || path.split("/").includes("..")).toBe(false);
        }
        expect(
          definitionLines({ name: line, command, changes: [], ...meaning }).every(
            (text) => !text.includes("\n"),
          ),
        ).toBe(true);
        hidesExitCode(command);
        kindOf(line);
      }),
      { numRuns: effort(300, 5000) },
    );
  });

  it("as words that no shell sees", async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(fc.string(), fc.array(pieces)), async ([first, rest]) => {
        const command = { kind: "argv", argv: [first, ...rest] as [string, ...string[]] } as const;
        const meaning = await findDefinitions({ command, files: filesInMemory({ "a.test.js": "" }) });
        expect(meaning.leftOut).toBe(0);
        hidesExitCode(command);
      }),
      { numRuns: effort(100, 2000) },
    );
  });

  it.each([
    "(",
    "$(",
    "`",
    "'",
    '"',
    "&& ",
    "cd .. && ",
    "{a,",
    "[",
    "#[test] ",
    "<plugin>surefire",
    "test {",
    "replace (",
    "extends: [",
    "include: ['",
    "a.b.",
    "/// ```\n",
    "test: test\n\t",
    "$(A)",
    "<rootDir>/",
  ])("of nothing but %j", async (piece) => {
    const text = piece.repeat(effort(200_000, 1_000_000) / piece.length);
    const names = [
      "package.json",
      "pyproject.toml",
      "Makefile",
      "src/lib.rs",
      "pom.xml",
      "build.gradle",
      "go.mod",
      "vitest.config.ts",
      "tsconfig.json",
    ];
    const files = filesInMemory(Object.fromEntries(names.map((name) => [name, text])));
    const line = "npm test; pytest; make test; cargo test; mvn test; gradle test; go test; vitest; tsc";
    const meaning = await findDefinitions({ command: { kind: "shell", line }, files });
    expect(meaning.definitions.length).toBeGreaterThan(50);
    const hostile = { kind: "shell", line: text } as const;
    await findDefinitions({ command: hostile, files: filesInMemory({}) });
    hidesExitCode(hostile);
  });

  it("a variable of a Makefile that grows without end", async () => {
    const files = filesInMemory({
      Makefile: "A = $(B)$(B)$(B)$(B)\nB = $(C)$(C)$(C)$(C)\nC = $(A)$(A)$(A)$(A)\ntest:\n\t$(A)$(A)\n",
    });
    const { definitions } = await findDefinitions({ command: { kind: "shell", line: "make test" }, files });
    expect(definitions.map((each) => each.part)).toContain("variable C");
  });
});
