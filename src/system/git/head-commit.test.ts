import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { headCommit, runGit } from "./run-git.ts";

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-head-"));
  root = join(folder, "project");
  mkdirSync(root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

function inGit(path: string): string {
  return join(root, ".git", path);
}

function write(path: string, text: string): void {
  writeFileSync(inGit(path), text);
}

function commit(): void {
  git("commit", "-q", "--allow-empty", "-m", String(Math.random()));
}

async function askedOfGit(): Promise<string | null> {
  const outcome = await runGit({ root, args: ["rev-parse", "--verify", "--quiet", "HEAD"] });
  return outcome.ok ? outcome.stdout.toString().trim() : null;
}

function createRepository(...options: string[]): void {
  git("init", "-q", "-b", "main", ...options);
  commit();
}

const OTHER = "1234567890".repeat(4);

describe("the commit that is checked out, without git's help", () => {
  it.each<[string, () => void]>([
    ["on a branch", () => createRepository()],
    ["on a branch with folders in its name", () => (createRepository(), git("checkout", "-qb", "a/b.c/d-1"))],
    ["on no branch", () => (createRepository(), git("checkout", "-q", "--detach"))],
    ["on a packed branch", () => (createRepository(), git("branch", "mainly"), git("pack-refs", "--all"))],
    [
      "on a branch that went on after it was packed",
      () => (createRepository(), git("pack-refs", "--all"), commit()),
    ],
    ["with sha256", () => createRepository("--object-format=sha256")],
    ["with sha256, packed", () => (createRepository("--object-format=sha256"), git("pack-refs", "--all"))],
    [
      "in a linked worktree",
      () => {
        createRepository();
        git("worktree", "add", "-q", "-b", "linked", join(folder, "linked"));
        commit();
        root = join(folder, "linked");
      },
    ],
    [
      "in a sparse checkout",
      () => (
        createRepository(),
        git("config", "core.repositoryFormatVersion", "1"),
        git("config", "extensions.worktreeConfig", "true")
      ),
    ],
  ])("%s", async (_, prepare) => {
    prepare();
    const expected = git("rev-parse", "HEAD");
    expect(await askedOfGit()).toBe(expected);
    vi.stubEnv("PATH", folder);
    expect(await headCommit(root)).toBe(expected);
  });

  it("is null where there is no repository", async () => {
    vi.stubEnv("PATH", folder);
    expect(await headCommit(root)).toBeNull();
  });
});

describe("the commit that is checked out is what git says", () => {
  beforeEach(() => createRepository());

  it.each<[string, () => void]>([
    ["before the first commit", () => git("checkout", "-q", "--orphan", "new")],
    ["behind a branch that leads to another", () => git("symbolic-ref", "HEAD", "refs/heads/main")],
    [
      "behind a chain",
      () => (
        git("symbolic-ref", "refs/heads/chain", "refs/heads/main"),
        git("symbolic-ref", "HEAD", "refs/heads/chain")
      ),
    ],
    ["behind a link", () => (rmSync(inGit("HEAD")), symlinkSync("refs/heads/main", inGit("HEAD")))],
    ["on a branch of another alphabet", () => git("checkout", "-qb", "größe")],
    ["with blanks around it", () => write("HEAD", "ref:   refs/heads/main  \n")],
    ["without an end of the line", () => write("HEAD", "ref: refs/heads/main")],
    ["without a HEAD", () => rmSync(inGit("HEAD"))],
    ["with an empty HEAD", () => write("HEAD", "")],
    ["with an empty branch", () => write("refs/heads/main", "")],
    ["with an empty branch that is packed", () => (git("pack-refs", "--all"), write("refs/heads/main", ""))],
    ["with a branch of nonsense", () => write("refs/heads/main", "nonsense\n")],
    ["with a branch of zeros", () => write("refs/heads/main", `${"0".repeat(40)}\n`)],
    ["with a short id", () => write("refs/heads/main", `${OTHER.slice(1)}\n`)],
    ["with a long id", () => write("HEAD", `${OTHER}${OTHER.slice(16)}\n`)],
    ["with capital letters", () => write("refs/heads/main", `${OTHER.replaceAll("1", "A")}\n`)],
    ["with a commit that is missing", () => write("refs/heads/main", `${OTHER}\n`)],
    [
      "with a folder for a branch",
      () => (rmSync(inGit("refs/heads/main")), mkdirSync(inGit("refs/heads/main"))),
    ],
    ["without objects", () => rmSync(inGit("objects"), { recursive: true })],
    ["without refs", () => (git("pack-refs", "--all"), rmSync(inGit("refs"), { recursive: true }))],
    ["with settings of a later git", () => git("config", "core.repositoryFormatVersion", "7")],
    [
      "with an extension of a later git",
      () =>
        appendFileSync(
          inGit("config"),
          "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tlater = true\n",
        ),
    ],
    ["without settings", () => rmSync(inGit("config"))],
    [
      "behind a file that leads elsewhere",
      () => (
        renameSync(inGit(""), join(folder, "moved")),
        writeFileSync(join(root, ".git"), "gitdir: ../moved\n")
      ),
    ],
    [
      "behind a file that leads nowhere",
      () => (rmSync(inGit(""), { recursive: true }), writeFileSync(join(root, ".git"), "gitdir: /nowhere\n")),
    ],
    [
      "when a packed tag is called HEAD and there is no commit",
      () => (git("tag", "HEAD"), git("pack-refs", "--all"), git("symbolic-ref", "HEAD", "refs/heads/none")),
    ],
    [
      "when a tag is called HEAD and there is no commit",
      () => (git("tag", "HEAD"), git("symbolic-ref", "HEAD", "refs/heads/none")),
    ],
  ])("%s", async (_, prepare) => {
    prepare();
    expect(await headCommit(root)).toBe(await askedOfGit());
  });

  it.each([
    "refs/heads/../../../../outside",
    "refs/heads/./main",
    "../outside",
    "/etc/hostname",
    "refs/heads/main.lock",
  ])("for a HEAD of %s, which leads out or to no ref", async (ref) => {
    writeFileSync(join(folder, "outside"), `${OTHER}\n`);
    writeFileSync(inGit("refs/heads/main.lock"), `${OTHER}\n`);
    write("HEAD", `ref: ${ref}\n`);
    expect(await headCommit(root)).not.toBe(OTHER);
    expect(await headCommit(root)).toBe(await askedOfGit());
  });
});
