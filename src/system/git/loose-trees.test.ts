import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { looseChanges, looseFiles, looseLinks } from "./loose-trees.ts";

let root: string;
let objects: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-trees-"));
  objects = join(root, ".git/objects");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "latin1" });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function commit(): string {
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "x");
  return git("rev-parse", "HEAD").trim();
}

function treeOf(id: string): string {
  return git("rev-parse", `${id}^{tree}`).trim();
}

/** As git tells it. */
function told(from: string, to: string): readonly { readonly path: string }[] {
  const parts = git("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", "--raw", from, to).split("\0");
  return parts.flatMap((part, at) => {
    const [, one, other, before, after] = /^:(\d+) (\d+) (\w+) (\w+) \w$/.exec(part) ?? [];
    const path = parts[at + 1];
    if (one === undefined || path === undefined) return [];
    return [{ path, before: `${one} ${before}`, after: `${other} ${after}` }];
  });
}

it.each(["sha1", "sha256"])("tells what differs between two trees as git does (%s)", (hash) => {
  git("init", "-q", `--object-format=${hash}`);
  for (const path of ["a", "a.b", "deep/one/x", "deep/two/y", "gone/z", "becomes", "same/s", "mode", "é"])
    write(path, path);
  const from = commit();
  write("a", "changed");
  write("deep/one/x", "changed");
  write("deep/three/new", "new");
  write("a-folder/n", "new");
  rmSync(join(root, "gone"), { recursive: true });
  rmSync(join(root, "becomes"));
  write("becomes/a", "a folder now");
  chmodSync(join(root, "mode"), 0o755);
  symlinkSync("a", join(root, "link"));
  const to = commit();
  const changes = looseChanges([objects], treeOf(from), treeOf(to));
  expect(changes).toHaveLength(9);
  expect(changes).toEqual(told(from, to));
  expect(looseChanges([objects], treeOf(to), treeOf(from))).toEqual(told(to, from));
  expect(looseChanges([objects], treeOf(to), treeOf(to))).toEqual([]);
  const files = [...(looseFiles([objects], treeOf(to)) ?? [])];
  const lines = files.map(([path, row]) => `${row.replace(" ", " blob ")}\t${path}\0`);
  expect(lines.join("")).toBe(git("ls-tree", "-r", "-z", to));
});

it("leaves it to git where a folder isn't in a file of its own, or there are too many", () => {
  git("init", "-q");
  write("a/b", "one");
  const packed = commit();
  git("gc", "-q");
  write("a/b", "two");
  const loose = commit();
  expect(looseChanges([objects], treeOf(packed), treeOf(loose))).toBeNull();
  for (let each = 0; each < 70; each += 1) write(`many/${each}/file`, String(each));
  const many = treeOf(commit());
  expect(looseChanges([objects], treeOf(loose), many)).toBeNull();
  expect([treeOf(packed), many].map((tree) => looseFiles([objects], tree))).toEqual([null, null]);
});

it("leaves a mode to git that is none of its own", () => {
  git("init", "-q");
  write("a", "one");
  const from = commit();
  const blob = git("rev-parse", "HEAD:a").trim();
  const row = Buffer.concat([Buffer.from("100664 a\0"), Buffer.from(blob, "hex")]);
  const args = ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"];
  const odd = execFileSync("git", args, { cwd: root, input: row, encoding: "utf8" }).trim();
  expect(looseChanges([objects], treeOf(from), odd)).toBeNull();
});

it("tells a commit's tree and all of its parents", () => {
  git("init", "-q");
  const first = commit();
  expect(looseLinks(objects, first)).toEqual({ tree: treeOf(first), parents: [] });
  write("a", "one");
  const second = commit();
  git("checkout", "-q", "-b", "other", first);
  git("merge", "-q", "--no-ff", "-m", "both", second);
  const merged = git("rev-parse", "HEAD").trim();
  expect(looseLinks(objects, merged)).toEqual({ tree: treeOf(merged), parents: [first, second] });
  expect(looseLinks(objects, treeOf(merged))).toBeNull();
});
