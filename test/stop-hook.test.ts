import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";
import { effort, isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const S = "session-one";

function shop(): Sandbox {
  const sandbox = new Sandbox({ "state.txt": "broken\n" });
  sandbox.commitAll();
  return sandbox;
}

const CHECK = "fixed=grep -q fixed state.txt || { echo state.txt says $(cat state.txt); exit 3; }";

describe("a bound loop", () => {
  test("holds a false done with the check's output, and lets go once the check passes", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    sandbox.agentLoop(S, "done");
    const reason = heldReason(sandbox.stop(S));
    expect(reason.split("\n")[0]).toBe(
      "[ITERATION 1/10] Continue working on the task. Check your progress and either complete the task or keep iterating.",
    );
    expect(reason).toContain("unmet criteria: fixed");
    expect(reason).toContain("state.txt says broken");
    expect(reason).toContain("failed with exit code 3");

    sandbox.write({ "state.txt": "fixed\n" });
    sandbox.agentLoop(S, "done");
    const stopped = sandbox.stop(S);
    expect(stopped).toMatchObject({ code: 0, err: "" });
    expect(toldOf(stopped)).toMatch(/^\[LOOP\] ✓ done: fixed \(verified\)\n[^]*<\/loop-complete>$/);
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "verified", iteration: 1 });
  });

  variant("is held without a signal, and the same failure is sent in full only once", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    const first = heldReason(sandbox.stop(S));
    expect(first).toContain("unmet criteria: fixed");
    expect(first).toContain("state.txt says broken");
    sandbox.write({ "notes.txt": "tried something\n" });
    sandbox.agentLoop(S, "done");
    const second = heldReason(sandbox.stop(S));
    expect(second).toContain("unchanged");
    expect(second).not.toContain("state.txt says broken");
  });

  test("is charged from its opening on, also where only its stops are reported", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK, "--budget", "50");
    const transcript_path = join(sandbox.home, "transcript.jsonl");
    const answer = (id: string, at: number): string => {
      const usage = { input_tokens: 1_000_000, output_tokens: 0 };
      const message = { role: "assistant", id, model: "claude-opus-4-1", content: [], usage };
      const timestamp = new Date(at).toISOString();
      return `${JSON.stringify({ type: "assistant", requestId: id, timestamp, message })}\n`;
    };
    const now = Date.now();
    writeFileSync(transcript_path, `${answer("before", now - 3_600_000)}${answer("since", now + 1_000)}`);
    heldReason(sandbox.stop(S, { transcript_path }));
    expect(sandbox.only()).toMatchObject({ costUsd: 15, tokens: 1_000_000 });
  });

  test("is let go while a command of the user's waits in the client's queue, and held again after it", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    const transcript_path = join(sandbox.home, "transcript.jsonl");
    const rows = (...operations: readonly object[]): void =>
      writeFileSync(
        transcript_path,
        operations.map((each) => `${JSON.stringify({ type: "queue-operation", ...each })}\n`).join(""),
      );
    const typed = { operation: "enqueue", content: "/loop:pause" };

    rows({ operation: "enqueue", content: "and also mend the docs" });
    expect(heldReason(sandbox.stop(S, { transcript_path }))).toContain("[ITERATION 1/10]");
    rows(typed);
    expect(sandbox.stop(S, { transcript_path })).toEqual({ code: 0, out: "", err: "" });
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 1 });
    rows(typed, { operation: "dequeue" });
    expect(heldReason(sandbox.stop(S, { transcript_path }))).toContain("[ITERATION 2/10]");
  });

  test("finds the queued command behind megabytes of work, and one that was typed while its checks ran", () => {
    const sandbox = shop();
    const transcript_path = join(sandbox.home, "transcript.jsonl");
    const typed = JSON.stringify({ type: "queue-operation", operation: "enqueue", content: "/loop:pause" });
    const work = JSON.stringify({ type: "user", message: { content: "x".repeat(100_000) } });
    const isTyped = join(sandbox.home, "typed");
    sandbox.start(S, "Fix state.txt", "-c", `fixed=cat ${isTyped} >> ${transcript_path}; exit 1`);

    writeFileSync(transcript_path, `${typed}\n${`${work}\n`.repeat(30)}`);
    expect(sandbox.stop(S, { transcript_path })).toEqual({ code: 0, out: "", err: "" });

    writeFileSync(transcript_path, "");
    writeFileSync(isTyped, `${typed}\n`);
    sandbox.agentLoop(S, "done");
    expect(sandbox.stop(S, { transcript_path })).toEqual({ code: 0, out: "", err: "" });
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 1 });
  });

  test("says in the first hold after a prompt how its person stops it, and not to a session without one", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK, "--shape", "tool");
    const attended = { CLAUDE_CODE_SESSION_ATTENDED: "1" };
    const brake = "For the user, to stop this: Esc, then /loop:pause";
    expect(heldReason(sandbox.stop(S, {}, attended))).toContain(brake);
    expect(heldReason(sandbox.stop(S, { stop_hook_active: true }, attended))).not.toContain("Esc");
    sandbox.write({ "state.txt": "nearly\n" });
    expect(heldReason(sandbox.stop(S))).not.toContain("Esc");
  });

  test("holds with no control character in its reason", () => {
    const sandbox = shop();
    const check = String.raw`fixed=printf '\033[31mred\033[0m \007\033]0;title\007here\n'; exit 3`;
    sandbox.start(S, "Fix state.txt", "-c", check);
    sandbox.agentLoop(S, "done");
    const reason = heldReason(sandbox.stop(S));
    expect(reason).toContain("red here");
    // oxlint-disable-next-line no-control-regex -- none of these may be there
    expect(reason).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  test("takes a status block in the last message as claims", () => {
    const sandbox = shop();
    sandbox.start(S, "Say hello", "-c", "greeted");
    const block =
      'Done.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\nCRITERIA: {"greeted": true}\nSTUCK_COUNT: 0\nNEXT: none\n---END_STATUS---';
    expect(toldOf(sandbox.stop(S, { last_assistant_message: block }))).toMatch(
      /^\[LOOP\] ✓ done: greeted \(weak: "greeted" rests on .*reasoned inference/,
    );
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "weak" });
  });

  test("takes an edit of state.json as claims", () => {
    const sandbox = shop();
    sandbox.start(S, "Say hello", "-c", "greeted");
    const state = JSON.parse(sandbox.read(".loop/state.json")) as {
      criteriaStatus: { [name: string]: unknown };
      exit_signal: unknown;
    };
    state.criteriaStatus["greeted"] = true;
    state.exit_signal = true;
    sandbox.write({ ".loop/state.json": JSON.stringify(state) });
    expect(toldOf(sandbox.stop(S))).toContain("✓ done: greeted (weak: ");
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "weak" });
  });

  test("with rule marker ends by the marker on a line of its own, not by one in a code block", () => {
    const sandbox = shop();
    sandbox.start(S, "Say hello", "--exit-rule", "marker");
    heldReason(sandbox.stop(S, { last_assistant_message: "I will print:\n```\n<loop-complete>\n```\n" }));
    expect(
      toldOf(sandbox.stop(S, { last_assistant_message: "<loop-complete>\nAll good\n</loop-complete>" })),
    ).toMatch(
      /^\[LOOP\] ✓ done \(unverified: no criterion says when it is done\)\n<loop-complete>\nFinished, /,
    );
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "unverified" });
  });

  test("pauses at the iteration limit and says how to go on", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK, "--iterations", "1");
    heldReason(sandbox.stop(S));
    const { systemMessage } = JSON.parse(sandbox.stop(S).out) as { systemMessage: string };
    expect(systemMessage).toContain("[LOOP] ⏸ Paused: iterations");
    expect(systemMessage).toContain("/loop:continue --iterations=1");
    expect(sandbox.stop(S).out).toBe("");
    expect(sandbox.loop("continue").err).toContain("--iterations");
    expect(sandbox.loop("continue", "--iterations=2").code).toBe(0);
    expect(heldReason(sandbox.stop(S))).toContain("[ITERATION 2/3]");
  });

  test("pauses for want of progress when nothing changes", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    heldReason(sandbox.stop(S));
    heldReason(sandbox.stop(S, { stop_hook_active: true }));
    expect(sandbox.stop(S, { stop_hook_active: true }).out).toContain("Paused: no-progress");
  });

  test("pauses when a must-not is violated, naming what changed", () => {
    const sandbox = new Sandbox({ "state.txt": "broken\n", "db/schema.sql": "create table t;\n" });
    sandbox.commitAll();
    sandbox.start(S, "Fix state.txt", "--must-not", "path:db/**", "--must-not", "run:test ! -e forbidden");
    heldReason(sandbox.stop(S));
    sandbox.write({ "db/schema.sql": "drop table t;\n" });
    expect(sandbox.stop(S).out).toContain("must-not");
    expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "must-not" });
    expect(sandbox.only().detail).toContain("db/schema.sql changed");

    sandbox.write({ "db/schema.sql": "create table t;\n", forbidden: "" });
    sandbox.loop("continue");
    sandbox.stop(S);
    expect(sandbox.only().detail).toContain("run:test ! -e forbidden");
  });

  test("hands back to a colleague after each iteration, and stays active", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK, "--shape", "colleague");
    expect(JSON.parse(sandbox.stop(S, {}, { CLAUDE_CODE_SESSION_ATTENDED: "1" }).out)).toHaveProperty(
      "systemMessage",
    );
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 1 });
    heldReason(sandbox.stop(S, {}));
  });

  test("counts every one of many stops at once", async () => {
    const count = effort(6, 16, 16);
    const sandbox = shop();
    sandbox.start(
      S,
      "Fix state.txt",
      "-c",
      CHECK,
      "--iterations",
      "none",
      "--no-progress-limit",
      "0",
      "--stuck-limit",
      "0",
    );
    // Otherwise the loop pauses before the client ends the turn by itself, after eight holds.
    sandbox.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = "0";
    const replies = await sandbox.stopAtOnce(S, count);
    expect(replies.map((reply) => (JSON.parse(reply) as { decision: string }).decision)).toEqual(
      Array(count).fill("block"),
    );
    expect(sandbox.only().iteration).toBe(count);
  });
});

