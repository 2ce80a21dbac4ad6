import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTree } from "../tree/tree-digest.ts";
import { findGitFolders } from "./git-files.ts";
import { runGit } from "./run-git.ts";
import { writeOwnRef } from "./write-ref.ts";

function repository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-pipes-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  execFileSync("git", ["init", "-q"], { cwd: root });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.js"), "1;\n");
  return root;
}

function pipeAt(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
}

test.each([".gitignore", "src/.gitignore", ".git/info/exclude", ".git/config"])(
  "a git that waits for the pipe %s is ended, and no other one waits until it is gone",
  async (path) => {
    const root = repository();
    pipeAt(join(root, path));
    const ask = async (): Promise<unknown> =>
      runGit({ root, args: ["ls-files", "--others", "--exclude-standard"], timeoutMs: 2 ** 31 - 1 });
    const waits = { ok: false, message: `${join(root, path)} is a pipe, and git would wait for it` };
    expect(await ask()).toMatchObject(waits);
    expect(await ask()).toMatchObject(waits);
    rmSync(join(root, path));
    expect(await ask()).not.toMatchObject(waits);
  },
);

test("a link to a pipe is one, and pipes that git doesn't read are none", async () => {
  const root = repository();
  pipeAt(join(root, "src/pipe"));
  symlinkSync("../../src/pipe", join(root, ".git/info/attributes"));
  const told = await runGit({ root, args: ["check-attr", "-a", "src/a.js"], timeoutMs: 2 ** 31 - 1 });
  expect(told.message).toContain(".git/info/attributes is a pipe");
});

test("the files of a project with such a pipe are read without git, and it is named", async () => {
  const root = repository();
  const stateHome = `${root}-state`;
  onTestFinished(() => rmSync(stateHome, { recursive: true, force: true }));
  pipeAt(join(root, "src/.gitignore"));
  const reading = await readTree({ root, stateHome });
  expect([...(reading?.walked?.keys() ?? [])]).toEqual(["src/a.js"]);
  expect(reading?.doubts).toEqual([
    'git cannot read the repository because "src/.gitignore" is a pipe, so ignored files count too',
  ]);
});

test("no ref is written where a pipe is in place of a file of git's", () => {
  const root = repository();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("commit", "-q", "--allow-empty", "-m", "one");
  const commit = git("rev-parse", "HEAD").trim();
  const folders = findGitFolders(root);
  if (folders === null) throw new Error("no repository");
  for (const name of ["packed-refs", "config"]) {
    const path = join(root, ".git", name);
    if (name === "config") renameSync(path, `${path}.kept`);
    pipeAt(path);
    expect(writeOwnRef(folders, "refs/loopwright/x/1", { to: commit })).toBe(false);
    rmSync(path);
  }
});
