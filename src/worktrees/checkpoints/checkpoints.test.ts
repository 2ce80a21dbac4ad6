import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ALL_CHECKPOINTS, dropCheckpoints, listCheckpoints } from "./refs.ts";
import { changesSince } from "./changes.ts";
import { restoreCheckpoint, type Restored } from "./restore.ts";
import { takeCheckpoint, type Checkpoint } from "./take.ts";
import { readTree } from "../../system/tree/tree-digest.ts";

const REF = "refs/loopwright/fix-it-ab12/1";
const NOTHING_LEFT = { left: [] };

let folder: string;
let root: string;
let stateHome: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-checkpoint-"));
  root = join(folder, "project");
  stateHome = join(folder, "state");
  mkdirSync(root);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function remove(path: string): void {
  rmSync(join(root, path), { recursive: true });
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function createRepository(...options: string[]): void {
  git("init", "-q", "-b", "main", ...options);
  write(".gitignore", "ignored/\n*.log\n.env\n");
  write("src/a.ts", "one\n");
  write("src/b.ts", "two\n");
  write("docs/deep/page.md", "page\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

async function take(ref = REF): Promise<Checkpoint> {
  const checkpoint = await takeCheckpoint({ root, stateHome, ref, message: "Before iteration 1" });
  if (checkpoint.commit === null) throw new Error(`no checkpoint: ${checkpoint.why}`);
  return checkpoint;
}

function restore({ commit }: { readonly commit: string }): Promise<Restored> {
  return restoreCheckpoint({ root, stateHome, commit });
}

type Snapshot = { readonly [path: string]: string };

/** All files and folders below one, by path: kind, executable or not, and content. */
function snapshot(of = root, skip: (path: string) => boolean = (path) => path === ".git"): Snapshot {
  const found: { [path: string]: string } = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(Buffer.from(join(of, path), "latin1"), { encoding: "latin1" })) {
      const inner = join(path, name);
      if (skip(inner)) continue;
      const full = Buffer.from(join(of, inner), "latin1");
      const stats = lstatSync(full);
      if (stats.isSymbolicLink()) found[inner] = `link ${readlinkSync(full, { encoding: "latin1" })}`;
      else if (stats.isDirectory()) {
        found[inner] = "folder";
        visit(inner);
      } else {
        const digest = createHash("sha256").update(readFileSync(full)).digest("hex");
        found[inner] = `${(stats.mode & 0o777).toString(8)} ${digest}`;
      }
    }
  };
  visit("");
  return found;
}

/** Everything that git knows, but for objects and our refs. */
function gitSnapshot(): Snapshot {
  return snapshot(join(root, ".git"), (path) => path === "objects" || path === "refs/loopwright");
}

/** Takes a checkpoint, acts, restores, and expects all to be as it was; twice, since a second time must do nothing. */
async function undone(act: () => void | Promise<void>): Promise<Restored> {
  const before = snapshot();
  const checkpoint = await take();
  await act();
  expect(snapshot()).not.toEqual(before);
  const restored = await restore(checkpoint);
  expect(snapshot()).toEqual(before);
  expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left: [] });
  expect(await changesSince({ root, stateHome, commit: checkpoint.commit })).toEqual([]);
  return restored;
}

function useLaterClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * 60 * 1000 });
}

