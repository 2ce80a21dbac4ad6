import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readIndexFile, parseListing, type IndexEntry } from "./index-entries.ts";
import { effort } from "../../../test/support/effort.ts";

const FORMATS = [
  ["sha1", 20],
  ["sha256", 32],
] as const;

let root: string;
let index: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-index-file-"));
  index = join(root, ".git/index");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(args: readonly string[], input?: Buffer): Buffer {
  return execFileSync("git", args, { cwd: root, input, maxBuffer: 1 << 26 });
}

function listed(): IndexEntry[] {
  return parseListing(git(["ls-files", "--stage", "-z"]));
}

const name = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constantFrom(0x2d, 0x2e, 0x2f, 0x61)), {
    minLength: 1,
    maxLength: 60,
  })
  .map((bytes) => Buffer.from(bytes).toString("latin1"))
  .filter((path) => path.split("/").every((part) => part !== "" && !/^(\.{1,2}|\.git|git~1)$/i.test(part)))
  // A repository may not hold what another system would take for its `.git`.
  .filter((path) => !/\.g|git~|[\u0080-\u00ff]{3}/i.test(path));

const entry = fc.record({
  path: name,
  mode: fc.constantFrom("100644", "100755", "120000", "160000"),
  id: fc.nat({ max: 255 }),
  stage: fc.constantFrom(0, 0, 0, 1, 2, 3),
});

describe.each(FORMATS)("an index of %s", (format, idBytes) => {
  beforeEach(() => git(["init", "-q", `--object-format=${format}`]));

  it("is read as git reads it, whatever it holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 40 }), async (entries) => {
        rmSync(index, { force: true });
        const lines = entries.map(
          ({ path, mode, id, stage }) =>
            `${mode} ${(id + 1).toString(16).padStart(idBytes * 2, "a")} ${stage}\t${path}\0`,
        );
        git(["update-index", "-z", "--index-info"], Buffer.from(lines.join(""), "latin1"));
        expect(readIndexFile(index, format)).toEqual(listed());
      }),
      { numRuns: effort(20, 60, 60) },
    );
  });

  it("is read as git reads it, of files on the disk", async () => {
    for (const path of ["a", "-n", "tab\tline\n", "ü", "x".repeat(250), "with blank"]) {
      writeFileSync(join(root, path), path);
    }
    mkdirSync(join(root, "deep/er"), { recursive: true });
    writeFileSync(join(root, "deep/er/run"), "#!/bin/sh\n");
    chmodSync(join(root, "deep/er/run"), 0o755);
    symlinkSync("nowhere", join(root, "link"));
    git(["add", "."]);
    const long = join(root, ...Array.from({ length: 20 }, () => "y".repeat(220)));
    // Longer than the field for its length can say.
    git([
      "update-index",
      "--add",
      "--cacheinfo",
      `100644,${"1".repeat(idBytes * 2)},${long.slice(root.length + 1)}`,
    ]);
    expect(listed().some(({ path }) => path.length > 0xfff)).toBe(true);
    expect(readIndexFile(index, format)).toEqual(listed());
  });

  it("is read with its extensions, and with what is only meant to be added", async () => {
    writeFileSync(join(root, "a"), "a");
    git(["add", "a"]);
    git(["commit", "-qm", "a"]);
    writeFileSync(join(root, "meant"), "b");
    git(["add", "-N", "meant"]);
    expect(readFileSync(index).includes("TREE")).toBe(true);
    expect(readFileSync(index).readUInt32BE(4)).toBe(3);
    expect(readIndexFile(index, format)).toEqual(listed());
  });
});

function appendExtension(name: string): void {
  const content = readFileSync(index);
  const end = content.length - 20;
  writeFileSync(
    index,
    Buffer.concat([content.subarray(0, end), Buffer.from(`${name}\0\0\0\x04more`), content.subarray(end)]),
  );
}

it("the reader of an index passes over a part that a later git may have added", async () => {
  git(["init", "-q"]);
  writeFileSync(join(root, "a"), "a");
  git(["add", "-A"]);
  appendExtension("LATR");
  expect(readIndexFile(index, "sha1")).toHaveLength(1);
});

describe("an index that only git understands", () => {
  beforeEach(() => {
    git(["init", "-q"]);
    for (const path of ["a", "b", "c"]) writeFileSync(join(root, path), path);
    git(["add", "-A"]);
  });

  it.each([
    ["is of another version", () => void git(["update-index", "--index-version", "4"])],
    ["leads to a second file", () => void git(["update-index", "--split-index"])],
    ["is cut off", () => writeFileSync(index, readFileSync(index).subarray(0, 150))],
    ["has a part that may not be passed over", () => appendExtension("link")],
    [
      "is cut off in its extensions",
      () => writeFileSync(index, Buffer.concat([readFileSync(index), Buffer.alloc(3)])),
    ],
    ["says that it holds more", () => writeFileSync(index, readFileSync(index).fill(9, 8, 12))],
    ["is none", () => writeFileSync(index, "DIRC damaged")],
    ["is empty", () => writeFileSync(index, "")],
  ])("%s", async (_, prepare) => {
    expect(readIndexFile(index, "sha1")).toHaveLength(3);
    prepare();
    expect(readIndexFile(index, "sha1")).toBeNull();
  });
});

it("the index of a repository without one has no entries", async () => {
  expect(readIndexFile(join(root, "index"), "sha1")).toEqual([]);
});