describe("the hook never holds", () => {
  const silent = { code: 0, out: "", err: "" };

  test.each([
    ["another session", "session-two", {}, {}],
    ["an empty session id", "", {}, {}],
    ["a session id that is a path", "../../etc/passwd", {}, {}],
    ["LOOP_DISABLE=1", S, {}, { LOOP_DISABLE: "1" }],
    ["IDLE_LOOP_DISABLE=1", S, {}, { IDLE_LOOP_DISABLE: "1" }],
    ["a subagent's stop", S, { agent_id: "a1" }, {}],
    ["plan mode", S, { permission_mode: "plan" }, {}],
    [
      "work in the background",
      S,
      { background_tasks: [{ id: "1", type: "subagent", status: "running" }] },
      {},
    ],
    ["a wake-up to come", S, { session_crons: [{ id: "1", recurring: false }] }, {}],
  ])("%s", (_, session, payload, env) => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    expect(sandbox.stop(session, payload, env)).toEqual(silent);
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 0 });
  });

  test.each(["", "{", "null", "[]", '"x"', "\u0000\uFFFF", '{"session_id": {"a": 1}}'])(
    "unreadable input %j",
    (input) => {
      const sandbox = shop();
      sandbox.start(S, "Fix state.txt", "-c", CHECK);
      const ran = sandbox.hook(input);
      expect(ran.code).toBe(0);
      expect(ran.out).not.toContain("block");
    },
  );

  test("a cancelled or paused loop", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    sandbox.loop("pause");
    expect(toldOf(sandbox.stop(S))).toContain("[LOOP] ⏸ Paused: user");
    expect(sandbox.stop(S)).toEqual(silent);
    sandbox.loop("continue");
    heldReason(sandbox.stop(S));
    sandbox.loop("cancel");
    expect(toldOf(sandbox.stop(S))).toContain("[LOOP] Cancelled");
    expect(sandbox.stop(S)).toEqual(silent);
  });

  test("a loop whose folder was deleted, said once and never written back", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    rmSync(join(sandbox.root, ".loop"), { recursive: true });
    expect(sandbox.stop(S).out).toContain("deleted");
    expect(sandbox.stop(S)).toEqual(silent);
    expect(existsSync(join(sandbox.root, ".loop"))).toBe(false);
  });

  test("a corrupt journal, which is left as it is", () => {
    const sandbox = shop();
    const { id } = sandbox.start(S, "Fix state.txt", "-c", CHECK);
    const journal = sandbox.journal(id);
    appendFileSync(journal, "garbage\n");
    const bytes = readFileSync(journal);
    expect(sandbox.stop(S).out).toContain("Aborted");
    expect(sandbox.only()).toMatchObject({ phase: "aborted" });
    const { err } = sandbox.loop("pause");
    expect(err).toContain(`The loop ${id} is aborted`);
    expect(err).toContain(`restore .loop/loops/${id} from a backup, or move it away and start anew`);
    expect(readFileSync(journal)).toEqual(bytes);
  });

  test.each([
    ["no JSON", "{ not json"],
    ["a list", "[]"],
    ["a counter that is no number", '{"iteration":"many","criteriaStatus":{}}'],
  ])("a damaged state.json (%s), which is left as it is", (_, text) => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    sandbox.write({ ".loop/state.json": text });
    expect(sandbox.stop(S).out).toContain("state.json");
    expect(sandbox.read(".loop/state.json")).toBe(text);
    rmSync(join(sandbox.root, ".loop/state.json"));
    heldReason(sandbox.stop(S));
  });

  test("a loop whose check was changed in its files", () => {
    const sandbox = shop();
    const { id } = sandbox.start(S, "Fix state.txt", "-c", CHECK);
    const locks = join(sandbox.home, "state", "loopwright", "loops");
    const approved = join(locks, readdirSync(locks).find((name) => name.startsWith(id)) ?? "", "approved");
    for (const name of readdirSync(approved).slice(1)) rmSync(join(approved, name));
    expect(sandbox.stop(S)).toEqual(silent);
    expect(sandbox.only()).toMatchObject({ phase: "untrusted", spec: null });
  });
});

