import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "./support/patience.ts";
import { Sandbox } from "./support/sandbox.ts";
import { oneOf } from "./support/effort.ts";

/** A git that tells its id and never ends. */
const SLOW_GIT = `#!/bin/sh
case "$*" in *"add --all"*) echo $$ > "$TOLD_BY_GIT"; exec sleep 600 ;; esac
exec "$REAL_GIT" "$@"
`;

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

test.each(oneOf(["SIGTERM", "SIGINT"] as const))(
  "a hook that is ended by %s ends its git, too",
  async (signal) => {
    const sandbox = new Sandbox({ "a.txt": "a\n" });
    sandbox.commitAll();
    sandbox.start("s1", "Fix it", "-c", "ok=test -f done.txt");
    const bin = join(sandbox.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), SLOW_GIT);
    chmodSync(join(bin, "git"), 0o755);
    const told = join(sandbox.home, "told");
    const path = sandbox.env["PATH"] ?? "";
    const real = path
      .split(":")
      .map((folder) => join(folder, "git"))
      .find((file) => existsSync(file));
    const hook: ChildProcess = spawn(process.execPath, [resolve("dist/hook.js"), "stop"], {
      cwd: sandbox.root,
      env: { ...sandbox.env, PATH: `${bin}:${path}`, TOLD_BY_GIT: told, REAL_GIT: real },
      stdio: ["pipe", "ignore", "ignore"],
    });
    onTestFinished(() => void hook.kill("SIGKILL"));
    hook.stdin?.end(JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd: sandbox.root }));
    await until(() => existsSync(told) && readFileSync(told, "utf8").endsWith("\n"), "git was started");
    const git = Number(readFileSync(told, "utf8"));
    expect(isAlive(git)).toBe(true);
    hook.kill(signal);
    await until(() => !isAlive(git), "git ended");
  },
);