describe("a checkpoint", () => {
  beforeEach(() => createRepository());

  it("is a commit of ours on the user's, under the given ref", async () => {
    const { commit, skipped } = await take();
    expect(skipped).toEqual([]);
    expect(git("rev-parse", REF).trim()).toBe(commit);
    const format = "%P|%an <%ae>|%cn <%ce>|%B";
    expect(git("log", "-1", `--format=${format}`, commit).trim()).toBe(
      `${git("rev-parse", "HEAD").trim()}|Loopwright <loop@localhost>|Loopwright <loop@localhost>|Before iteration 1\n\nWorktree: ${root}`,
    );
    expect(() => git("fsck", "--strict")).not.toThrow();
  });

  it("holds what is there: staged or not, tracked or not, and nothing ignored", async () => {
    write("src/a.ts", "staged\n");
    git("add", "-A");
    write("src/a.ts", "not staged\n");
    write("new.ts", "untracked\n");
    write("ignored/x", "x");
    remove("src/b.ts");
    write(".loop/loops/x/journal.jsonl", "{}");
    write(".jwz/topics.jsonl", "{}");
    const { commit } = await take();
    expect(git("ls-tree", "-r", "--name-only", commit).trim().split("\n")).toEqual([
      ".gitignore",
      "docs/deep/page.md",
      "new.ts",
      "src/a.ts",
    ]);
    expect(git("show", `${commit}:src/a.ts`)).toBe("not staged\n");
  });

  it("has no parent before the first commit", async () => {
    git("checkout", "-q", "--orphan", "empty");
    const { commit } = await take();
    expect(git("log", "-1", "--format=%P", commit).trim()).toBe("");
    expect(await undone(() => write("src/a.ts", "changed\n"))).toMatchObject(NOTHING_LEFT);
  });

  it("can be one of nothing", async () => {
    for (const path of ["src", "docs", ".gitignore"]) remove(path);
    expect(await undone(() => write("src/new.ts", "new"))).toMatchObject(NOTHING_LEFT);
  });

  it("outlives the user's gc, until it is dropped", async () => {
    write("new.ts", "only here\n");
    const checkpoint = await take();
    remove("new.ts");
    git("gc", "-q", "--prune=now");
    await restore(checkpoint);
    expect(readFileSync(join(root, "new.ts"), "utf8")).toBe("only here\n");
    await dropCheckpoints(root, [REF]);
    git("gc", "-q", "--prune=now");
    await expect(restore(checkpoint)).rejects.toThrow("is not a checkpoint");
  });

  it("is whole after objects were pruned that an earlier one had brought", async () => {
    write("new.ts", "only here\n");
    await take();
    await dropCheckpoints(root, [REF]);
    git("gc", "-q", "--prune=now");
    expect(await undone(() => remove("new.ts"))).toMatchObject(NOTHING_LEFT);
  });

  it("may be replaced by another of the same name", async () => {
    const first = await take();
    write("src/a.ts", "changed\n");
    const second = await take();
    expect(second.commit).not.toBe(first.commit);
    expect(git("rev-parse", REF).trim()).toBe(second.commit);
  });

  it("comes after five others at once, each whole", async () => {
    write("new.ts", "new\n");
    const names = Array.from({ length: 5 }, (_, number) => `refs/loopwright/x/${number}`);
    const all = await Promise.all(names.map((name) => take(name)));
    const trees = all.map(({ commit }) => git("rev-parse", `${commit}^{tree}`));
    expect(new Set(trees).size).toBe(1);
    expect(await undone(() => remove("new.ts"))).toMatchObject(NOTHING_LEFT);
  });

  it("keeps objects open to a group that shares the repository", async () => {
    git("config", "core.sharedRepository", "group");
    const objects = join(root, ".git/objects");
    const before = new Set(readdirSync(objects));
    write("new.ts", "new\n");
    await take();
    const modes = readdirSync(objects)
      .filter((name) => !before.has(name))
      .map((name) => statSync(join(objects, name)).mode & 0o070);
    expect(new Set(modes)).toEqual(new Set([0o070]));
  });

  it("is the same from a reading that was made before, and as old as that", async () => {
    write("new.ts", "new\n");
    const own = await take();
    const reading = await readTree({ root, stateHome });
    useLaterClock();
    const options = { root, stateHome, ref: `${REF}0`, message: "Before iteration 1", reading };
    const { commit } = await takeCheckpoint(options);
    vi.useRealTimers();
    const [before, after] = [own.commit, commit].map((each) =>
      git("cat-file", "commit", each ?? "").split("\n"),
    );
    expect(after?.filter((line) => /^(tree|parent) /.test(line))).toEqual(before?.slice(0, 2));
    expect(git("log", "-1", "--format=%ct", commit ?? "").trim()).toBe(
      String(Math.floor((reading?.at ?? 0) / 1000)),
    );
  });

  it("is of the files as they are when a reading has become too old", async () => {
    write("gone.ts", "new\n");
    const reading = await readTree({ root, stateHome });
    remove("gone.ts");
    write("src/a.ts", "changed\n");
    await takeCheckpoint({ root, stateHome, ref: REF, message: "x", reading });
    expect(git("ls-tree", "-r", "--name-only", REF)).not.toContain("gone.ts");
    expect(git("show", `${REF}:src/a.ts`)).toBe("changed\n");
  });

  it("holds what came since the one before it, and what has not changed", async () => {
    await take();
    write("src/a.ts", "changed\n");
    write("src/new/er.ts", "new\n");
    remove("docs");
    const { commit } = await take(`${REF}0`);
    git("add", "-A");
    expect(git("rev-parse", `${commit}^{tree}`)).toBe(git("write-tree"));
    expect(() => git("fsck", "--strict")).not.toThrow();
  });

  it("leaves nothing behind in the state home but its cache", async () => {
    const checkpoint = await take();
    write("src/a.ts", "changed\n");
    await changesSince({ root, stateHome, commit: checkpoint.commit });
    await restore(checkpoint);
    const left = readdirSync(stateHome, { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => /scratch|objects\/./.test(path))).toEqual([]);
  });

  it("takes any text as its message", async () => {
    const message = '\0-m x\nloopwright-left-out "src/a.ts"\n\nloopwright-left-out "src/a.ts"\n';
    const checkpoint = await takeCheckpoint({ root, stateHome, ref: REF, message });
    expect(git("log", "-1", "--format=%B", REF).trim()).toBe(`${message.slice(1)}\n\nWorktree: ${root}`);
    write("src/a.ts", "changed\n");
    expect(await restore({ commit: checkpoint.commit ?? "" })).toMatchObject({ restored: 1 });
  });

  it.each([
    "refs/heads/main",
    "HEAD",
    "refs/loopwright",
    "refs/loopwright/../heads/main",
    "-d",
    "refs/stash",
  ])("is never put at %s", async (ref) => {
    await expect(takeCheckpoint({ root, stateHome, ref, message: "x" })).rejects.toThrow(
      "is not a checkpoint ref",
    );
    await expect(dropCheckpoints(root, [ref])).rejects.toThrow("is not a checkpoint ref");
  });

  it("does not move a branch that its ref leads to", async () => {
    git("symbolic-ref", REF, "refs/heads/main");
    const head = git("rev-parse", "main");
    await take();
    expect(git("rev-parse", "main")).toBe(head);
    git("symbolic-ref", REF, "refs/heads/main");
    await dropCheckpoints(root, [REF]);
    expect(git("rev-parse", "main")).toBe(head);
  });
});

