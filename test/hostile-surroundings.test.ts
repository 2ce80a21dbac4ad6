import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { setLimits } from "../src/app/limits.ts";
import type { AskedLoop } from "../src/app/open-loop.ts";
import { openLoop } from "../src/app/open-loop.ts";
import { headCommit } from "../src/git/run-git.ts";
import { repositoryFormat } from "../src/git/repository-format.ts";
import { createMachine } from "../src/loops/machine.ts";
import { Sandbox } from "./support/sandbox.ts";
import { treeDigest } from "./support/tree-digest.ts";

const CLI = resolve("dist/cli.js");

describe("code that was compiled earlier", () => {
  function project(): { readonly sandbox: Sandbox; readonly compiled: string } {
    const sandbox = new Sandbox();
    sandbox.spawnLoop("start", "Fix it", "-c", "ok=false");
    return { sandbox, compiled: join(sandbox.home, "state", "loopwright", "compiled") };
  }

  test("is neither written to nor cleared from a folder that a link leads to", () => {
    const { sandbox, compiled } = project();
    const documents = join(sandbox.home, "documents");
    mkdirSync(documents);
    writeFileSync(join(documents, "thesis.txt"), "mine\n");
    utimesSync(join(documents, "thesis.txt"), 0, 0);
    rmSync(compiled, { recursive: true });
    symlinkSync(documents, compiled);
    expect(sandbox.spawnLoop("status").code).toBe(0);
    expect(readdirSync(documents)).toEqual(["thesis.txt"]);
  });

  test("is cleared away by its own names only, whatever else lies there", () => {
    const { sandbox, compiled } = project();
    writeFileSync(join(compiled, "thesis.txt"), "mine\n");
    writeFileSync(join(compiled, "main.js-0-linux-x64-1.0"), "old\n");
    symlinkSync("nowhere", join(compiled, "link"));
    for (const name of ["thesis.txt", "main.js-0-linux-x64-1.0"]) utimesSync(join(compiled, name), 0, 0);
    sandbox.spawnLoop("log");
    expect(readdirSync(compiled)).toContain("thesis.txt");
    expect(readdirSync(compiled)).not.toContain("main.js-0-linux-x64-1.0");
  });

  test.each([
    ["a folder that others may write to", (compiled: string) => chmodSync(compiled, 0o777)],
    ["a state home inside a repository", (compiled: string) => mkdirSync(join(compiled, "..", "..", ".git"))],
  ])("is not taken from %s", (_what, spoil) => {
    const { sandbox, compiled } = project();
    spoil(compiled);
    for (const name of readdirSync(compiled)) rmSync(join(compiled, name));
    sandbox.spawnLoop("status");
    expect(readdirSync(compiled)).toEqual([]);
  });
});

describe("a repository with something else in the place of a file", () => {
  test("is looked at without waiting for a pipe at .git", async () => {
    const sandbox = new Sandbox({ "a.txt": "a\n" });
    execFileSync("mkfifo", [join(sandbox.root, ".git")]);
    const stateHome = join(sandbox.home, "state");
    // Whoever waited would wait for ever: the test ends because nobody does.
    expect(await headCommit(sandbox.root)).toBeNull();
    expect(await treeDigest({ root: sandbox.root, stateHome })).not.toBeNull();
  });

  test("is taken for one of sha256 only by its own setting", () => {
    expect(repositoryFormat("[foo]\n\tobjectformat = sha256\n").hash).toBe("sha1");
    expect(repositoryFormat("[extensions]\n\tobjectFormat = sha256\n").hash).toBe("sha256");
  });
});

test("output that cannot be written is one sentence", () => {
  if (!existsSync("/dev/full")) return;
  for (const words of [["--help"], ["status"], ["doctor"]]) {
    const sandbox = new Sandbox();
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...words], {
      cwd: sandbox.root,
      env: sandbox.env,
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "loop: the output cannot be written (ENOSPC).\n",
    });
  }
});

describe("a loop whose folder leads out of its worktree", () => {
  function asked(folder: string): AskedLoop {
    const command = { kind: "shell", line: "true" } as const;
    return {
      spec: "Fix it",
      criteria: [{ name: "ok", check: { command, timeoutMs: 5_000, passEnv: [] } }],
      steps: [],
      mustNots: [],
      protects: [],
      exitRule: "criteria",
      mode: "loop",
      shape: "tool",
      limits: setLimits({}, {}, null, { kind: "person" }),
      redFirst: false,
      proof: "standard",
      mayChange: [],
      nested: false,
      binding: null,
      work: { worktree: null, folder },
    };
  }

  test("is not trusted, whoever approves it, and runs nothing", async () => {
    const sandbox = new Sandbox({ "packages/shop/a.txt": "a\n" });
    sandbox.commitAll();
    await openLoop(createMachine(sandbox.env, sandbox.root), asked("packages/shop"));
    expect(sandbox.loop("check").code).toBe(0);
    cpSync(join(sandbox.root, "packages"), join(sandbox.home, "packages"), { recursive: true });
    rmSync(join(sandbox.root, "packages"), { recursive: true });
    symlinkSync(join(sandbox.home, "packages"), join(sandbox.root, "packages"));
    expect(sandbox.loop("check")).toMatchObject({
      code: 1,
      err: expect.stringContaining("loop trust") as string,
    });
    expect(sandbox.loop("trust", "--yes").out).toContain("runs in: packages/shop");
    expect(sandbox.loop("check").code).toBe(1);
  });
});