describe("only the hook's own run of a check decides", () => {
  variant("what the agent's `loop check` showed with a program of its own counts for nothing", () => {
    const sandbox = shop();
    sandbox.write({ "fake/grep": "#!/bin/sh\nexit 0\n" });
    chmodSync(join(sandbox.root, "fake", "grep"), 0o755);
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    const path = `${join(sandbox.root, "fake")}:${sandbox.env["PATH"] ?? ""}`;
    const agent = { env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S, PATH: path } };
    expect(sandbox.spawnLoopWith(agent, "check").code).toBe(0);
    expect(sandbox.only().criteria[0]).toMatchObject({ status: "met" });
    sandbox.agentLoop(S, "done");
    expect(heldReason(sandbox.stop(S))).toContain("state.txt says broken");
  });

  test("a server that lives only during the agent's `loop check` is not there at the stop", () => {
    const sandbox = shop();
    sandbox.write({ ".gitignore": "up.sock\n" });
    sandbox.start(S, "Serve", "-c", "serves=test -e up.sock");
    sandbox.write({ "up.sock": "" });
    expect(sandbox.agentLoop(S, "check").code).toBe(0);
    rmSync(join(sandbox.root, "up.sock"));
    sandbox.agentLoop(S, "done");
    expect(heldReason(sandbox.stop(S))).toContain("unmet criteria: serves");
  });

  test("nobody but a hook asks for checks in the background", () => {
    const sandbox = shop();
    sandbox.start(S, "Fix state.txt", "-c", CHECK);
    const { id } = sandbox.only();
    for (const ticket of ["0".repeat(32), "../../x"])
      expect(sandbox.agentLoop(S, "judge", "--loop", id, ticket)).toMatchObject({
        code: 1,
        err: "loop: No checks are pending; run them with: loop check\n",
      });
  });
});

