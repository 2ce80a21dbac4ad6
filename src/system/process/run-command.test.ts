import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runCommand, type CommandOptions } from "./run-command.ts";
import { someOf } from "../../../test/support/effort.ts";

const FAR_AWAY_MS = 50_000;
const SHORT_MS = 700;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "loopwright-command-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function shell(line: string, options: Partial<CommandOptions> = {}) {
  return runCommand({
    command: { kind: "shell", line },
    cwd,
    timeoutMs: FAR_AWAY_MS,
    env: process.env,
    passEnv: [],
    ...options,
  });
}

/** Commands in these tests sleep for a number of seconds that no other process on the machine sleeps for. */
function uniqueSeconds(): string {
  return `${100_000 + Math.floor(Math.random() * 900_000)}.5`;
}

function running(seconds: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(seconds);
    } catch {
      return false;
    }
  });
}

const canReap = process.platform === "linux" && existsSync("/usr/bin/perl");

it.runIf(canReap)("ends a daemon that left its session and cleared its environment", async () => {
  const seconds = uniqueSeconds();
  const line = `env -i /usr/bin/setsid -f /bin/sleep ${seconds} > /dev/null 2>&1 < /dev/null; exit 3`;
  expect((await shell(line)).ending).toEqual({ type: "exited", code: 3 });
  expect(running(seconds)).toEqual([]);
});

describe.runIf(canReap)("after many commands, when nobody looks through all processes any more", () => {
  beforeEach(async () => {
    for (let count = 0; count < 4; count += 1) await shell("true");
  });

  it.each([
    ["left its session and cleared its environment", "env -i /usr/bin/setsid -f /bin/sleep"],
    ["ignores SIGTERM", `setsid sh -c 'trap "" TERM; while :; do sleep "$0"; done'`],
    ["is stopped", `sh -c 'kill -STOP $$; sleep "$0"'`],
  ])("ends a daemon that %s", async (_, start) => {
    const seconds = uniqueSeconds();
    const line = `${start} ${seconds} > /dev/null 2>&1 < /dev/null & sleep 0.1; exit 3`;
    expect((await shell(line)).ending).toEqual({ type: "exited", code: 3 });
    expect(running(seconds)).toEqual([]);
  });

  it("ends all of a command that killed the parent which we gave it", async () => {
    const seconds = uniqueSeconds();
    const { ending } = await shell(`setsid sleep ${seconds} > /dev/null 2>&1 & kill -KILL $PPID; sleep 50`);
    expect(ending).toEqual({ type: "signalled", signal: "SIGKILL" });
    expect(running(seconds)).toEqual([]);
  });

  it("ends all of a command that got no such parent", async () => {
    const seconds = uniqueSeconds();
    const env = { ...process.env, PERL5LIB: "/nowhere" };
    await shell(`setsid sleep ${seconds} > /dev/null 2>&1 & sleep 0.1`, { env });
    expect(running(seconds)).toEqual([]);
  });
});

it.runIf(canReap)("ends such a daemon also when the command takes too long", async () => {
  const seconds = uniqueSeconds();
  const line = `env -i /usr/bin/setsid -f /bin/sh -c 'trap "" TERM; /bin/sleep ${seconds}' > /dev/null 2>&1; sleep 50`;
  const { ending } = await shell(line, { timeoutMs: SHORT_MS });
  expect(ending.type).toBe("timed-out");
  expect(running(seconds)).toEqual([]);
});

