import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runAgentProcess } from "../src/system/process/agent-process.ts";
import type { AgentProcessOptions } from "../src/system/process/agent-process.ts";
import { redactorOf, renderOutput } from "../src/system/secrets/redact.ts";
import { effort, oneOf, someOf } from "./support/effort.ts";
import { awakeSleepers, processesWith, readProc, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

const MEMORY = resolve("dist/test-programs/agent-memory.mjs");
const SHORT_MS = 700;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "loopwright-agent-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function agent(line: string, options: Partial<AgentProcessOptions> = {}) {
  const lines: string[] = [];
  const outcome = await runAgentProcess({
    command: { kind: "shell", line },
    cwd,
    env: process.env,
    stdin: "",
    runId: randomUUID(),
    onLine: (each) => lines.push(each),
    silenceLimitMs: null,
    ...options,
  });
  return { ...outcome, stderr: renderOutput(outcome.stderr, redactorOf([])), lines };
}

/** Holds up this process, and with it everything that it waits for. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("how an agent ends", () => {
  it("reports the exit code", async () => {
    expect((await agent("exit 3")).ending).toEqual({ type: "exited", code: 3 });
  });

  it("reports the signal that ended the agent", async () => {
    expect((await agent("kill -KILL $$")).ending).toEqual({ type: "signalled", signal: "SIGKILL" });
  });

  it("reports a program that does not exist as not started", async () => {
    const { ending } = await agent("", {
      command: { kind: "argv", argv: ["loopwright-no-such-program"] },
      stdin: "x".repeat(1_000_000),
    });
    expect(ending).toMatchObject({ type: "not-started", message: expect.stringContaining("ENOENT") });
  });

  it("names the folder when the folder is what does not exist", async () => {
    const { ending } = await agent("true", { cwd: join(cwd, "missing") });
    expect(ending).toMatchObject({ type: "not-started", message: expect.stringContaining("missing") });
  });

  it("reports that it was stopped, however much the agent prints", async () => {
    let printed = 0;
    const stop = new AbortController();
    const onLine = (): void => {
      printed += 1;
      if (printed === 10_000) stop.abort();
    };
    const outcome = await agent("yes", { signal: stop.signal, onLine });
    expect(outcome.ending).toEqual({ type: "aborted" });
    expect(printed).toBeGreaterThanOrEqual(10_000);
  });

  it("starts no agent for a signal that is aborted already", async () => {
    const { ending } = await agent("touch ran", { signal: AbortSignal.abort() });
    expect(ending).toEqual({ type: "aborted" });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("passes on what the reader of the lines throws, when the agent is gone", async () => {
    const seconds = uniqueSeconds();
    const turn = agent(`setsid sleep ${seconds} & echo one; echo two; sleep ${seconds}`, {
      onLine: () => {
        throw new Error("the disk is full");
      },
    });
    await expect(turn).rejects.toThrow("the disk is full");
    expect(sleepers(seconds)).toEqual([]);
  });
});

describe("silence", () => {
  it("ends an agent that says nothing", async () => {
    const silenceLimitMs = 2_000;
    const { ending, lines } = await agent("echo one; sleep 1000", { silenceLimitMs });
    expect({ ending, lines }).toEqual({
      ending: { type: "silent", limitMs: silenceLimitMs },
      lines: ["one"],
    });
  });

  variant("is broken by every byte, on either stream", async () => {
    const line = "for i in 1 2 3 4 5 6; do printf .; sleep 0.5; done";
    const turns = [line, `(${line}) >&2`].map((each) => agent(each, { silenceLimitMs: 2_000 }));
    const exited = { type: "exited", code: 0 };
    expect((await Promise.all(turns)).map(({ ending }) => ending)).toEqual([exited, exited]);
  });

  variant("is not taken from having been held up ourselves", async () => {
    // Two bytes: the first before, the second while this process hears nothing.
    const turn = agent("echo one; sleep 0.5; echo two; until test -e on; do sleep 0.05; done", {
      silenceLimitMs: 2_000,
      onLine: (line) => {
        if (line === "one") setImmediate(() => holdUp(2_500));
        else execFile("touch", [join(cwd, "on")]);
      },
    });
    expect((await turn).ending).toEqual({ type: "exited", code: 0 });
  });
});

describe("what an agent is given", () => {
  it("is its input, whole", async () => {
    const stdin = Array.from({ length: 100_000 }, (_, index) => `line ${index} é`).join("\n");
    const { lines } = await agent("cat", { stdin });
    expect(lines.join("\n")).toBe(stdin);
  });

  it("may stay unread", async () => {
    const { ending, lines } = await agent("exec <&-; echo done; sleep 0.2", {
      stdin: "x".repeat(10_000_000),
    });
    expect({ ending, lines }).toEqual({ ending: { type: "exited", code: 0 }, lines: ["done"] });
  });

  it("is the whole environment and the run's id", async () => {
    const env = { PATH: process.env["PATH"], DEPLOY_TOKEN: "abc", LOOP_RUN_ID: "outer" };
    const runId = randomUUID();
    const { lines } = await agent('echo "$DEPLOY_TOKEN $LOOP_RUN_ID [$LOOP_DISABLE] [$HOME]"', {
      env,
      runId,
    });
    expect(lines).toEqual([`abc outer ${runId} [] []`]);
  });

  it("is a session of its own, which no Ctrl-C of ours reaches", async () => {
    const { lines } = await agent("cut -d' ' -f5,6 /proc/self/stat");
    const [group, session] = lines[0]?.split(" ") ?? [];
    expect(group).toBe(session);
    expect(session).not.toBe(readProc(process.pid, "stat").split(" ")[5]);
  });

  it("is an argv without a shell", async () => {
    const { lines } = await agent("", { command: { kind: "argv", argv: ["echo", "$HOME", "a  b;c"] } });
    expect(lines).toEqual(["$HOME a  b;c"]);
  });
});

describe("what an agent prints", () => {
  it("may be nothing", async () => {
    expect(await agent("true")).toEqual({
      ending: { type: "exited", code: 0 },
      stderr: "",
      lines: [],
    });
  });

  it("is passed on in lines, the last one also without its end", async () => {
    const { lines, stderr } = await agent("echo one; echo; echo aside >&2; printf two");
    expect({ lines, stderr }).toEqual({ lines: ["one", "", "two"], stderr: "aside\n" });
  });

  it("is passed on while it works", async () => {
    const { ending } = await agent("echo go on; until test -e on; do sleep 0.05; done", {
      onLine: () => void execFile("touch", [join(cwd, "on")]),
    });
    expect(ending).toEqual({ type: "exited", code: 0 });
  });

  it("is passed on also when it is the last word of one who is ended", async () => {
    const abort = new AbortController();
    const read: string[] = [];
    const { ending } = await agent("trap 'echo two; exit 1' TERM; echo one; while :; do sleep 0.05; done", {
      signal: abort.signal,
      onLine: (line) => {
        read.push(line);
        abort.abort();
      },
    });
    expect({ ending, read }).toEqual({ ending: { type: "aborted" }, read: ["one", "two"] });
  });

  it("may be cut within a character", async () => {
    const { lines } = await agent(String.raw`printf 'na\303'; sleep 0.3; printf '\257f\n'`);
    expect(lines).toEqual(["naïf"]);
  });

  it("may be garbage", async () => {
    const { lines } = await agent(String.raw`printf 'a\000b\377\n{"ok":true}\n'; printf '\302' >&2`);
    expect(lines).toEqual(["a\0b\uFFFD", '{"ok":true}']);
    const noise = await agent("head -c 3000000 /dev/urandom; echo; echo the end");
    expect(noise.lines.at(-1)).toBe("the end");
  });

  it("is kept of standard error as its beginning and its end, in 64 kB", async () => {
    const { stderr } = await agent("echo the start >&2; yes é | head -c 999999 >&2; echo the end >&2");
    expect(stderr).toMatch(/^the start\n(é\n)+é?\n?\[… \d+ bytes left out …\]\né?\n(é\n)+the end\n$/);
    expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(65_600);
    expect(Buffer.byteLength(stderr)).toBeGreaterThan(64_000);
  });

  it("is dropped where a line is longer than 8 MB", async () => {
    const long = (bytes: number): string => `head -c ${bytes} /dev/zero | tr '\\0' x; echo`;
    const { lines } = await agent(
      `echo one; ${long(8_388_608)}; ${long(8_388_609)}; ${long(30_000_000)}; echo two`,
    );
    expect(lines.map((line) => line.length)).toEqual([3, 8_388_608, 3]);
  });
});

describe("a slow reader", () => {
  it("gets every line, also those that the agent left behind when it exited", async () => {
    let read = 0;
    await agent(`yes ${"x".repeat(999)} | head -n 400`, {
      onLine: () => {
        holdUp(3);
        read += 1;
      },
    });
    expect(read).toBe(400);
  });
});

describe("memory", () => {
  /** More than it may grow by. */
  const PRINTED = effort(200, 1_000) * 1_000_000;

  async function measured(line: string) {
    const { stdout } = await promisify(execFile)(process.execPath, [MEMORY, line], { maxBuffer: 100_000 });
    return JSON.parse(stdout) as { readonly grownKb: number };
  }

  it.each(
    oneOf([
      [
        "in lines",
        `yes ${"x".repeat(99)} | head -c ${PRINTED}`,
        { lines: PRINTED / 100, characters: (PRINTED / 100) * 99 },
      ],
      ["without a line end", `head -c ${PRINTED} /dev/zero; echo; echo the end`, { lines: 1, characters: 7 }],
      ["to standard error", `head -c ${PRINTED} /dev/zero >&2`, { lines: 0 }],
    ] as const),
  )("stays as it is for more than it may grow by, %s", { timeout: 300_000 }, async (_how, line, expected) => {
    const { grownKb, ...outcome } = await measured(line);
    expect(outcome).toMatchObject({ ...expected, ending: { type: "exited", code: 0 } });
    expect(grownKb).toBeLessThan(150_000);
  });
});

