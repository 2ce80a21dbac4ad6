import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTree, type TreeReading } from "./tree-digest.ts";

let folder: string;
let root: string;
let stateHome: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-unread-"));
  root = join(folder, "project");
  stateHome = join(folder, "state");
  mkdirSync(root);
  write("src/a.ts", "one\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  execFileSync("chmod", ["-R", "u+rwx", folder]);
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: root, stdio: "ignore" });
}

function createRepository(): void {
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

async function read(): Promise<TreeReading> {
  const reading = await readTree({ root, stateHome });
  if (reading === null) throw new Error("nothing could be read");
  return reading;
}

/** The digest still tells one state of the files from another, and stays while they do. */
async function doubtsOfTelling(): Promise<readonly string[]> {
  const before = await read();
  expect((await read()).digest).toBe(before.digest);
  write("src/a.ts", "two\n");
  expect((await read()).digest).not.toBe(before.digest);
  return before.doubts;
}

it("the digest of a project has no doubts where all can be read", async () => {
  createRepository();
  expect((await read()).doubts).toEqual([]);
});

describe("a repository that git cannot read", () => {
  it("is walked where there is no git", async () => {
    createRepository();
    vi.stubEnv("PATH", folder);
    expect(await doubtsOfTelling()).toEqual(["git cannot be started, so ignored files count too"]);
  });

  it.each(["", "gitdir: /nowhere\n"])("is walked where its .git is the file %j", async (text) => {
    write(".git", text);
    expect(await doubtsOfTelling()).toEqual(["git cannot read the repository, so ignored files count too"]);
  });

  it.each(["index", "HEAD"])("counts without what only a damaged %s tells", async (file) => {
    // Rules that no other tree has that was read in this process.
    write(".gitignore", `damaged-${file}\n`);
    createRepository();
    write(`.git/${file}`, "damaged");
    expect(await doubtsOfTelling()).toEqual([
      expect.stringMatching(/^the repository's index or HEAD is damaged/),
    ]);
  });

  it("has no doubts again once it is mended", async () => {
    createRepository();
    const { digest } = await read();
    write(".git/index", "damaged");
    expect((await read()).doubts).toHaveLength(1);
    rmSync(join(root, ".git/index"));
    expect(await read()).toMatchObject({ digest, doubts: [] });
  });
});

it("the digest of a project leaves out and names repositories that are nested too deeply", async () => {
  createRepository();
  const deepest = Array.from({ length: 10 }, (_, level) => `n${level}`);
  for (const level of deepest.keys()) {
    const nested = deepest.slice(0, level + 1).join("/");
    write(`${nested}/file`, "x");
    git("init", "-q", nested);
  }
  const named = `${deepest.slice(0, 9).join("/")}/`;
  expect(await doubtsOfTelling()).toEqual([`left out because it cannot be read: "${named}"`]);
});

describe.skipIf(process.getuid?.() === 0)("what may not be read", () => {
  it.each([
    ["in a repository", true],
    ["without git", false],
  ])("is left out and named, %s", async (_, isRepository) => {
    write("secret", "x");
    write("private/file", "x");
    write("closed/file", "x");
    if (isRepository) createRepository();
    await read();
    chmodSync(join(root, "secret"), 0o000);
    chmodSync(join(root, "private"), 0o000);
    chmodSync(join(root, "closed"), 0o311);
    write("src/more.ts", "x");
    expect(await doubtsOfTelling()).toEqual([expect.stringMatching(/^left out because it cannot be read: /)]);
    const [doubt] = (await read()).doubts;
    for (const name of ['"secret"', '"private/"', '"closed/"']) expect(doubt).toContain(name);
  });
});
