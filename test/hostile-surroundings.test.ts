import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { setLimits } from "../src/engine/opening/limits.ts";
import type { PlainLoop } from "../src/engine/opening/asked-loop.ts";
import { openLoop } from "../src/engine/opening/open-loop.ts";
import { headCommit } from "../src/system/git/run-git.ts";
import { repositoryFormat } from "../src/system/git/git-files.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { Sandbox } from "./support/sandbox.ts";
import { treeDigest } from "./support/tree-digest.ts";
import { variant } from "./support/variant.ts";

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

  variant("is cleared away by its own names only, whatever else lies there", () => {
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
      stderr: "loop: cannot write the output (ENOSPC).\n",
    });
  }
});

describe("a loop whose folder leads out of its worktree", () => {
  function asked(folder: string): PlainLoop {
    const command = { kind: "shell", line: "true" } as const;
    return {
      kind: "plain",
      spec: "Fix it",
      criteria: [{ name: "ok", check: { command, timeoutMs: 5_000, passEnv: [] } }],
      steps: [],
      mustNots: [],
      protects: [],
      exitRule: "criteria",
      mode: "loop",
      shape: "tool",
      limits: setLimits({}, {}, null),
      proof: "standard",
      proofBudgetMs: null,
      mayChange: [],
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

describe("a command in surroundings that do not fit", () => {
  test("takes no more of a file than a spec may have", () => {
    const sandbox = new Sandbox();
    expect(sandbox.loop("start", "-f", "/dev/zero")).toMatchObject({
      code: 1,
      err: "loop: /dev/zero cannot be read (it is larger than 4 MB).\n",
    });
  });

  test("reads a spec from a pipe", () => {
    const sandbox = new Sandbox();
    const pipe = join(sandbox.home, "pipe");
    execFileSync("mkfifo", [pipe]);
    spawn("sh", ["-c", 'printf "Fix the pipe\\n" > "$0"', pipe], { stdio: "ignore" });
    expect(sandbox.spawnLoop("start", "-f", pipe).code).toBe(0);
    expect(sandbox.only().spec).toBe("Fix the pipe");
  });

  test("says that its folder was deleted", () => {
    const sandbox = new Sandbox();
    const gone = join(sandbox.home, "gone");
    const command = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$1" "$2" status';
    const { status, stderr } = spawnSync("sh", ["-c", command, gone, process.execPath, CLI], {
      env: sandbox.env,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "loop: The current folder was deleted; change to another one.\n",
    });
  });

  test.each<[string, (sandbox: Sandbox) => NodeJS.ProcessEnv, RegExp]>([
    [
      "a state home below a file",
      ({ home }) => (writeFileSync(join(home, "file"), ""), { XDG_STATE_HOME: join(home, "file", "state") }),
      /^loop: \S+ cannot be used \(ENOTDIR\): part of its path is not a folder\.\n$/,
    ],
    [
      "a link in the place of .loop",
      ({ home, root }) => (symlinkSync(home, join(root, ".loop")), {}),
      /^loop: \.loop is a link, which is not followed; delete the link\.\n$/,
    ],
  ])("names %s", (_, spoil, sentence) => {
    const sandbox = new Sandbox();
    const ran = sandbox.loopWith({ env: spoil(sandbox) }, "start", "Fix it", "-c", "ok=false");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(sentence);
  });

  test("names a folder for temporary files that is not there", () => {
    const sandbox = new Sandbox();
    const env = { TMPDIR: join(sandbox.home, "nowhere") };
    expect(sandbox.spawnLoopWith({ env }, "demo")).toMatchObject({
      code: 1,
      err: `loop: ${env.TMPDIR} cannot be used (ENOENT); set TMPDIR to a folder you own.\n`,
    });
    expect(sandbox.spawnLoopWith({ env }, "doctor").out).toMatch(/git +\d/);
  });

  test.each([
    ["a pattern", ["start", "Fix it", "--protect", "a/".repeat(2_500)]],
    ["one long name as a pattern", ["start", "Fix it", "--protect", "a".repeat(900)]],
    [
      "a criterion's name twice",
      ["start", "Fix it", "-c", `${"x".repeat(100_000)}=a`, "-c", `${"x".repeat(100_000)}=b`],
    ],
    ["a loop's id", ["check", "--loop", "x".repeat(100_000)]],
    ["a number", ["start", "Fix it", "--iterations", "x".repeat(100_000)]],
    ["a command", ["x".repeat(100_000)]],
    ["a file", ["start", "-f", "x".repeat(100_000)]],
  ])("repeats only a part of %s that is far too long", (_, words) => {
    const { err } = new Sandbox().loop(...words);
    expect(err.length).toBeLessThan(1_500);
    expect(err).not.toContain("should not");
  });
});

describe("a session with a loop", () => {
  function held(): { readonly sandbox: Sandbox; readonly home: string } {
    const sandbox = new Sandbox({ "a.txt": "a\n" });
    sandbox.commitAll();
    sandbox.start("s1", "Fix it", "-c", "ok=false");
    expect(sandbox.stop("s1").out).toContain("block");
    return { sandbox, home: join(sandbox.home, "state", "loopwright") };
  }

  function replaceBy(path: string, put: () => void): void {
    rmSync(path, { recursive: true });
    put();
  }

  test.each<[string, (home: string) => void]>([
    [
      "the folder of sessions leads nowhere",
      (home) => replaceBy(join(home, "sessions"), () => symlinkSync("sessions", join(home, "sessions"))),
    ],
    ["its entry is damaged", (home) => writeFileSync(join(home, "sessions", "s1.loop.json"), "{")],
    [
      "its lock is damaged",
      (home) => {
        const [lock = ""] = readdirSync(join(home, "loops"));
        writeFileSync(join(home, "loops", lock, "opened.json"), "");
      },
    ],
    [
      "what was approved cannot be listed",
      (home) => {
        const [lock = ""] = readdirSync(join(home, "loops"));
        const approved = join(home, "loops", lock, "approved");
        replaceBy(approved, () => writeFileSync(approved, ""));
      },
    ],
  ])("is let go with a message when %s", (_, spoil) => {
    const { sandbox, home } = held();
    spoil(home);
    const { code, out } = sandbox.stop("s1");
    expect(code).toBe(0);
    expect((JSON.parse(out) as { systemMessage: string }).systemMessage).toMatch(/^\[LOOP\] Not held: /);
  });

  test("is let go with one sentence when the answer cannot be written", () => {
    if (!existsSync("/dev/full")) return;
    const { sandbox } = held();
    const { status, stderr } = spawnSync(process.execPath, [resolve("dist/hook.js"), "stop"], {
      cwd: sandbox.root,
      env: sandbox.env,
      input: JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd: sandbox.root }),
      stdio: ["pipe", openSync("/dev/full", "w"), "pipe"],
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "[LOOP] Not held: cannot write the answer (ENOSPC).\n",
    });
  });
});

describe("a project whose files cannot all be read", () => {
  const WHY = "git cannot be started, so ignored files count too";

  test("is told of once, and its completion is weak and says why", () => {
    const sandbox = new Sandbox({ "work.txt": "broken\n" });
    sandbox.commitAll();
    const env = { PATH: join(sandbox.home, "bin") };
    mkdirSync(env.PATH);
    symlinkSync(
      execFileSync("sh", ["-c", "command -v grep"], { encoding: "utf8" }).trim(),
      join(env.PATH, "grep"),
    );
    const start = ["start", "Fix work.txt", "-c", "fixed=grep -q fixed work.txt", "--session", "s1"];
    expect(sandbox.loopWith({ env }, ...start).err).toContain(WHY);
    expect(sandbox.loopWith({ env }, "check").err).not.toContain(WHY);
    sandbox.write({ "work.txt": "fixed\n" });
    sandbox.agentLoop("s1", "done");
    expect(sandbox.stop("s1", {}, env).out).toContain(WHY);
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "weak" });
  });

  test("is told of a file that only counts by its looks", () => {
    const sandbox = new Sandbox();
    writeFileSync(join(sandbox.root, "large.bin"), "");
    truncateSync(join(sandbox.root, "large.bin"), 200 * 1024 * 1024);
    const told = 'its size and time count instead of its content: "large.bin"';
    expect(sandbox.loop("start", "Fix it", "-c", "ok=false").err).toContain(told);
    expect(sandbox.loop("check").err).not.toContain(told);
  });
});