describe("checks that outlast the host's patience", () => {
  test.runIf(isFullEffort)("count by the hook's own ticket: another `loop check` in between does not", () => {
    const sandbox = shop();
    const check = 'slow=sleep 1; test -e passing && test -z "$FAKED" || test -n "$FAKED"';
    sandbox.start(S, "Fix it", "-c", check, "--no-progress-limit", "0");
    const impatient = { LOOP_HOOK_PATIENCE_MS: "200" };
    sandbox.agentLoop(S, "done");
    expect(heldReason(sandbox.stop(S, {}, impatient))).toContain("Checks are running: slow");
    sandbox.agentLoop(S, "check", "--wait");
    const faked = { env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S, FAKED: "1" } };
    expect(sandbox.loopWith(faked, "check").code).toBe(0);
    expect(heldReason(sandbox.stop(S, {}, impatient))).toContain("unmet criteria: slow");
  });

  test("go on in the background: held without counting, then decided by what they showed", () => {
    const sandbox = shop();
    sandbox.start(
      S,
      "Fix state.txt",
      "-c",
      "slow=sleep 1; grep -q fixed state.txt",
      "--no-progress-limit",
      "0",
    );
    const impatient = { LOOP_HOOK_PATIENCE_MS: "200" };
    sandbox.agentLoop(S, "done");
    const first = heldReason(sandbox.stop(S, {}, impatient));
    expect(first).toContain("Checks are running: slow");
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 0 });

    expect(sandbox.agentLoop(S, "check", "--wait").code).toBe(1);
    expect(sandbox.only().criteria[0]).toMatchObject({ status: "unmet" });

    sandbox.write({ "state.txt": "fixed\n" });
    heldReason(sandbox.stop(S, {}, impatient));
    expect(sandbox.agentLoop(S, "check", "--wait").code).toBe(0);
    expect(toldOf(sandbox.stop(S, {}, impatient))).toContain("✓ done: slow (");
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "verified", iteration: 0 });
  });
});

