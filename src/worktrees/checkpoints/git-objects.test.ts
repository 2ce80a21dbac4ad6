import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitObject, renderPack, treesOf } from "./git-objects.ts";
import { effort } from "../../../test/support/effort.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-objects-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(args: readonly string[], input?: Buffer): Buffer {
  return execFileSync("git", args, { cwd: root, input, stdio: ["pipe", "pipe", "pipe"], maxBuffer: 1 << 26 });
}

const name = fc.oneof(
  fc.constantFrom("a", "a.b", "a-b", "a0", "b", "a b", "\u00e9t\u00e9", "line\n", "-"),
  fc.stringMatching(/^[a-c][\x21-\x2e\x30-\x7e]{0,6}$/),
);
const entry = fc.record({
  names: fc.array(name, { minLength: 1, maxLength: 4 }),
  mode: fc.constantFrom("100644", "100755", "120000"),
  id: fc.nat({ max: 255 }),
});

describe.each([
  ["sha1", 40],
  ["sha256", 64],
] as const)("objects of %s", (hash, digits) => {
  beforeEach(() => git(["init", "-q", `--object-format=${hash}`]));

  it("are for any files the trees that git would write", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        git(["read-tree", "--empty"]);
        const lines = entries.map(
          ({ names, mode, id }) =>
            `${mode} ${(id + 1).toString(16).padStart(digits, "a")}\t${names.join("/")}\0`,
        );
        git(["update-index", "-z", "--index-info"], Buffer.from(lines.join(""), "latin1"));
        const listed = git(["ls-files", "--stage", "-z"]).toString("latin1").split("\0").slice(0, -1);
        const files = listed.map((line): [string, string] => [
          line.slice(line.indexOf("\t") + 1),
          line.slice(0, line.indexOf(" ", 7)),
        ]);
        const written = git(["write-tree", "--missing-ok"]).toString().trim();
        expect(treesOf(hash, files).at(-1)?.id).toBe(written);
      }),
      { numRuns: effort(20, 60, 60) },
    );
  });

  it("come out of a pack as they went in, whatever their size", () => {
    const sizes = [0, 1, 15, 16, 17, 2047, 2048, 2049, 262_143, 262_144, 300_000];
    const header = `tree ${"a".repeat(digits)}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\n`;
    const objects = [
      gitObject(hash, "tree", Buffer.alloc(0)),
      ...sizes.map((size) => gitObject(hash, "commit", Buffer.from(header + "x".repeat(size)))),
    ];
    git(["unpack-objects", "-q"], renderPack(hash, objects));
    for (const { type, id, content } of objects) {
      expect(git(["cat-file", type, id]).equals(content)).toBe(true);
    }
  });
});
