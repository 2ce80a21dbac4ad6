import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const SCRIPT = resolve("dist/hook.sh");

/** In place of node: takes its input as hook.js does, and writes down how it was called. */
const WITNESS = `#!/bin/sh
shift
cd "\${0%/*}"
printf '%s\\n' "$*" > args
printf '%s' "$LOOP_HOOK_HEAD" > head
case $LOOP_HOOK_HEAD in "$$:"*) printf '%s' "\${LOOP_HOOK_HEAD#*:}" > input ;; *) : > input ;; esac
cat >> input
echo answered
`;

/** A state home, and in place of node a program that writes down how it was called. */
class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright script ")));
  readonly node = join(this.folder, "node");

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    writeFileSync(this.node, WITNESS);
    chmodSync(this.node, 0o755);
    mkdirSync(join(this.folder, "loopwright", "sessions"), { recursive: true });
  }

  haveLoop(session: string): void {
    writeFileSync(join(this.folder, "loopwright", "sessions", `${session}.loop.json`), "{}");
  }

  /** What node was given; null: it was not started. */
  call(event: string, input: string, env: NodeJS.ProcessEnv = {}): { args: string; input: string } | null {
    const { stdout, status } = spawnSync(SCRIPT, [this.node, event, "--host", "claude-code"], {
      env: { PATH: process.env["PATH"], XDG_STATE_HOME: this.folder, ...env },
      input,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`it ended with ${status}`);
    if (!existsSync(join(this.folder, "args"))) return stdout === "" ? null : { args: stdout, input: "" };
    const [args, given] = ["args", "input"].map((name) => readFileSync(join(this.folder, name), "utf8"));
    return { args: (args ?? "").trim(), input: given ?? "" };
  }
}

const OFTEN = [
  "post-tool-use",
  "post-tool-use-failure",
  "subagent-stop",
  "permission-request",
  "session-end",
];

describe("a session without a loop", () => {
  test.each([...OFTEN, "user-prompt-submit", "user-prompt-expansion"])("costs no node at %s", (event) => {
    const place = new Place();
    expect(place.call(event, '{"session_id":"s1","cwd":"/","prompt":"Fix it"}')).toBeNull();
    expect(place.call(event, '{ "hook_event_name" : "X", "session_id" : "s1" }')).toBeNull();
  });

  test("costs little when its user pastes a long text", () => {
    const place = new Place();
    expect(
      place.call("user-prompt-submit", JSON.stringify({ session_id: "s1", prompt: "x".repeat(300_000) })),
    ).toBeNull();
    const late = JSON.stringify({ prompt: "x".repeat(300_000), session_id: "s1" });
    expect(place.call("user-prompt-submit", late)?.input).toBe(late);
  });

  test("that Claude Code names to its hook is known before anything is read", () => {
    const place = new Place();
    const env = { CLAUDE_CODE_SESSION_ID: "s1" };
    // What was read would say otherwise.
    place.haveLoop("s2");
    for (const event of OFTEN) expect(place.call(event, '{"session_id":"s2"}', env)).toBeNull();
    place.haveLoop("s1");
    for (const event of OFTEN)
      expect(place.call(event, "any", env)).toEqual({ args: `${event} --host claude-code`, input: "any" });
    expect(readFileSync(join(place.folder, "head"), "utf8")).toBe("");
  });

  test.each(["", "../s1", "a b", "$(touch PWNED)", "-s1"])(
    "is looked for in the input when the variable is no session's id: %j",
    (named) => {
      const place = new Place();
      const env = { CLAUDE_CODE_SESSION_ID: named };
      place.haveLoop("s1");
      expect(place.call("post-tool-use", '{"session_id":"s2"}', env)).toBeNull();
      expect(place.call("post-tool-use", '{"session_id":"s1"}', env)).not.toBeNull();
    },
  );

  test("of another client is never taken from Claude Code's variable, inside of which it may have been started", () => {
    const place = new Place();
    place.haveLoop("s1");
    const { stdout } = spawnSync(SCRIPT, [place.node, "session-end", "--host", "droid"], {
      env: { PATH: process.env["PATH"], XDG_STATE_HOME: place.folder, CLAUDE_CODE_SESSION_ID: "outer" },
      input: '{"session_id":"s1"}',
      encoding: "utf8",
    });
    expect(stdout).toBe("answered\n");
  });

  test("is asked about when its user types a command of ours", () => {
    const input = '{"session_id":"s1","prompt":"/loop:start Fix it"}';
    expect(new Place().call("user-prompt-submit", input)?.input.trimEnd()).toBe(input);
  });
});

