import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTree, type TreeReading } from "./tree-digest.ts";

const MEGABYTE = 1024 * 1024;

let folder: string;
let root: string;
let stateHome: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-large-"));
  root = join(folder, "project");
  stateHome = join(folder, "state");
  mkdirSync(root);
  writeFileSync(join(root, "small"), "small\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** Its first bytes tell one from another; the rest takes no room on the disk. */
function writeLarge(megabytes: number, content: string, name = "large.bin"): void {
  writeFileSync(join(root, name), content);
  truncateSync(join(root, name), megabytes * MEGABYTE);
}

function setTime(seconds: number): void {
  utimesSync(join(root, "large.bin"), seconds, seconds);
}

async function read(home = stateHome): Promise<TreeReading> {
  const reading = await readTree({ root, stateHome: home });
  if (reading === null) throw new Error("nothing could be read");
  return reading;
}

async function digest(): Promise<string> {
  const { digest: found, doubts } = await read();
  expect(doubts).toEqual([]);
  return found;
}

function keptBytes(): number {
  const names = readdirSync(stateHome, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(join(stateHome, name)).size, 0);
}

describe.each([
  ["a project without git", () => undefined],
  [
    "a repository",
    () => {
      git("init", "-q");
      git("add", "-A");
      git("commit", "-q", "-m", "first");
    },
  ],
])("the largest files of %s", (_, create) => {
  beforeEach(create);

  it("count by their size and their time", async () => {
    const without = await digest();
    writeLarge(200, "one");
    setTime(1_000_000);
    const first = await digest();
    expect(first).not.toBe(without);
    expect(await digest()).toBe(first);
    // Nobody reads it: other bytes of the same size and time are not noticed.
    writeLarge(200, "two");
    setTime(1_000_000);
    expect(await digest()).toBe(first);
    setTime(1_000_001);
    expect(await digest()).not.toBe(first);
    writeLarge(201, "one");
    setTime(1_000_000);
    expect(await digest()).not.toBe(first);
    rmSync(join(root, "large.bin"));
    expect(await digest()).toBe(without);
  });

  it("leave nothing in the state home", async () => {
    writeLarge(200, "one");
    await digest();
    expect(keptBytes()).toBeLessThan(MEGABYTE);
  });
});

describe("large files of a repository", () => {
  beforeEach(() => {
    writeFileSync(join(root, ".gitignore"), "ignored.bin\n");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
  });

  async function lineOf(name: string): Promise<string | undefined> {
    return (await read()).tree?.files.find(({ path }) => path === name)?.line;
  }

  it("have the ids that git gives them, whatever was known before", async () => {
    writeLarge(30, "one");
    const id = git("hash-object", "large.bin");
    expect(await lineOf("large.bin")).toBe(`100644 ${id} 0\tlarge.bin`);
    expect((await read()).digest).toBe((await read(join(folder, "another"))).digest);
    writeLarge(30, "two");
    expect(await lineOf("large.bin")).toBe(`100644 ${git("hash-object", "large.bin")} 0\tlarge.bin`);
    git("add", "-A");
    expect(await lineOf("large.bin")).toBe(`100644 ${git("hash-object", "large.bin")} 0\tlarge.bin`);
  });

  it("are among the others again when they are small again, and gone when they are ignored", async () => {
    writeLarge(30, "one");
    await read();
    writeFileSync(join(root, "large.bin"), "small");
    expect(await lineOf("large.bin")).toBe(`100644 ${git("hash-object", "large.bin")} 0\tlarge.bin`);
    writeLarge(30, "one");
    await read();
    writeFileSync(join(root, ".gitignore"), "*.bin\n");
    expect(await lineOf("large.bin")).toBeUndefined();
  });

  it("that are ignored are not looked at", async () => {
    writeLarge(200, "one", "ignored.bin");
    writeLarge(200, "one");
    await read();
    expect(await lineOf("ignored.bin")).toBeUndefined();
  });

  it("may have any name", async () => {
    const name = "a *[b] ü:(top).bin";
    writeLarge(200, "one", name);
    const { tree } = await read();
    const paths = tree?.files.map(({ path }) => Buffer.from(path, "latin1").toString("utf8"));
    expect(paths).toContain(name);
    expect(keptBytes()).toBeLessThan(MEGABYTE);
  });
});