describe("what is the user's", () => {
  beforeEach(() => createRepository());

  it("stays byte for byte: index, HEAD, branches, stash, reflogs, config", async () => {
    git("config", "core.logAllRefUpdates", "always");
    write("src/b.ts", "for the stash\n");
    git("stash", "-q");
    write("src/a.ts", "staged\n");
    git("add", "-A");
    write("src/a.ts", "and more\n");
    write("meant.ts", "intent to add\n");
    git("add", "-N", "meant.ts");
    const before = gitSnapshot();
    const checkpoint = await take();
    expect(gitSnapshot()).toEqual(before);
    write("src/a.ts", "changed\n");
    remove("meant.ts");
    await changesSince({ root, stateHome, commit: checkpoint.commit });
    await listCheckpoints(root, "refs/loopwright/fix-it-ab12");
    await restore(checkpoint);
    expect(readFileSync(join(root, "meant.ts"), "utf8")).toBe("intent to add\n");
    await dropCheckpoints(root, [REF]);
    expect(gitSnapshot()).toEqual(before);
  });

  it("stays where the agent left it, when files go back", async () => {
    const checkpoint = await take();
    git("checkout", "-q", "-b", "agent");
    write("src/a.ts", "changed\n");
    git("commit", "-qam", "of the agent");
    const before = gitSnapshot();
    await restore(checkpoint);
    expect(gitSnapshot()).toEqual(before);
    expect(git("status", "--porcelain")).toBe(" M src/a.ts\n");
  });
});

