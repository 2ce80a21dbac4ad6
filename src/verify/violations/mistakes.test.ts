import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { variant } from "../../../test/support/variant.ts";
import { kindsFor, onlyMistake, spellerOf, withMistake, type PutIn } from "./mistakes.ts";

const NONCE = "t0123456789abcdef";

function spelled(path: string, kind: PutIn, text = ""): string {
  const code = spellerOf(path)?.spell(kind, text, NONCE) ?? null;
  if (code === null) throw new Error(`${path} has no ${kind}`);
  return withMistake(text, code);
}

describe("a mistake", () => {
  it("is at the end of the file, as the file is written", () => {
    expect(spelled("a.ts", "types", "export const a = 1;")).toBe(
      `export const a = 1;\nexport const ${NONCE} = (0).${NONCE}x;\n`,
    );
    expect(spelled("a.ts", "types", "let a = 1\n")).toBe(`let a = 1\nconst ${NONCE} = (0).${NONCE}x\n`);
    expect(spelled("a.php", "syntax", "<?php f(); ?>\n")).toContain("?>\n<?php\n");
  });

  it("is of a plainer kind where the language has none of that kind", () => {
    expect(kindsFor({ reports: "build" })).toEqual(["build", "syntax"]);
    expect(spellerOf("a.py")?.spell("build", "", NONCE)).toBeNull();
    expect(spelled("a.sh", "syntax")).toContain(NONCE);
    expect(spellerOf("README.md")).toBeNull();
    expect(spellerOf("types.d.ts")).toBeNull();
  });

  it("can be alone in a file, with what a file of its language needs", () => {
    expect(onlyMistake("#!/bin/sh\n# shellcheck disable=all\necho\n", "x\n")).toBe("#!/bin/sh\nx\n");
    expect(onlyMistake("// @ts-nocheck\nexport {};\n", "x\n")).toBe("x\n");
  });
});

const FILES: { readonly [path: string]: string } = {
  "tsc.ts": "export const a = 1;\n",
  "a.py":
    '"""A module."""\n\n\ndef double(number: int) -> int:\n    """Double it."""\n    return number + number\n',
  "a.sh": '#!/bin/sh\necho "$1"\n',
  "a.c": "int twice(int a);\nint twice(int a) { return a + a; }\n",
  "A.java": "class A {\n  int a = 1;\n}\n",
  "a.rs": "pub fn a() -> u8 {\n    1\n}\n",
  "a.go": "package a\n\n// A is a number.\nfunc A() int {\n\treturn 1\n}\n",
  "a.rb": "def a\n  1\nend\n",
};

/** Each tool, the file that it judges, and the mistakes that it must report and name. */
const TOOLS: readonly (readonly [command: string, path: string, kinds: readonly PutIn[]])[] = [
  ["node TYPESCRIPT --noEmit --strict --types '' tsc.ts", "tsc.ts", ["types", "syntax"]],
  ["/usr/bin/python3 -m mypy a.py", "a.py", ["types", "syntax"]],
  ["/usr/bin/python3 -m pylint a.py", "a.py", ["rules", "syntax"]],
  ["/usr/bin/python3 -m flake8 a.py", "a.py", ["rules", "form", "syntax"]],
  ["shellcheck a.sh", "a.sh", ["rules", "syntax"]],
  ["gcc -c -o /dev/null a.c", "a.c", ["build", "syntax"]],
  ["javac -d out A.java", "A.java", ["build", "syntax"]],
  ["rustc --crate-type lib --emit metadata -o out.rmeta a.rs", "a.rs", ["build", "syntax"]],
  ["go vet a.go", "a.go", ["rules", "build", "syntax"]],
  ['test -z "$(gofmt -l a.go)"', "a.go", ["form"]],
  ["ruby -c a.rb", "a.rb", ["syntax"]],
];

describe("a tool that is installed", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loopwright-mistakes-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function missedBy([line, path, kinds]: (typeof TOOLS)[number]): readonly PutIn[] | "not installed" {
    const command = line.replace("TYPESCRIPT", join(process.cwd(), "node_modules/typescript/bin/tsc"));
    const isGreen = (text: string): boolean => {
      writeFileSync(join(folder, path), text);
      return spawnSync("sh", ["-c", command], { cwd: folder }).status === 0;
    };
    const text = FILES[path] ?? "";
    return isGreen(text) ? kinds.filter((kind) => isGreen(spelled(path, kind, text))) : "not installed";
  }

  it("reports it: sh -n", () => {
    expect(missedBy(["sh -n a.sh", "a.sh", ["syntax"]])).toEqual([]);
  });

  for (const tool of TOOLS)
    variant(`reports it, or isn't there: ${tool[0]}`, () => {
      expect(["not installed", []]).toContainEqual(missedBy(tool));
    });
});
