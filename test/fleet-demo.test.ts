import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PATIENCE_MS, PATIENT, until } from "./support/patience.ts";
import { processesIn } from "./support/processes-in.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { canBePostgres } from "./support/test-postgres.ts";
import { variant } from "./support/variant.ts";

interface Played {
  readonly pid: number;
  readonly told: () => string;
  readonly code: () => number | NodeJS.Signals | null;
  /** Processes, folders and servers that it started, as long as they are there. */
  readonly left: () => readonly string[];
}

function play(): Played {
  const folder = makeTemporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: folder };
  const child = spawn(process.execPath, [resolve("dist/cli.js"), "demo", "fleet"], {
    ...{ env, cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let told = "";
  const servers = new Set<string>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text) => {
      told += String(text);
      for (const each of serversOf(child.pid ?? 0)) servers.add(each);
    });
  const stages = (): readonly string[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith("loopwright-demo-"))
      .map((name) => join(folder, name));
  const known = new Set<string>();
  return {
    pid: child.pid ?? 0,
    told: () => told,
    code: () => child.signalCode ?? child.exitCode,
    left: () => {
      for (const each of stages()) known.add(each);
      const lines = [home, ...known].flatMap((each) => processesIn(each).map(({ line }) => line));
      return [...stages(), ...lines, ...[...servers].filter((each) => existsSync(each) || isServed(each))];
    },
  };
}

/** The folders of the private servers that a process started. */
function serversOf(pid: number): readonly string[] {
  return commands().flatMap(({ parent, line }) =>
    parent === pid ? (/\/tmp\/loopwright-postgres-\w+/.exec(line) ?? []).slice(0, 1) : [],
  );
}

function isServed(folder: string): boolean {
  return commands().some(({ line }) => line.includes(folder));
}

function commands(): readonly { readonly parent: number; readonly line: string }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent = ""] = (readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1] ?? "").split(" ");
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ parent: Number(parent), line }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

describe.runIf(canBePostgres())("loop demo fleet", () => {
  test(
    "one worker is killed and one frozen: each task is merged once, and nothing is left",
    { timeout: 4 * PATIENCE_MS },
    async () => {
      const played = play();
      await expect.poll(played.code, { timeout: 3 * PATIENCE_MS, interval: 100 }).not.toBeNull();
      const told = played.told();
      expect(played.code()).toBe(0);
      for (const task of ["T-001", "T-002", "T-003", "T-004", "T-005", "T-006"])
        expect([task, told.match(new RegExp(`^  ✓ ${task} `, "gm"))?.length]).toEqual([task, 1]);
      const [, killed] = /(w\d) is killed in the middle of T-002/.exec(told) ?? [];
      const [, frozen] = /(w\d) is frozen in the middle of T-003/.exec(told) ?? [];
      expect(told).toContain(`✗ T-002: its work was lost: Its worker ${killed} stopped answering.`);
      expect(told).toContain(`✗ T-003: its work was lost: Its worker ${frozen} stopped answering.`);
      expect(told).toContain(`${frozen} › is told that T-003 isn't its own any more`);
      expect(told).toMatch(/8 attempts at 6 tasks on 3 workers, at most \$/);
      await expect.poll(played.left, PATIENT).toEqual([]);
    },
  );

  /** Its exit, once nothing is left of it. */
  const endedBy = async (signal: NodeJS.Signals, whole: boolean): Promise<ReturnType<Played["code"]>> => {
    const played = play();
    await until(() => played.told().includes("is frozen"), "a frozen worker");
    expect(played.left()).not.toEqual([]);
    process.kill(whole ? -played.pid : played.pid, signal);
    await until(() => played.code() !== null, "the demo to end");
    await expect.poll(played.left, PATIENT).toEqual([]);
    return played.code();
  };

  test("nothing is left when it is killed with a worker dead and another frozen", async () => {
    expect(await endedBy("SIGKILL", false)).toBe("SIGKILL");
  });

  variant("nothing is left after Ctrl-C", async () => {
    expect(await endedBy("SIGINT", true)).toBe(130);
  });
});