describe("how a command ends", () => {
  it("reports the exit code", async () => {
    expect((await shell("exit 3")).ending).toEqual({ type: "exited", code: 3 });
  });

  it("reports the signal that ended the command", async () => {
    expect((await shell("kill -KILL $$")).ending).toEqual({ type: "signalled", signal: "SIGKILL" });
  });

  it("reports a program that does not exist as not started", async () => {
    const { ending } = await shell("", { command: { kind: "argv", argv: ["loopwright-no-such-program"] } });
    expect(ending).toMatchObject({ type: "not-started", message: expect.stringContaining("ENOENT") });
  });

  it("names the folder when the folder is what does not exist", async () => {
    const { ending } = await shell("true", { cwd: join(cwd, "missing") });
    expect(ending).toMatchObject({ type: "not-started", message: expect.stringContaining("missing") });
  });

  it("reports an argument that no program can be given as not started", async () => {
    const { ending } = await shell("", { command: { kind: "argv", argv: ["echo", "a\0b"] } });
    expect(ending.type).toBe("not-started");
  });

  it("reports the limit that was hit", async () => {
    const { ending } = await shell("sleep 1000", { timeoutMs: SHORT_MS });
    expect(ending).toEqual({ type: "timed-out", limitMs: SHORT_MS });
  });

  it("runs no command for a signal that is aborted already", async () => {
    const { ending } = await shell("touch ran", { signal: AbortSignal.abort() });
    expect(ending).toEqual({ type: "aborted" });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("passes an argv on without a shell", async () => {
    const { output } = await shell("", { command: { kind: "argv", argv: ["echo", "$HOME", "a  b;c"] } });
    expect(output).toBe("$HOME a  b;c\n");
  });

  it("gives the command an empty stdin", async () => {
    expect((await shell("cat; echo end")).output).toBe("end\n");
  });
});

describe("output", () => {
  it("keeps the order between stdout and stderr", async () => {
    const { output } = await shell("for i in 1 2 3 4 5 6 7 8; do echo out$i; echo err$i >&2; done");
    expect(output).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `out${i}\nerr${i}\n`).join(""));
  });

  it("collects stdout and stderr of an argv", async () => {
    const { output } = await shell("", {
      command: { kind: "argv", argv: ["sh", "-c", "echo out; echo err >&2"] },
    });
    expect(output.split("\n").sort()).toEqual(["", "err", "out"]);
  });

  it("holds no more of 400 MB than the limit, and keeps the end", async () => {
    const before = process.memoryUsage().rss;
    const { output } = await shell("yes | head -c 400000000; echo the end");
    expect(output.length).toBeLessThan(262_244);
    expect(output).toMatch(/^(y\n)+\[… 399737864 bytes left out …\]\n(y\n)+the end\n$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it("keeps bytes that are no text as replacement characters", async () => {
    expect((await shell(String.raw`printf 'a\000b\377c'`)).output).toBe("a\uFFFDb\uFFFDc");
  });
});

describe("environment", () => {
  const env = { ...process.env, DEPLOY_TOKEN: "abc-secret-1", EDITOR: "vi" };

  it("withholds what looks like a secret and names it", async () => {
    const outcome = await shell('echo "[$DEPLOY_TOKEN] $EDITOR"', { env });
    expect(outcome).toMatchObject({ output: "[] vi\n", withheld: ["DEPLOY_TOKEN"] });
  });

  it("passes a named secret on, and still keeps it out of the output", async () => {
    const outcome = await shell('test "$DEPLOY_TOKEN" = abc-secret-1 && echo "got $DEPLOY_TOKEN"', {
      env,
      passEnv: ["DEPLOY_TOKEN"],
    });
    expect(outcome).toMatchObject({ output: "got [DEPLOY_TOKEN withheld]\n", withheld: [] });
  });

  it("replaces a withheld value that the command found elsewhere", async () => {
    writeFileSync(join(cwd, "leak"), "token=abc-secret-1;");
    expect((await shell("cat leak", { env })).output).toBe("token=[DEPLOY_TOKEN withheld];");
  });

  it("disables the loop inside its own checks", async () => {
    expect((await shell('echo "$LOOP_DISABLE"')).output).toBe("1\n");
  });
});

describe.runIf(process.platform === "linux")("the process tree", () => {
  const endings: readonly (readonly [string, (seconds: string) => string])[] = [
    ["a child", (seconds) => `sleep ${seconds}; true`],
    ["a background child", (seconds) => `sleep ${seconds} & wait`],
    ["a child in a session of its own", (seconds) => `setsid sleep ${seconds} & wait`],
    [
      "a daemon after two forks",
      (seconds) => `(setsid sh -c '(nohup sleep ${seconds} >/dev/null 2>&1 &)' &); sleep 1000`,
    ],
    [
      "a child that ignores SIGTERM",
      (seconds) => `setsid sh -c 'trap "" TERM; while :; do sleep ${seconds}; done'`,
    ],
    [
      "a child that forgot its environment",
      (seconds) => `setsid env -i /bin/sh -c 'setsid sleep ${seconds}; true'`,
    ],
    ["a stopped child", (seconds) => `sleep ${seconds} & kill -STOP $!; wait`],
  ];

  it.each(someOf(endings, 2, endings.length))("is ended at the limit: %s", async (_name, line) => {
    const seconds = uniqueSeconds();
    const { ending } = await shell(line(seconds), { timeoutMs: SHORT_MS });
    expect(ending.type).toBe("timed-out");
    expect(running(seconds)).toEqual([]);
  });

  it("is ended by an abort", async () => {
    const seconds = uniqueSeconds();
    const abort = new AbortController();
    const outcome = shell(`setsid sleep ${seconds} & sleep ${seconds}`, { signal: abort.signal });
    while (running(seconds).length < 2) await sleep(10);
    abort.abort();
    expect((await outcome).ending).toEqual({ type: "aborted" });
    expect(running(seconds)).toEqual([]);
  });

  it("does not outlive a normal exit, with the pipe held open", async () => {
    const seconds = uniqueSeconds();
    const { ending, output } = await shell(`setsid sleep ${seconds} & echo done`);
    expect({ ending, output }).toEqual({ ending: { type: "exited", code: 0 }, output: "done\n" });
    expect(running(seconds)).toEqual([]);
  });

  it("does not outlive a normal exit, with the pipe closed", async () => {
    const seconds = uniqueSeconds();
    await shell(`setsid sleep ${seconds} >/dev/null 2>&1 & until pgrep -f 'sleep ${seconds}'; do :; done`);
    expect(running(seconds)).toEqual([]);
  });

  it("does not hang on a straggler that never stops writing", async () => {
    const { ending } = await shell("setsid sh -c 'while :; do echo still here; sleep 0.05; done' & exit 4");
    expect(ending).toEqual({ type: "exited", code: 4 });
  });

  it("leaves what runs beside it alone", async () => {
    const seconds = uniqueSeconds();
    const stop = new AbortController();
    const neighbour = shell(`sleep ${seconds}`, { signal: stop.signal });
    onTestFinished(() => stop.abort());
    while (running(seconds).length === 0) await sleep(10);
    await shell("sleep 1000", { timeoutMs: SHORT_MS });
    expect(running(seconds)).not.toEqual([]);
    stop.abort();
    await neighbour;
  });

  it("is found by the run around it, too", async () => {
    const outcome = await shell('echo "$LOOP_RUN_ID"', { env: { ...process.env, LOOP_RUN_ID: "outer" } });
    expect(outcome.output).toMatch(/^outer [0-9a-f-]{36}\n$/);
  });
});
