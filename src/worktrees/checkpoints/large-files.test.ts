import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readCheckpoint } from "./content.ts";
import type * as Limits from "./checkpoint-sizes.ts";
import { keptFiles, withStore } from "./store.ts";
import { changesSince } from "./changes.ts";
import { restoreCheckpoint } from "./restore.ts";
import { takeCheckpoint, type Checkpoint } from "./take.ts";

const MEGABYTE = 1024 * 1024;
const LARGEST = 4 * MEGABYTE;

vi.mock("./checkpoint-sizes.ts", async (original) => ({
  ...(await original<typeof Limits>()),
  LARGEST_KEPT_BYTES: 4 * 1024 * 1024,
  BATCH_BYTES: 3 * 1024 * 1024,
}));

let folder: string;
let root: string;
let place: { readonly root: string; readonly stateHome: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-large-"));
  root = join(folder, "project");
  mkdirSync(root);
  place = { root, stateHome: join(folder, "state") };
  git("init", "-q");
  write("a.ts", "one\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

function write(path: string, content: string | Buffer): void {
  writeFileSync(join(root, path), content);
}

async function take(): Promise<Checkpoint> {
  const checkpoint = await takeCheckpoint({ ...place, ref: "refs/loopwright/x/1", message: "x" });
  if (checkpoint.commit === null) throw new Error(`no checkpoint: ${checkpoint.why}`);
  return checkpoint;
}

it("a large file is one of more than 100 MB", async () => {
  const limits = await vi.importActual<typeof Limits>("./checkpoint-sizes.ts");
  expect(limits.LARGEST_KEPT_BYTES).toBe(100 * MEGABYTE);
});

it("a checkpoint leaves large files out, names them, and lets them alone whatever becomes of them", async () => {
  write("large.bin", Buffer.alloc(LARGEST + 1));
  write("über.bin", Buffer.alloc(LARGEST + 1));
  write("just.bin", Buffer.alloc(LARGEST));
  const { commit, skipped } = await take();
  expect(skipped).toEqual(["large.bin", "über.bin"]);
  expect(git("ls-tree", "-r", "--name-only", commit).trim().split("\n")).toEqual(["a.ts", "just.bin"]);
  truncateSync(join(root, "large.bin"), 3);
  write("a.ts", "changed\n");
  expect(await changesSince({ ...place, commit })).toHaveLength(1);
  expect(await restoreCheckpoint({ ...place, commit })).toEqual({ restored: 1, removed: 0, left: [] });
  expect(statSync(join(root, "large.bin")).size).toBe(3);
  expect(statSync(join(root, "über.bin")).size).toBe(LARGEST + 1);
});

it("a checkpoint leaves a large file out that the user has committed", async () => {
  write("large.bin", Buffer.alloc(LARGEST + 1));
  git("add", "-A");
  git("commit", "-qm", "large");
  expect((await take()).skipped).toEqual(["large.bin"]);
});

it("a checkpoint does not remove a large file that is new: no checkpoint could bring it back", async () => {
  const { commit } = await take();
  write("large.bin", Buffer.alloc(LARGEST + 1));
  const change = { path: "large.bin", kind: "added", added: null, deleted: null };
  expect(await changesSince({ ...place, commit })).toEqual([change]);
  expect(await restoreCheckpoint({ ...place, commit })).toEqual({
    restored: 0,
    removed: 0,
    left: ["large.bin"],
  });
  expect(existsSync(join(root, "large.bin"))).toBe(true);
});

it("a checkpoint does not replace a file that has grown large: what it holds now could not be brought back", async () => {
  write("grown.bin", "small");
  const { commit } = await take();
  write("grown.bin", Buffer.alloc(LARGEST + 1));
  write("a.ts", "changed\n");
  expect(await restoreCheckpoint({ ...place, commit })).toEqual({
    restored: 1,
    removed: 0,
    left: ["grown.bin"],
  });
  expect(statSync(join(root, "grown.bin")).size).toBe(LARGEST + 1);
});

it("a checkpoint keeps files of some megabytes as plain objects, and brings them back in more than one go", async () => {
  const names = ["1", "2", "3", "4"];
  for (const name of names) write(name, Buffer.alloc(2 * MEGABYTE, name));
  const { commit } = await take();
  expect(readdirSync(join(root, ".git/objects/pack"))).toEqual([]);
  const signal = AbortSignal.timeout(60_000);
  await withStore({ ...place, signal }, async (store) => {
    const paths: string[] = [];
    for await (const { path } of keptFiles(store, (await readCheckpoint(store, commit)).files))
      paths.push(path);
    expect(paths).toEqual([...names, "a.ts"]);
  });
  for (const name of names) write(name, "changed");
  expect(await restoreCheckpoint({ ...place, commit })).toMatchObject({ restored: 4 });
  for (const name of names) {
    expect(readFileSync(join(root, name)).equals(Buffer.alloc(2 * MEGABYTE, name))).toBe(true);
  }
});