describe("hook.js gets the same words and the same input", () => {
  test.each([...OFTEN, "user-prompt-submit"])("in a session with a loop, at %s", (event) => {
    const place = new Place();
    place.haveLoop("s1");
    const input = JSON.stringify({ session_id: "s1", tool_response: 'ü\\n 100% "x" '.repeat(20_000) });
    expect(place.call(event, input)).toEqual({ args: `${event} --host claude-code`, input });
  });

  test("with no character cut in two on the way", () => {
    const place = new Place();
    place.haveLoop("s1");
    for (const pad of ["", "x", "xx", "xxx"]) {
      const input = JSON.stringify({ session_id: "s1", tool_response: pad + "ü€😀".repeat(500) });
      expect(place.call("post-tool-use", input)?.input).toBe(input);
      const decode = (): string =>
        new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(join(place.folder, "head")));
      expect(decode).not.toThrow();
    }
  });

  test("and a head that was meant for another process is none of its", () => {
    const place = new Place();
    const { stdout } = spawnSync(process.execPath, [resolve("dist/hook.js"), "stop"], {
      env: { XDG_STATE_HOME: place.folder, HOME: place.folder, LOOP_HOOK_HEAD: "1:no JSON" },
      input: JSON.stringify({ session_id: "s1", cwd: place.folder }),
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  });

  test("once, where its user types a command in a session with a loop", () => {
    const place = new Place();
    place.haveLoop("s1");
    const { stdout } = spawnSync(SCRIPT, [place.node, "user-prompt-submit", "--host", "claude-code"], {
      env: { PATH: process.env["PATH"], XDG_STATE_HOME: place.folder },
      input: '{"session_id":"s1","prompt":"/loop:pause"}',
      encoding: "utf8",
    });
    expect(stdout).toBe("answered\n");
  });

  test.each(["stop", "session-start", "stop-failure", "pre-tool-use", "event-of-tomorrow"])(
    "at %s, whatever the session has",
    (event) => {
      const input = '{"session_id":"s1"}';
      expect(new Place().call(event, input)).toEqual({ args: `${event} --host claude-code`, input });
    },
  );

  test.each([
    ["no JSON", "is anybody there?"],
    ["nothing", ""],
    ["no session", '{"cwd":"/"}'],
    ["an odd session", '{"session_id":"../../etc/passwd"}'],
    ["a session that is no text", '{"session_id":7}'],
    ["an empty session", '{"session_id":""}'],
    ["a session far behind", `{"tool_response":"${"x".repeat(10_000)}","session_id":"s1"}`],
  ])("when the input is unclear: %s", (_, input) => {
    expect(new Place().call("post-tool-use", input)).toEqual({
      args: "post-tool-use --host claude-code",
      input,
    });
  });

  test("when the state home is unclear", () => {
    const place = new Place();
    const input = '{"session_id":"s1"}';
    expect(place.call("post-tool-use", input, { XDG_STATE_HOME: "relative" })?.input).toBe(input);
    rmSync(join(place.folder, "args"));
    expect(place.call("post-tool-use", input, { XDG_STATE_HOME: "relative", HOME: place.folder })).toBeNull();
  });
});

test("no part of the input is ever a word for a shell", () => {
  const place = new Place();
  for (const text of [
    "$(touch PWNED)",
    "`touch PWNED`",
    "'; touch PWNED; '",
    '\\"; touch PWNED; \\"',
    "*",
    "%s%n",
  ])
    for (const event of ["post-tool-use", "user-prompt-submit"])
      place.call(event, `{"session_id":"${text}","prompt":"${text} loop:${text}"}`, { PWD: place.folder });
  expect(existsSync(join(place.folder, "PWNED")) || existsSync("PWNED")).toBe(false);
});

test.each(["post-tool-use", "user-prompt-submit"])("the real hook.js reads all of it, at %s", (event) => {
  const place = new Place();
  place.haveLoop("s1");
  const answerTo = (input: string): string =>
    spawnSync(SCRIPT, [process.execPath, event, "--host", "claude-code"], {
      env: { PATH: process.env["PATH"], XDG_STATE_HOME: place.folder },
      input,
      encoding: "utf8",
    }).stdout;
  for (const text of ["ü".repeat(3_000), "x".repeat(3_000), "x".repeat(60_000)]) {
    const input = JSON.stringify({ session_id: "s1", cwd: place.folder, tool_response: text, prompt: text });
    expect(answerTo(input)).not.toContain("not JSON");
    expect(answerTo(input.slice(0, -1))).toContain("the hook's input is not JSON");
  }
});

test("called without words, as by a client that ignores them, it goes on to hook.js, which reads the event itself", () => {
  const input = JSON.stringify({ session_id: "s1", hook_event_name: "PostToolUse", cwd: tmpdir() });
  const { status, stdout } = spawnSync(SCRIPT, [], {
    env: { PATH: process.env["PATH"], HOME: tmpdir() },
    input,
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