describe("a disk that takes nothing more", () => {
  test("lets the agent go, and isn't blamed on somebody who changed the files", () => {
    const sandbox = new Sandbox({ "a.txt": "a\n" });
    sandbox.start("s1", "Fix it", "-c", "ok=false");
    const input = JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd: sandbox.root });
    const [hook, full] = [resolve("dist/hook.js"), 'ulimit -f 0; exec "$0" "$1" stop --host claude-code'];
    const { status, stdout } = spawnSync("sh", ["-c", full, process.execPath, hook], {
      cwd: sandbox.root,
      env: sandbox.env,
      input,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: "[LOOP] Not held: the journal cannot be written (EFBIG)",
    });
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 0 });
  });

  test.runIf(process.platform === "linux")("is said at once where no folder can ever be made", () => {
    const sandbox = new Sandbox({ "a.txt": "a\n" });
    const env = { XDG_STATE_HOME: "/proc/nowhere" };
    expect(sandbox.spawnLoopWith({ env }, "start", "Fix it", "-c", "ok=false")).toEqual({
      code: 1,
      out: "",
      err: "loop: No folder can be made in /proc/nowhere; set HOME or XDG_STATE_HOME to an absolute path where you may write.\n",
    });
    const stopped = sandbox.spawnHook(JSON.stringify({ session_id: "s1", cwd: sandbox.root }), env);
    expect(stopped.code).toBe(0);
    expect(stopped.out).toContain("Not held: No folder can be made in /proc/nowhere");
  });

  const mounts = ["--user", "--map-root-user", "--mount"];
  const canMount = spawnSync("unshare", [...mounts, "true"]).status === 0;
  test.runIf(canMount)("is found out before any check runs", () => {
    const sandbox = new Sandbox({ "a.txt": "a\n" });
    expect(sandbox.loop("start", "Fix it").code).toBe(0);
    const ran = join(sandbox.home, "ran");
    const script = `mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && exec "$0" "$@"`;
    const start = [CLI, "start", "Fix more", "-c", `ok=touch ${ran}; false`, "--session", "s2"];
    const { status, stdout, stderr } = spawnSync(
      "unshare",
      [...mounts, "sh", "-c", script, process.execPath, ...start],
      { cwd: sandbox.root, env: sandbox.env, encoding: "utf8" },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: `loop: ${join(sandbox.root, ".loop")} cannot be used (EROFS): its disk cannot be written to.\n`,
    });
    expect(existsSync(ran)).toBe(false);
  });
});