describe("a restore", () => {
  beforeEach(() => createRepository());

  it("brings edits, deletions and additions back", async () => {
    write("untracked.ts", "mine\n");
    const restored = await undone(() => {
      write("src/a.ts", "changed\n");
      write("untracked.ts", "changed\n");
      remove("docs");
      write("made/by/agent.ts", "new\n");
      write("src/more.ts", "new\n");
    });
    expect(restored).toEqual({ restored: 3, removed: 2, left: [] });
  });

  it("writes nothing that is as it was", async () => {
    const checkpoint = await take();
    const before = statSync(join(root, "src/a.ts"), { bigint: true });
    write("src/b.ts", "changed\n");
    expect(await restore(checkpoint)).toMatchObject({ restored: 1 });
    const after = statSync(join(root, "src/a.ts"), { bigint: true });
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
  });

  it("brings executable bits and links back", async () => {
    write("run.sh", "#!/bin/sh\n");
    chmodSync(join(root, "run.sh"), 0o755);
    symlinkSync("src/a.ts", join(root, "link"));
    symlinkSync("/nowhere/at/all", join(root, "dangling"));
    write("gone.sh", "#!/bin/sh\n");
    chmodSync(join(root, "gone.sh"), 0o755);
    expect(
      await undone(() => {
        chmodSync(join(root, "run.sh"), 0o644);
        remove("gone.sh");
        chmodSync(join(root, "src/a.ts"), 0o755);
        remove("link");
        symlinkSync("src/b.ts", join(root, "link"));
        rmSync(join(root, "dangling"));
        write("dangling", "a file now");
        remove("src/b.ts");
        symlinkSync("a.ts", join(root, "src/b.ts"));
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("leaves to files who may read and write them", async () => {
    write("secret.txt", "mine\n");
    chmodSync(join(root, "secret.txt"), 0o600);
    chmodSync(join(root, "src/a.ts"), 0o444);
    expect(
      await undone(() => {
        write("secret.txt", "changed\n");
        chmodSync(join(root, "src/a.ts"), 0o644);
        write("src/a.ts", "changed\n");
        chmodSync(join(root, "src/a.ts"), 0o444);
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("goes from a folder back to a file, and from a file back to a folder", async () => {
    expect(
      await undone(() => {
        remove("src/a.ts");
        write("src/a.ts/one/two.ts", "inside\n");
        mkdirSync(join(root, "src/a.ts/empty"));
        remove("docs");
        write("docs", "a file now\n");
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("removes folders that it empties, and no others", async () => {
    const checkpoint = await take();
    write("made/by/agent.ts", "new\n");
    mkdirSync(join(root, "made-empty"));
    write("kept/x.log", "ignored\n");
    write("kept/new.ts", "new\n");
    await restore(checkpoint);
    expect(existsSync(join(root, "made"))).toBe(false);
    expect(existsSync(join(root, "made-empty"))).toBe(true);
    expect(readdirSync(join(root, "kept"))).toEqual(["x.log"]);
  });

  it("takes names of any bytes", async () => {
    const name = (text: string): Buffer => Buffer.from(join(root, text), "latin1");
    const odd = [
      "tab\tline\nend",
      '"quoted"',
      "-n",
      " blank ",
      "back\\slash",
      "\xff\xfe not utf8",
      ":(glob)*",
    ];
    for (const text of odd) writeFileSync(name(text), text);
    mkdirSync(name("\xe9t\xe9"));
    writeFileSync(name("\xe9t\xe9/\xfcber"), "inside");
    const restored = await undone(() => {
      for (const text of odd) writeFileSync(name(text), "changed");
      rmSync(name("\xe9t\xe9/\xfcber"));
      rmSync(name("\xe9t\xe9"), { recursive: true });
      writeFileSync(name("new\n\xff"), "new");
    });
    expect(restored).toEqual({ restored: odd.length + 1, removed: 1, left: [] });
  });

  it.skipIf(process.getuid?.() === 0)("names what it may not write, and does the rest", async () => {
    const checkpoint = await take();
    write("src/a.ts", "changed\n");
    write("docs/deep/page.md", "changed\n");
    write("docs/deep/new.md", "new\n");
    chmodSync(join(root, "docs/deep"), 0o555);
    const left = ["docs/deep/new.md", "docs/deep/page.md"];
    expect(await restore(checkpoint)).toEqual({ restored: 1, removed: 0, left });
    chmodSync(join(root, "docs/deep"), 0o755);
    expect(await restore(checkpoint)).toEqual({ restored: 1, removed: 1, left: [] });
  });

  it("does not follow a link out of the worktree", async () => {
    const outside = join(folder, "outside");
    mkdirSync(join(outside, "deep"), { recursive: true });
    writeFileSync(join(outside, "deep/page.md"), "not ours\n");
    writeFileSync(join(outside, "other"), "not ours\n");
    expect(
      await undone(() => {
        remove("docs");
        symlinkSync(outside, join(root, "docs"));
        remove("src/a.ts");
        symlinkSync(join(outside, "other"), join(root, "src/a.ts"));
      }),
    ).toMatchObject(NOTHING_LEFT);
    expect(readFileSync(join(outside, "deep/page.md"), "utf8")).toBe("not ours\n");
    expect(readFileSync(join(outside, "other"), "utf8")).toBe("not ours\n");
  });

  it("leaves a link alone that is ignored and in the way", async () => {
    const outside = join(folder, "outside");
    mkdirSync(join(outside, "deep"), { recursive: true });
    const checkpoint = await take();
    remove("docs");
    symlinkSync(outside, join(root, "docs"));
    writeFileSync(join(root, ".git/info/exclude"), "/docs\n");
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left: ["docs/deep/page.md"] });
    expect(readdirSync(join(outside, "deep"))).toEqual([]);
  });

  it("leaves alone what loops write themselves, tracked or not", async () => {
    write(".loop/state.json", "{}");
    git("add", "-f", ".loop/state.json");
    const checkpoint = await take();
    write(".loop/state.json", '{"more":1}');
    write(".loop/loops/x/journal.jsonl", "{}");
    write(".claude/idle-loop.local.md", "---");
    write("src/a.ts", "changed\n");
    expect(await restore(checkpoint)).toEqual({ restored: 1, removed: 0, left: [] });
    expect(readFileSync(join(root, ".loop/state.json"), "utf8")).toBe('{"more":1}');
    expect(existsSync(join(root, ".loop/loops/x/journal.jsonl"))).toBe(true);
    expect(existsSync(join(root, ".claude/idle-loop.local.md"))).toBe(true);
  });

  it("brings a file back that is tracked although it is ignored", async () => {
    write("ignored/kept.ts", "kept\n");
    git("add", "-f", "ignored/kept.ts");
    write("ignored/other.ts", "other\n");
    expect(await undone(() => write("ignored/kept.ts", "changed\n"))).toMatchObject(NOTHING_LEFT);
  });

  it("clears away what a killed one left, and goes on", async () => {
    expect(
      await undone(() => {
        write("src/a.ts", "");
        write("docs/deep/.loopwright-0b0f2c2e-7f0c-4a4e-8a5e-111111111111", "half a fi");
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("is whole when it is done again after a kill in the middle", async () => {
    for (let number = 0; number < 400; number += 1) write(`many/${number}.ts`, `${number}\n`);
    const before = snapshot();
    const { commit } = await take();
    const change = (): void => {
      for (let number = 0; number < 400; number += 1) {
        if (number % 3 === 0) remove(`many/${number}.ts`);
        else write(`many/${number}.ts`, "changed\n");
        write(`new/${number}.ts`, "new\n");
      }
    };
    const program = join(folder, "restore.mjs");
    buildSync({
      stdin: {
        contents: `import { restoreCheckpoint } from "./restore.ts"; await restoreCheckpoint(${JSON.stringify({ root, stateHome, commit })});`,
        resolveDir: import.meta.dirname,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: program,
    });
    const killInTheMiddle = async (): Promise<unknown> => {
      const child = spawn(process.execPath, [program], { stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
      while (!existsSync(join(root, "many/0.ts")) && child.exitCode === null) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      child.kill("SIGKILL");
      return ended;
    };
    // On a busy machine it may be done before this process sees that it began.
    let ended: unknown = null;
    while (ended !== "SIGKILL" || isDeepStrictEqual(snapshot(), before)) {
      change();
      ended = await killInTheMiddle();
    }
    await restore({ commit });
    expect(snapshot()).toEqual(before);
  });

  it("refuses what is no checkpoint, before it touches a file", async () => {
    write("src/a.ts", "changed\n");
    for (const commit of [git("rev-parse", "HEAD").trim(), "0".repeat(40), "HEAD", "--help"]) {
      await expect(restore({ commit })).rejects.toThrow("is not a checkpoint");
    }
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("changed\n");
  });

  it("refuses one that is not whole, before it touches a file", async () => {
    write("new.ts", "only here\n");
    const checkpoint = await take();
    const object = git("rev-parse", `${checkpoint.commit}:new.ts`).trim();
    rmSync(join(root, ".git/objects", object.slice(0, 2), object.slice(2)));
    remove("new.ts");
    write("src/a.ts", "changed\n");
    await expect(restore(checkpoint)).rejects.toThrow("missing from the repository");
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("changed\n");
  });

  it.each([".git", ".GIT", "..", ".loop"])("refuses one with a forged %s", async (name) => {
    const checkpoint = await take();
    const hash = (type: string, content: Buffer): string =>
      execFileSync("git", ["hash-object", "-t", type, "-w", "--literally", "--stdin"], {
        cwd: root,
        input: content,
        encoding: "utf8",
      }).trim();
    const entry = (mode: string, named: string, id: string): Buffer =>
      Buffer.concat([Buffer.from(`${mode} ${named}\0`), Buffer.from(id, "hex")]);
    const inner = hash("tree", entry("100755", "planted", hash("blob", Buffer.from("x"))));
    const tree = hash("tree", entry("40000", name, inner));
    const text = git("cat-file", "commit", checkpoint.commit).replace(/^tree .*/, `tree ${tree}`);
    const forged = hash("commit", Buffer.from(text));
    const before = snapshot(folder, (path) => path.startsWith("state"));
    await expect(restore({ commit: forged })).rejects.toThrow(
      "has an entry that does not belong in a checkpoint",
    );
    expect(snapshot(folder, (path) => path.startsWith("state"))).toEqual(before);
  });
});

describe("ignored files", () => {
  beforeEach(() => createRepository());

  it("are neither kept nor removed", async () => {
    write(".env", "mine");
    const checkpoint = await take();
    write(".env", "changed");
    write("ignored/new", "new");
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left: [] });
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("changed");
    expect(existsSync(join(root, "ignored/new"))).toBe(true);
  });

  it("are not removed because the agent ceased to ignore them", async () => {
    write(".env", "mine");
    write("src/.env", "mine, too");
    expect(await undone(() => write(".gitignore", "ignored/\n"))).toMatchObject(NOTHING_LEFT);
    expect(await undone(() => write("src/.gitignore", "!.env\n"))).toMatchObject(NOTHING_LEFT);
    expect(await undone(() => remove(".gitignore"))).toMatchObject(NOTHING_LEFT);
    expect(
      await undone(() => {
        remove(".gitignore");
        write(".gitignore/a", "a folder now");
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("are not removed because the user ceased to ignore them", async () => {
    writeFileSync(join(root, ".git/info/exclude"), "mine.txt\n");
    write("mine.txt", "mine");
    useLaterClock();
    const checkpoint = await take();
    vi.useRealTimers();
    writeFileSync(join(root, ".git/info/exclude"), "");
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left: ["mine.txt"] });
    expect(readFileSync(join(root, "mine.txt"), "utf8")).toBe("mine");
  });

  it("of the agent's go, when they were not ignored before", async () => {
    expect(
      await undone(() => {
        appendFileSync(join(root, ".gitignore"), "out/\nsrc/b.ts\n");
        write("out/made.js", "new");
        write("src/b.ts", "changed, tracked and ignored\n");
      }),
    ).toMatchObject(NOTHING_LEFT);
    expect(
      await undone(() => {
        write("notes.txt", "new");
        appendFileSync(join(root, ".gitignore"), "notes.txt\n");
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("come back when they were not ignored before", async () => {
    write("notes.txt", "mine");
    expect(
      await undone(() => {
        appendFileSync(join(root, ".gitignore"), "notes.txt\n");
        write("notes.txt", "changed");
      }),
    ).toMatchObject(NOTHING_LEFT);
    expect(
      await undone(() => {
        write("src/new.ts", "new");
        write("src/.gitignore", "*\n");
        write("notes.txt", "changed");
      }),
    ).toMatchObject(NOTHING_LEFT);
    remove(".gitignore");
    expect(
      await undone(() => {
        write(".gitignore", "*\n");
        write("notes.txt", "changed");
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("that are rules and ignore themselves stay as they are now", async () => {
    write("src/.gitignore", "*\n");
    const checkpoint = await take();
    write("src/.gitignore", "*\n!new\n");
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left: [] });
    expect(readFileSync(join(root, "src/.gitignore"), "utf8")).toBe("*\n!new\n");
  });

  it("that the user ignores only since come back, once", async () => {
    write("notes.txt", "mine");
    chmodSync(join(root, "notes.txt"), 0o755);
    symlinkSync("notes.txt", join(root, "link"));
    const checkpoint = await take();
    writeFileSync(join(root, ".git/info/exclude"), "notes.txt\nlink\n");
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left: [] });
    chmodSync(join(root, "notes.txt"), 0o644);
    rmSync(join(root, "link"));
    symlinkSync("elsewhere", join(root, "link"));
    expect(await restore(checkpoint)).toEqual({ restored: 2, removed: 0, left: [] });
    write("notes.txt", "mind");
    expect(await restore(checkpoint)).toEqual({ restored: 1, removed: 0, left: [] });
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("mine");
  });

  it("are safe when their rules cannot be brought back", async () => {
    write(".env", "mine");
    const checkpoint = await take();
    remove(".gitignore");
    write(".gitignore/x.log", "in the way");
    writeFileSync(join(root, ".git/info/exclude"), "*.log\n");
    write("new.ts", "new");
    const left = [".gitignore", ".env", "new.ts"];
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 0, left });
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("mine");
  });

  it("keep a file away that a folder with them has replaced", async () => {
    const checkpoint = await take();
    remove("src/a.ts");
    write("src/a.ts/x.log", "ignored");
    write("src/a.ts/y.ts", "not ignored");
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 1, left: ["src/a.ts"] });
    expect(readdirSync(join(root, "src/a.ts"))).toEqual(["x.log"]);
  });
});

describe("contents", () => {
  it("are taken as they lie on the disk, whatever line endings or filters are asked for", async () => {
    createRepository();
    git("config", "core.autocrlf", "true");
    git("config", "filter.lfs.clean", `touch '${join(folder, "canary")}'; sed s/.*/pointer/`);
    git("config", "filter.lfs.smudge", `touch '${join(folder, "canary")}'; cat`);
    git("config", "filter.lfs.required", "true");
    write(
      ".gitattributes",
      "* text=auto\n*.bin filter=lfs -text\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n",
    );
    write("crlf.txt", "one\r\ntwo\r\n");
    write("mixed.txt", "one\r\ntwo\n");
    write("large.bin", "contents\n");
    write("x.id", "$Id$\n");
    write("x.u16", Buffer.from("\ufeffwide", "utf16le"));
    const checkpoint = await take();
    const kept = execFileSync("git", ["cat-file", "blob", `${checkpoint.commit}:crlf.txt`], { cwd: root });
    expect(kept.toString()).toBe("one\r\ntwo\r\n");
    expect(
      await undone(() => {
        write("crlf.txt", "one\ntwo\n");
        write("mixed.txt", "one\ntwo\n");
        write("large.bin", "pointer\n");
        remove("x.id");
        remove("x.u16");
      }),
    ).toMatchObject(NOTHING_LEFT);
    expect(existsSync(join(folder, "canary"))).toBe(false);
  });
});

describe("repositories of other kinds", () => {
  it("may be linked worktrees", async () => {
    createRepository();
    git("worktree", "add", "-q", join(folder, "linked"));
    const main = root;
    root = join(folder, "linked");
    write("new.ts", "new\n");
    const checkpoint = await take();
    expect(statSync(join(root, ".git")).isFile()).toBe(true);
    expect(git("rev-parse", REF).trim()).toBe(checkpoint.commit);
    const before = snapshot(main);
    remove("new.ts");
    write("src/a.ts", "changed\n");
    expect(await restore(checkpoint)).toEqual({ restored: 2, removed: 0, left: [] });
    expect(snapshot(main)).toEqual(before);
    expect(git("status", "--porcelain")).toBe("?? new.ts\n");
  });

  it("may use sha256", async () => {
    createRepository("--object-format=sha256");
    write("new.ts", "new\n");
    const { commit } = await take();
    expect(commit).toHaveLength(64);
    expect(git("show", `${commit}:new.ts`)).toBe("new\n");
    expect(() => git("fsck", "--strict")).not.toThrow();
    expect(
      await undone(() => {
        remove("new.ts");
        write("src/a.ts", "changed\n");
      }),
    ).toMatchObject(NOTHING_LEFT);
  });

  it("may hold others, which are left alone", async () => {
    createRepository();
    git("init", "-q", "embedded");
    write("embedded/n.ts", "one\n");
    git("-C", "embedded", "add", "-A");
    git("-C", "embedded", "commit", "-qm", "first");
    git("clone", "-q", join(root, "embedded"), join(folder, "origin"));
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", join(folder, "origin"), "module");
    git("init", "-q", "unborn");
    write("unborn/u.ts", "one\n");
    const checkpoint = await take();
    for (const path of ["embedded/n.ts", "module/n.ts", "unborn/u.ts", "src/a.ts"]) write(path, "changed\n");
    write("embedded/new.ts", "new\n");
    expect(await restore(checkpoint)).toEqual({ restored: 1, removed: 0, left: [] });
    for (const path of ["embedded/n.ts", "module/n.ts", "unborn/u.ts"]) {
      expect(readFileSync(join(root, path), "utf8")).toBe("changed\n");
    }
    expect(existsSync(join(root, "embedded/new.ts"))).toBe(true);
  });

  it("are left alone also when the agent made one of a folder", async () => {
    createRepository();
    write("docs/.gitignore", "*.tmp\n");
    const checkpoint = await take();
    write("docs/deep/page.md", "changed\n");
    write("docs/.gitignore", "*.bak\n");
    write("new.ts", "new\n");
    git("init", "-q", "docs");
    const left = ["docs/.gitignore", "docs/deep/page.md"];
    expect(await restore(checkpoint)).toEqual({ restored: 0, removed: 1, left });
    expect(readFileSync(join(root, "docs/deep/page.md"), "utf8")).toBe("changed\n");
  });

  it("may have files that are not checked out", async () => {
    createRepository();
    git("sparse-checkout", "set", "--no-cone", "/src/");
    expect(existsSync(join(root, "docs"))).toBe(false);
    expect(await undone(() => write("src/a.ts", "changed\n"))).toMatchObject(NOTHING_LEFT);
  });
});

describe("where there is no checkpoint to be had", () => {
  it.each<[string, () => void, unknown]>([
    ["without a repository, where none is expected", () => {}, null],
    [
      "when .git leads nowhere",
      () => write(".git", "gitdir: /nowhere\n"),
      expect.stringMatching(/ has no usable \.git$/),
    ],
    [
      "when objects cannot be written",
      () => (createRepository(), remove(".git/objects"), write(".git/objects", "")),
      expect.stringMatching(/ has no objects$/),
    ],
    [
      "when the ref cannot be written",
      () => (createRepository(), write(".git/refs/loopwright/fix-it-ab12", "")),
      expect.stringMatching(/^git failed: .*refs\/loopwright\/fix-it-ab12/),
    ],
  ])("there is none %s, and why is said in a line", async (_, prepare, why) => {
    write("new.ts", "new\n");
    prepare();
    const taken = await takeCheckpoint({ root, stateHome, ref: REF, message: "x" });
    expect(taken).toEqual({ commit: null, why });
    expect(taken).not.toMatchObject({ why: expect.stringContaining("\n") });
    expect(await changesSince({ root, stateHome, commit: "0".repeat(40) })).toBeNull();
    expect(await listCheckpoints(root, "refs/loopwright/other")).toEqual([]);
    await expect(dropCheckpoints(root, [REF])).resolves.toBeUndefined();
    await expect(restore({ commit: "0".repeat(40) })).rejects.toThrow(/has no |is not a checkpoint/);
  });

  it.skipIf(process.getuid?.() === 0)(
    "there is none when a file cannot be read, which is named",
    async () => {
      createRepository();
      write("größe.ts", "one\n");
      chmodSync(join(root, "größe.ts"), 0);
      expect(await takeCheckpoint({ root, stateHome, ref: REF, message: "x" })).toEqual({
        commit: null,
        why: 'git add failed: error: open("größe.ts"): Permission denied',
      });
    },
  );

  it("there is none without git", async () => {
    createRepository();
    vi.stubEnv("PATH", folder);
    try {
      expect(await takeCheckpoint({ root, stateHome, ref: REF, message: "x" })).toEqual({
        commit: null,
        why: "git cannot be started",
      });
      expect(await listCheckpoints(root, "refs/loopwright/x")).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("changes since a checkpoint", () => {
  beforeEach(() => createRepository());

  it("are told by file, with their lines", async () => {
    write("picture.png", Buffer.from([0, 1, 2, 3]));
    write("gone.ts", "1\n2\n3\n");
    symlinkSync("src/a.ts", join(root, "link"));
    write(".gitattributes", "*.ts -diff\n");
    const { commit } = await take();
    write("src/a.ts", "one\nmore\n");
    write("picture.png", Buffer.from([0, 9]));
    remove("gone.ts");
    write("new\n\u00fc.ts", "1\n2\n");
    chmodSync(join(root, "src/b.ts"), 0o755);
    remove("link");
    symlinkSync("src/b.ts", join(root, "link"));
    write("ignored/x", "x");
    expect(await changesSince({ root, stateHome, commit })).toEqual([
      { path: "gone.ts", kind: "deleted", added: 0, deleted: 3 },
      { path: "link", kind: "changed", added: 1, deleted: 1 },
      { path: "new\n\u00fc.ts", kind: "added", added: 2, deleted: 0 },
      { path: "picture.png", kind: "changed", added: null, deleted: null },
      { path: "src/a.ts", kind: "changed", added: 1, deleted: 0 },
      { path: "src/b.ts", kind: "changed", added: 0, deleted: 0 },
    ]);
  });

  it("are told of a file that became a folder, and of a folder that became a file", async () => {
    const { commit } = await take();
    remove("src/a.ts");
    write("src/a.ts/in.ts", "1\n");
    remove("docs");
    write("docs", "1\n");
    expect(await changesSince({ root, stateHome, commit })).toEqual([
      { path: "docs", kind: "added", added: 1, deleted: 0 },
      { path: "docs/deep/page.md", kind: "deleted", added: 0, deleted: 1 },
      { path: "src/a.ts", kind: "deleted", added: 0, deleted: 1 },
      { path: "src/a.ts/in.ts", kind: "added", added: 1, deleted: 0 },
    ]);
  });

  it("are all there, and counted in the first two hundred", async () => {
    const { commit } = await take();
    for (let number = 0; number < 230; number += 1) write(`new/${1000 + number}.ts`, "1\n");
    const changes = (await changesSince({ root, stateHome, commit })) ?? [];
    expect(changes).toHaveLength(230);
    expect(changes[199]).toEqual({ path: "new/1199.ts", kind: "added", added: 1, deleted: 0 });
    expect(changes[200]).toEqual({ path: "new/1200.ts", kind: "added", added: null, deleted: null });
  });

  it("leave no objects behind", async () => {
    const { commit } = await take();
    write("new.ts", "new\n");
    const objects = git("count-objects", "-v");
    expect(await changesSince({ root, stateHome, commit })).toMatchObject([{ added: 1 }]);
    expect(git("count-objects", "-v")).toBe(objects);
  });
});

describe("checkpoints", () => {
  beforeEach(() => createRepository());

  it("are listed by number, those of one loop, and dropped by name", async () => {
    const commits = new Map<string, string>();
    for (const name of ["x/10", "x/9", "x/before-undo", "xy/1"]) {
      commits.set(name, (await take(`refs/loopwright/${name}`)).commit);
    }
    git("pack-refs", "--all");
    const listed = await listCheckpoints(root, "refs/loopwright/x/");
    expect(listed.map(({ ref }) => ref)).toEqual([
      "refs/loopwright/x/9",
      "refs/loopwright/x/10",
      "refs/loopwright/x/before-undo",
    ]);
    expect(listed.map(({ commit }) => commit)).toEqual(
      ["x/9", "x/10", "x/before-undo"].map((name) => commits.get(name)),
    );
    for (const { at } of listed) expect(Math.abs(Date.now() - at)).toBeLessThan(10 * 60_000);
    await dropCheckpoints(root, ["refs/loopwright/x/9", "refs/loopwright/x/77"]);
    expect(await listCheckpoints(root, "refs/loopwright/x")).toHaveLength(2);
    expect(await listCheckpoints(root, "refs/loopwright/xy")).toHaveLength(1);
    expect(git("branch", "--format=%(refname)").trim()).toBe("refs/heads/main");
  });

  it("are not taken for what somebody else put beside them", async () => {
    await take("refs/loopwright/x/1");
    for (const name of ["x/a+b", "x/(copy)", "+/1"]) git("update-ref", `refs/loopwright/${name}`, "HEAD");
    const listed = await listCheckpoints(root, ALL_CHECKPOINTS);
    expect(listed.map(({ ref }) => ref)).toEqual(["refs/loopwright/x/1"]);
  });
});

describe("a hostile repository", () => {
  function canary(name: string): string {
    return join(folder, `canary-${name}`);
  }
  function script(name: string): string {
    const path = join(folder, `${name}.sh`);
    writeFileSync(path, `#!/bin/sh\ntouch '${canary(name)}'\ncat 2>/dev/null\n`, { mode: 0o755 });
    return path;
  }

  function poison(): void {
    const hooks = join(folder, "hooks");
    mkdirSync(hooks);
    for (const hook of [
      "post-index-change",
      "post-checkout",
      "fsmonitor-watchman",
      "reference-transaction",
    ]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${canary(hook)}'\n`, { mode: 0o755 });
    }
    const config = [
      `[core]\n\trepositoryFormatVersion = 0\n\tfsmonitor = ${script("fsmonitor")}\n\thooksPath = ${hooks}`,
      `\talternateRefsCommand = ${script("refs")}\n\tpager = ${script("pager")}`,
      `[hook "evil"]\n\tevent = reference-transaction\n\tcommand = ${script("configured-hook")}`,
      `[filter "evil"]\n\tclean = ${script("clean")}\n\tsmudge = ${script("smudge")}\n\tprocess = ${script("process")}\n\trequired = true`,
      `[diff]\n\texternal = ${script("diff")}\n[diff "evil"]\n\ttextconv = ${script("textconv")}\n\tcommand = ${script("driver")}`,
    ];
    writeFileSync(join(root, ".git/config"), `${config.join("\n")}\n`);
    write(".gitattributes", "* filter=evil diff=evil\n");
  }

  function canaries(): string[] {
    return readdirSync(folder).filter((name) => name.startsWith("canary"));
  }

  it("would run something, with plain git", () => {
    createRepository();
    poison();
    git("update-ref", "refs/loopwright/x", "HEAD");
    expect(canaries()).toContain("canary-reference-transaction");
  });

  it("runs nothing", async () => {
    createRepository();
    poison();
    expect(
      await undone(() => {
        write("src/a.ts", "changed\n");
        write("new.ts", "new\n");
        remove("src/b.ts");
      }),
    ).toMatchObject(NOTHING_LEFT);
    await listCheckpoints(root, "refs/loopwright/fix-it-ab12");
    await dropCheckpoints(root, [REF]);
    renameSync(join(root, ".git/config"), join(folder, "config"));
    expect(canaries()).toEqual([]);
  });
});