describe.runIf(process.platform === "linux")("the process tree of an agent", () => {
  const trees: readonly (readonly [string, (seconds: string) => string])[] = [
    ["a child", (seconds) => `sleep ${seconds}; true`],
    ["a child in a session of its own", (seconds) => `setsid sleep ${seconds} & wait`],
    [
      "a daemon after two forks",
      (seconds) => `(setsid sh -c '(nohup sleep ${seconds} >/dev/null 2>&1 &)' &); sleep 1000`,
    ],
    [
      "a child that ignores SIGTERM",
      (seconds) => `setsid sh -c 'trap "" TERM; while :; do sleep ${seconds}; done'`,
    ],
    ["an agent that ignores SIGTERM", (seconds) => `trap "" TERM; while :; do sleep ${seconds}; done`],
    [
      "a child that forgot its environment",
      (seconds) => `setsid env -i sh -c 'setsid sleep ${seconds}; true'`,
    ],
  ];

  it.each(someOf(trees, 2, trees.length))("is ended with it: %s", async (_name, line) => {
    const seconds = uniqueSeconds();
    const abort = new AbortController();
    const turn = agent(line(seconds), { signal: abort.signal });
    await awakeSleepers(seconds, 1);
    abort.abort();
    expect((await turn).ending).toEqual({ type: "aborted" });
    expect(processesWith(seconds)).toEqual([]);
  });

  it("does not outlive its normal exit, and holds up nobody with the pipe that it holds", async () => {
    const seconds = uniqueSeconds();
    const { ending, lines } = await agent(`setsid sleep ${seconds} & echo done`);
    expect({ ending, lines }).toEqual({ ending: { type: "exited", code: 0 }, lines: ["done"] });
    expect(sleepers(seconds)).toEqual([]);
  });

  variant("does not hold up anybody by writing on and on", async () => {
    const { ending } = await agent("setsid sh -c 'while :; do echo still here; sleep 0.05; done' & exit 4");
    expect(ending).toEqual({ type: "exited", code: 4 });
  });

  variant("leaves an agent beside it alone", async () => {
    const seconds = uniqueSeconds();
    const stop = new AbortController();
    const runId = randomUUID();
    const neighbour = agent(`sleep ${seconds}`, { signal: stop.signal, runId: `${runId}0` });
    onTestFinished(() => stop.abort());
    const before = await awakeSleepers(seconds, 1);
    await agent("sleep 1000", { signal: AbortSignal.timeout(SHORT_MS), runId });
    expect(sleepers(seconds)).toEqual(before);
    stop.abort();
    await neighbour;
  });

  it("is guarded from its start until nothing is left of it", async () => {
    const seconds = uniqueSeconds();
    const told: string[] = [];
    const { lines } = await agent(
      `setsid sleep ${seconds} & cut -d' ' -f5 /proc/self/stat; until test -e on; do sleep 0.05; done`,
      {
        guard: (leader) => {
          told.push(`+${leader} ${readProc(leader, "cmdline") === "" ? "gone" : "there"}`);
          writeFileSync(join(cwd, "on"), "");
          return () => told.push(`-${leader} ${sleepers(seconds).length}`);
        },
      },
    );
    expect(told).toEqual([`+${lines[0]} there`, `-${lines[0]} 0`]);
  });
});
