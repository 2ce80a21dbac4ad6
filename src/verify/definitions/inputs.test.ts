import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { findDefinitions } from "./find-definitions.ts";

async function inputs(
  line: string,
  project: Readonly<Record<string, string | object>>,
): Promise<readonly string[]> {
  const command = { kind: "shell", line } as const;
  const { definitions } = await findDefinitions({ command, files: filesInMemory(project) });
  return definitions
    .filter(({ kind }) => kind === "input")
    .map(({ path, part }) => (part === null ? path : `${part} in ${path}`));
}

describe("what may judge or be the work", () => {
  it.each<[string, string, Readonly<Record<string, string | object>>, readonly string[]]>([
    ["a script without a telling name", "python look.py", { "look.py": "" }, ["look.py"]],
    [
      "its data",
      "node scripts/verify.js",
      { "scripts/verify.js": 'read("data/in.json")', "data/in.json": "" },
      ["data/in.json"],
    ],
    [
      "its helpers",
      "node scripts/verify.js",
      { "scripts/verify.js": 'require("./lib/a")', "scripts/lib/a.js": "" },
      ["scripts/lib/a.js"],
    ],
    [
      "what a loop goes through",
      "sh ci.sh",
      { "ci.sh": 'for f in "$here"/t/*.in; do a; done', "t/a.in": "", "t/a.out": "", "t/a.js": "" },
      ["t/a.in", "t/a.out"],
    ],
    [
      "what it lists",
      "node scripts/verify.js",
      {
        "scripts/verify.js": 'for (const name of readdirSync(join(__dirname, "..", "pages"))) a(name);',
        "pages/a.md": "",
        "pages/a.html": "",
        "pages/alone.md": "",
        "pages/a.js": "",
        "other/a.md": "",
        "other/a.html": "",
      },
      ["pages/a.html", "pages/a.md"],
    ],
    [
      "what a pattern finds",
      "python qa/run.py",
      { "qa/run.py": 'glob.glob("t/*.in")', "t/a.in": "", "t/a.out": "", "a.in": "", "a.out": "" },
      ["t/a.in", "t/a.out"],
    ],
    [
      "data among the source",
      "node --test",
      { "a.test.js": 'read("src/known/a.csv")', "src/known/a.csv": "" },
      ["src/known/a.csv"],
    ],
    [
      "a package's own names",
      "node --test",
      { "a.test.js": 'import "#a"; import "own/b"', "package.json": { name: "own" } },
      ["exports in package.json", "imports in package.json", "main in package.json"],
    ],
  ])("%s", async (_, line, project, found) => {
    expect(await inputs(line, project)).toEqual(found);
  });

  it.each<[string, string, Readonly<Record<string, string | object>>]>([
    ["the program itself", "node src/look.js", { "src/look.js": "" }],
    ["what something else compares", "node look.js | diff - golden.txt", { "look.js": "", "golden.txt": "" }],
    [
      "data that the source reads too",
      "node scripts/verify.js",
      { "scripts/verify.js": 'read("in.json")', "in.json": "", "src/a.js": 'read("in.json")' },
    ],
    [
      "a folder that is only named",
      "node scripts/verify.js",
      { "scripts/verify.js": 'write("t/" + name)', "t/a.in": "", "t/a.out": "" },
    ],
    [
      "a folder of pages",
      "node scripts/verify.js",
      { "scripts/verify.js": 'readdirSync("pages")', "pages/a.json": "", "pages/b.json": "" },
    ],
    [
      "another package's names",
      "node --test",
      { "a.test.js": 'import "other"; import "./a.js"', "package.json": { name: "own" } },
    ],
  ])("is not %s", async (_, line, project) => {
    expect(await inputs(line, project)).toEqual([]);
  });
});

it("a folder for each case has tests in it, as far as the script names them", async () => {
  const { definitions } = await findDefinitions({
    command: { kind: "shell", line: "sh ci.sh" },
    files: filesInMemory({
      "ci.sh": 'for d in cases-of/*/; do ./a < "$d/in.csv" | diff - "$d/out.txt"; done',
      "cases-of/one/in.csv": "",
      "cases-of/one/out.txt": "",
      "cases-of/one/notes.txt": "",
      "cases-of/one/deep/out.txt": "",
    }),
  });
  expect(definitions.filter(({ kind }) => kind === "test").map(({ path }) => path)).toEqual([
    "cases-of/one/in.csv",
    "cases-of/one/out.txt",
  ]);
});