describe("a session among others", () => {
  test("is not finished by a state.json that is about something else, nor replaces it", () => {
    const sandbox = shop();
    sandbox.start(S, "Mine", "--shape", "tool");
    const other = JSON.stringify({
      spec: "Yours",
      criteria: ["b"],
      criteriaStatus: { b: false },
      exit_signal: true,
    });
    sandbox.write({ ".loop/state.json": other });
    heldReason(sandbox.stop(S));
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 1 });
    expect(sandbox.read(".loop/state.json")).toBe(other);
  });

  test("keeps the work it did before a mere pause, and does not pause for want of progress", () => {
    const sandbox = shop();
    sandbox.event("session-start", S, { source: "startup" });
    sandbox.start(S, "Fix state.txt", "-c", CHECK, "--shape", "tool", "--no-progress-limit", "2");
    for (let turn = 1; turn <= 3; turn += 1) {
      sandbox.event("post-tool-use", S, { tool_name: "Read", tool_input: {} });
      const waiting = { background_tasks: [{ id: "a", type: "subagent", status: "running" }] };
      expect(sandbox.stop(S, waiting).out).toBe("");
      heldReason(sandbox.stop(S));
    }
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 3 });
  });

  test("does not take a loop from a session at work, unless the user names it", () => {
    const sandbox = shop();
    const { id } = sandbox.start(S, "Fix state.txt", "-c", CHECK, "--shape", "tool");
    const take = (): string => sandbox.agentLoop("s2", "continue", "--session", "s2", "--loop", id).err;
    sandbox.event("user-prompt-submit", "s2", { prompt: "/loop:continue", prompt_id: "p1" });
    expect(take()).toContain(`the user types: /loop:continue --loop=${id}`);
    sandbox.event("user-prompt-submit", "s2", { prompt: `/loop:continue --loop ${id}`, prompt_id: "p2" });
    expect(take()).toBe("");
    expect(sandbox.only()).toMatchObject({ session: "s2" });
    expect(take()).toContain("may only be run by the user");
  });
});

test("a task list of the client holds until it is done, and its tasks are told which loop they belong to", () => {
  const sandbox = shop();
  const folder = join(sandbox.home, ".claude", "tasks", "my-list");
  mkdirSync(folder, { recursive: true });
  const task = (status: string, metadata?: object): string =>
    JSON.stringify(
      {
        id: "1",
        subject: "Dig",
        description: "",
        status,
        blocks: [],
        blockedBy: [],
        ...(metadata && { metadata }),
      },
      null,
      2,
    );
  writeFileSync(join(folder, "1.json"), task("pending"));
  const env = { CLAUDE_CODE_TASK_LIST_ID: "my-list" };
  const stop = (): string =>
    sandbox.hook(JSON.stringify({ session_id: S, cwd: sandbox.root }), env, ["--reply", "ok"]).out;
  expect(stop()).toBe('{"ok":false,"reason":"pending tasks: Dig"}');
  const { id } = sandbox.only();
  const metadata = { wave: 1, verification: "reasoned inference", loopId: id, stuckCount: 0 };
  expect(readFileSync(join(folder, "1.json"), "utf8")).toBe(task("pending", metadata));
  expect(sandbox.read(".loop/PROGRESS.md")).toContain(
    "## ⏳ Pending\n- [ ] Dig\n\n## 📊 Metrics\n- Tasks: 0/1",
  );
  expect(sandbox.loop("status").out).toContain("\n  tasks 0/1\n  ○ ready  1  Dig");
  writeFileSync(join(folder, "1.json"), task("completed", metadata));
  expect(stop()).toBe('{"ok":true}');
  expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "unverified" });
});
