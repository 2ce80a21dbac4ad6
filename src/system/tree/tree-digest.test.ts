import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { headCommit, runGit } from "../git/run-git.ts";
import { treeDigest } from "../../../test/support/tree-digest.ts";

let folder: string;
let root: string;
let stateHome: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-tree-"));
  root = join(folder, "project");
  stateHome = join(folder, "state");
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function createRepository(): void {
  git("init", "-q", "-b", "main");
  write(".gitignore", "ignored/\n*.log\n");
  write("src/a.ts", "one\n");
  write("src/b.ts", "two\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

async function digest(): Promise<string> {
  const result = await treeDigest({ root, stateHome });
  if (result === null) throw new Error("no digest");
  return result;
}

async function uncachedDigest(): Promise<string | null> {
  return treeDigest({ root, stateHome: join(folder, `state-${Math.random()}`) });
}

/** Also from scratch and once more: what was seen before must not matter. */
async function effectOf(act: () => void): Promise<"same" | "different" | "unstable"> {
  const before = await digest();
  act();
  const after = await digest();
  if ((await uncachedDigest()) !== after || (await digest()) !== after) return "unstable";
  return after === before ? "same" : "different";
}

const sameFor: readonly (readonly [string, () => void])[] = [
  ["nothing", () => {}],
  ["staging an edit that was there", () => git("add", "-A")],
  ["committing", () => git("commit", "-q", "--allow-empty", "-m", "more")],
  ["unstaging everything", () => git("rm", "-rq", "--cached", ".")],
  ["losing the index", () => rmSync(join(root, ".git/index"))],
  ["a branch", () => git("checkout", "-q", "-b", "other")],
  ["an ignored file", () => write("ignored/x.ts", "x")],
  ["an ignored file by name", () => write("src/debug.log", "x")],
  ["our own state", () => write(".loop/loops/loop_1/journal.jsonl", "{}")],
  ["an adopted loop", () => write(".claude/idle-loop.local.md", "---\n---")],
  ["an adopted topic", () => write(".jwz/topics.jsonl", "{}")],
  ["a new time of a file", () => utimesSync(join(root, "src/a.ts"), 1, 1)],
  ["what others may do to a file", () => chmodSync(join(root, "src/a.ts"), 0o600)],
];

const differentFor: readonly (readonly [string, () => void])[] = [
  ["an edit", () => write("src/a.ts", "changed\n")],
  ["a staged edit", () => (write("src/a.ts", "changed\n"), git("add", "-A"))],
  ["an edit of the same size in the same second", () => write("src/a.ts", "eno\n")],
  ["becoming executable", () => chmodSync(join(root, "src/a.ts"), 0o755)],
  ["an untracked file", () => write("src/new.ts", "new")],
  ["an empty untracked file", () => write("src/new.ts", "")],
  ["a deleted file", () => rmSync(join(root, "src/a.ts"))],
  ["a renamed file", () => renameSync(join(root, "src/a.ts"), join(root, "src/c.ts"))],
  ["two files that change places", swapFiles],
  [
    "a link instead of a file",
    () => (rmSync(join(root, "src/a.ts")), symlinkSync("b.ts", join(root, "src/a.ts"))),
  ],
  ["another rule what to ignore", () => write(".gitignore", "ignored/\n")],
  ["a file in a folder named like ours", () => write("src/.loop/x", "x")],
  ["a name that is no word", () => write('src/tab\tline\n"quote"\\ ü.ts', "x")],
];

function swapFiles(): void {
  renameSync(join(root, "src/a.ts"), join(root, "x"));
  renameSync(join(root, "src/b.ts"), join(root, "src/a.ts"));
  renameSync(join(root, "x"), join(root, "src/b.ts"));
}

describe("the digest of a git project", () => {
  beforeEach(createRepository);

  it.each(sameFor)("stays the same after %s", async (_name, act) => {
    expect(await effectOf(act)).toBe("same");
  });
  it.each(differentFor)("changes with %s", async (_name, act) => {
    expect(await effectOf(act)).toBe("different");
  });

  it("does not see whether an untracked file becomes tracked", async () => {
    write("src/new.ts", "new");
    expect(await effectOf(() => git("add", "src/new.ts"))).toBe("same");
    expect(await effectOf(() => git("stash", "-q", "--keep-index"))).toBe("same");
  });

  it("comes back with the content", async () => {
    const before = await digest();
    write("src/a.ts", "changed\n");
    await digest();
    write("src/a.ts", "one\n");
    expect(await digest()).toBe(before);
  });

  it("sees every one of many edits in the same second", async () => {
    const seen = new Set<string>();
    for (let edit = 100; edit < 130; edit += 1) {
      write("src/a.ts", String(edit));
      seen.add(await digest());
    }
    expect(seen.size).toBe(30);
  });

  it("sees every one of them where the file gets back its date", async () => {
    const seen = new Set<string>();
    for (let edit = 100; edit < 130; edit += 1) {
      write("src/a.ts", String(edit));
      utimesSync(join(root, "src/a.ts"), 1_000_000_000, 1_000_000_000);
      seen.add(await digest());
    }
    expect(seen.size).toBe(30);
  });

  it("reads a file again that was younger than the last look at it", async () => {
    await digest();
    const nextHour = Math.floor(Date.now() / 1000) + 3600;
    write("src/a.ts", "uno\n");
    utimesSync(join(root, "src/a.ts"), nextHour, nextHour);
    const before = await digest();
    write("src/a.ts", "due\n");
    utimesSync(join(root, "src/a.ts"), nextHour, nextHour);
    expect(await digest()).not.toBe(before);
  });

  it("counts an ignored file that is tracked", async () => {
    write("ignored/kept.ts", "one");
    git("add", "-f", "ignored/kept.ts");
    expect(await effectOf(() => write("ignored/kept.ts", "two"))).toBe("different");
    expect(await effectOf(() => rmSync(join(root, "ignored/kept.ts")))).toBe("different");
    expect(await effectOf(() => write("ignored/kept.ts", "three"))).toBe("different");
    expect(await effectOf(() => write("ignored/other.ts", "one"))).toBe("same");
  });

  it("counts an ignored file from the moment it is tracked", async () => {
    write("ignored/kept.ts", "one");
    expect(await effectOf(() => git("add", "-f", "ignored/kept.ts"))).toBe("different");
  });

  it("counts an ignored file no longer once it is tracked no longer", async () => {
    write("ignored/kept.ts", "one");
    git("add", "-f", "ignored/kept.ts");
    expect(await effectOf(() => git("commit", "-qm", "kept"))).toBe("same");
    expect(await effectOf(() => git("rm", "-q", "--cached", "ignored/kept.ts"))).toBe("different");
    expect(await effectOf(() => write("ignored/kept.ts", "two"))).toBe("same");
  });

  it("counts an ignored file that was tracked while it was away", async () => {
    write("ignored/kept.ts", "one");
    git("add", "-f", "ignored/kept.ts");
    rmSync(join(root, "ignored/kept.ts"));
    await digest();
    git("commit", "-qm", "kept", "--allow-empty");
    expect(await effectOf(() => write("ignored/kept.ts", "two"))).toBe("different");
  });

  it("leaves our own state out whatever the project's rules say, repositories in it too", async () => {
    write(".gitignore", "!/.loop\n!/.loop/**\n");
    write(".loop/runs/tree/x", "one");
    git("init", "-q", ".loop/runs/tree");
    git("add", "-f", ".gitignore");
    expect(await effectOf(() => write(".loop/state.json", "{}"))).toBe("same");
    expect(await effectOf(() => write(".loop/runs/tree/x", "two"))).toBe("same");
  });

  it("forgets a file once it is ignored", async () => {
    write("notes.txt", "one");
    await digest();
    write(".gitignore", "notes.txt\n");
    expect(await effectOf(() => write("notes.txt", "two"))).toBe("same");
  });

  it("forgets a folder that ignores itself, rules included", async () => {
    write("made/a.txt", "one");
    await digest();
    write("made/.gitignore", "*\n");
    expect(await effectOf(() => write("made/a.txt", "two"))).toBe("same");
  });

  it("honours the repository's and the user's own excludes", async () => {
    write(".git/info/exclude", "local.txt\n");
    writeFileSync(join(folder, "mine"), "mine.txt\n");
    writeFileSync(join(homedir(), ".gitconfig"), `[core]\n\texcludesFile = ${join(folder, "mine")}\n`);
    try {
      expect(await effectOf(() => (write("local.txt", "x"), write("mine.txt", "x")))).toBe("same");
    } finally {
      rmSync(join(homedir(), ".gitconfig"));
    }
    expect(await effectOf(() => write("mine.txt", "changed"))).toBe("different");
  });

  it("takes contents as they lie on the disk", async () => {
    write(".gitattributes", "* text=auto eol=lf\n*.ts ident\n");
    write("src/a.ts", "$Id$\none\n");
    expect(await effectOf(() => write("src/a.ts", "$Id$\r\none\r\n"))).toBe("different");
  });

  it("is the same for a linked worktree of equal content", async () => {
    const before = await digest();
    git("worktree", "add", "-q", join(folder, "linked"));
    expect(await treeDigest({ root: join(folder, "linked"), stateHome })).toBe(before);
  });

  it("is the same for two that are computed at once", async () => {
    write("src/new.ts", "new");
    const all = await Promise.all(Array.from({ length: 6 }, digest));
    expect(new Set(all).size).toBe(1);
    expect(await uncachedDigest()).toBe(all[0]);
  });

  it("survives a damaged cache, a dead process's files and a lock", async () => {
    const before = await digest();
    const tree = join(stateHome, "trees", readdirSync(join(stateHome, "trees"))[0] ?? "");
    const index = readdirSync(tree).find((name) => name.startsWith("index.")) ?? "";
    writeFileSync(join(tree, "index.lock"), "");
    writeFileSync(join(tree, `${index}.lock`), "");
    writeFileSync(join(tree, index), "DIRC damaged");
    expect(await digest()).toBe(before);
    write("src/a.ts", "changed");
    expect(await digest()).not.toBe(before);
  });

  it("leaves no objects behind, and nothing in the project", async () => {
    const objects = git("count-objects", "-v");
    const index = statSync(join(root, ".git/index")).mtimeMs;
    write("src/new.ts", "new");
    await digest();
    expect(git("count-objects", "-v")).toBe(objects);
    expect(statSync(join(root, ".git/index")).mtimeMs).toBe(index);
    const left = readdirSync(stateHome, { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => /scratch|objects\/./.test(path))).toEqual([]);
    expect(left.filter((path) => /index\./.test(path))).toHaveLength(1);
  });

  it("does not count its own state when that lies inside the project", async () => {
    stateHome = join(root, "home/state");
    expect(await digest()).toBe(await digest());
  });
});

function createNested(): void {
  mkdirSync(join(root, "nested"));
  git("init", "-q", "nested");
  write("nested/.gitignore", "*.out\n");
  write("nested/n.ts", "one");
}

describe("repositories inside a repository", () => {
  beforeEach(createRepository);

  it("count with their content, before their first commit", async () => {
    createNested();
    expect(await effectOf(() => write("nested/n.ts", "two"))).toBe("different");
    expect(await effectOf(() => write("src/a.ts", "changed"))).toBe("different");
  });

  it("count with their content, and not with their commits", async () => {
    createNested();
    git("-C", "nested", "add", "-A");
    git("-C", "nested", "commit", "-q", "-m", "first");
    expect(await effectOf(() => write("nested/n.ts", "two"))).toBe("different");
    expect(await effectOf(() => git("-C", "nested", "commit", "-qam", "second"))).toBe("same");
    expect(await effectOf(() => write("nested/x.out", "x"))).toBe("same");
    expect(await effectOf(() => write("nested/new.ts", "x"))).toBe("different");
  });

  it("count as submodules, and deeper down", async () => {
    createNested();
    git("-C", "nested", "add", "-A");
    git("-C", "nested", "commit", "-q", "-m", "first");
    const origin = join(folder, "origin");
    renameSync(join(root, "nested"), origin);
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", origin, "deep/module");
    git("commit", "-q", "-m", "module");
    expect(await effectOf(() => write("deep/module/n.ts", "two"))).toBe("different");
    git("init", "-q", "deep/module/inner");
    expect(await effectOf(() => write("deep/module/inner/i.ts", "one"))).toBe("different");
    expect(await effectOf(() => write("deep/module/inner/i.ts", "two"))).toBe("different");
  });
});

describe("a project without git", () => {
  beforeEach(() => {
    write("src/a.ts", "one");
    write("node_modules/x/index.js", "x");
  });

  it.each(differentFor.filter(([name]) => !/staged|change places|ignore/.test(name)))(
    "has a digest that changes with %s",
    async (_name, act) => {
      write("src/b.ts", "two");
      expect(await effectOf(act)).toBe("different");
    },
  );

  it.each([
    ["a dependency", () => write("node_modules/x/index.js", "changed")],
    ["our own state", () => write(".loop/state.json", "{}")],
    ["a cache", () => write("src/__pycache__/a.pyc", "x")],
    ["a file behind a link", () => writeFileSync(join(folder, "outside/x"), "changed")],
  ])("has a digest that stays the same after %s", async (_name, act) => {
    mkdirSync(join(folder, "outside"));
    symlinkSync(join(folder, "outside"), join(root, "link"));
    expect(await effectOf(act)).toBe("same");
  });
});

function canary(name: string): string {
  return join(folder, `canary-${name}`);
}
function script(name: string): string {
  const path = join(folder, `${name}.sh`);
  writeFileSync(path, `#!/bin/sh\ntouch '${canary(name)}'\ncat 2>/dev/null\n`, { mode: 0o755 });
  return path;
}

function poison(repository: string): void {
  const hooks = join(folder, "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const hook of ["post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"]) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${canary("hook")}'\n`, { mode: 0o755 });
  }
  writeFileSync(join(folder, "included"), `[core]\n\tfsmonitor = ${script("included")}\n`);
  const config = [
    `[core]\n\trepositoryFormatVersion = 0\n\tfsmonitor = ${script("fsmonitor")}\n\thooksPath = ${hooks}\n\tworktree = ${join(folder, "elsewhere")}`,
    `\tsshCommand = ${script("ssh")}\n\tpager = ${script("pager")}\n\talternateRefsCommand = ${script("refs")}`,
    `[filter "evil"]\n\tclean = ${script("clean")}\n\tsmudge = ${script("smudge")}\n\tprocess = ${script("process")}\n\trequired = true`,
    `[diff]\n\texternal = ${script("diff")}\n[diff "evil"]\n\ttextconv = ${script("textconv")}\n\tcommand = ${script("driver")}`,
    `[include]\n\tpath = ${join(folder, "included")}`,
  ];
  writeFileSync(join(root, repository, ".git/config"), `${config.join("\n")}\n`);
  write(join(repository, ".gitattributes"), "* filter=evil diff=evil\n");
}

function canaries(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith("canary"));
}

describe("a hostile repository", () => {
  beforeEach(() => {
    createRepository();
    mkdirSync(join(folder, "elsewhere"));
    git("init", "-q", "nested");
    write("nested/n.ts", "one");
    git("-C", "nested", "add", "-A");
    git("-C", "nested", "commit", "-qm", "first");
    write("ignored/kept.ts", "one");
    git("add", "-f", "ignored/kept.ts");
  });

  it("would run something, with plain git", () => {
    poison("");
    try {
      git("--work-tree", root, "status");
    } catch {
      // The scripts are no proper filters.
    }
    expect(canaries()).not.toEqual([]);
  });

  it("runs nothing", async () => {
    const head = git("rev-parse", "HEAD").trim();
    const commitBefore = await digest();
    poison("");
    poison("nested");
    const poisoned = await digest();
    expect(poisoned).not.toBe(commitBefore);
    write("src/a.ts", "changed");
    write("nested/n.ts", "changed");
    write("ignored/kept.ts", "changed");
    expect(await digest()).not.toBe(poisoned);
    expect(await digest()).toBe(await uncachedDigest());
    expect(await headCommit(root)).toBe(head);
    expect((await runGit({ root, args: ["ls-files", "-z"] })).ok).toBe(true);
    expect(canaries()).toEqual([]);
  });

  it("cannot move the worktree away", async () => {
    poison("");
    expect(await effectOf(() => writeFileSync(join(folder, "elsewhere/x"), "x"))).toBe("same");
    const listed = await runGit({ root, args: ["rev-parse", "--show-toplevel"] });
    expect(listed.stdout.toString().trim()).toBe(root);
    expect(existsSync(canary("fsmonitor"))).toBe(false);
  });
});
