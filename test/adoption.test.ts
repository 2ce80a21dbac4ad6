import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { adoptStore } from "../src/engine/compat/adopt-store.ts";
import { answerHook } from "../src/engine/stop/answer-hook.ts";
import { called } from "./support/called.ts";
import { chooseLoop } from "../src/storage/loops/choose-loop.ts";
import { takeInStores } from "../src/engine/compat/take-in-stores.ts";
import { writeBackForeign } from "../src/engine/compat/write-back.ts";
import { cancelLoop, continueLoop } from "../src/engine/lifecycle/lifecycle.ts";
import type { Machine } from "../src/storage/loops/machine.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { isTrusted, readApproval } from "../src/storage/home/approval-record.ts";
import type { Loop } from "../src/core/loop/loop.ts";
import { topFrame } from "../src/core/loop/loop.ts";
import { claudeCode } from "../src/agents/hosts/claude-code/host.ts";
import type { HookAnswer, ReplyForm } from "../src/agents/hosts/reply.ts";
import { findSession, recordStart } from "../src/storage/home/session-files.ts";
import { sessionId } from "./support/loop-builders.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const A = sessionId("session-a");
const B = sessionId("session-b");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A program that keeps a topic in a file, as `jwz` does. */
const STUB = `#!/bin/sh
case "$1" in
  read) cat "$STUB_TOPIC" ;;
  post) printf '%s\\n' "$4" >> "$STUB_TOPIC" ;;
esac
`;

class World {
  readonly sandbox = new Sandbox({ "work.txt": "0\n" });
  readonly env: NodeJS.ProcessEnv;
  readonly machine: Machine;
  readonly topic: string;
  /** How much later than it is. */
  later = 0;

  constructor() {
    const bin = join(this.sandbox.home, "bin");
    this.topic = join(this.sandbox.home, "topic");
    this.env = { ...this.sandbox.env, STUB_TOPIC: this.topic };
    this.env["PATH"] = `${bin}:${this.env["PATH"] ?? ""}`;
    this.machine = {
      ...createMachine(this.env, this.sandbox.root),
      now: () => Date.now() + this.later,
    };
  }

  installJwz(): void {
    const bin = join(this.sandbox.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "jwz"), STUB);
    chmodSync(join(bin, "jwz"), 0o755);
  }

  async stop(
    reply: ReplyForm,
    payload: { readonly [key: string]: unknown } = {},
  ): Promise<Omit<HookAnswer, "delivered">> {
    const input = { hook_event_name: "Stop", session_id: A, cwd: this.sandbox.root, ...payload };
    const call = { event: "stop", reply };
    const { delivered, ...answer } = await answerHook(this.machine, called(call, JSON.stringify(input)));
    delivered?.();
    return answer;
  }

  async ok(payload: { readonly [key: string]: unknown } = {}): Promise<unknown> {
    const { stdout, stderr, exitCode } = await this.stop("ok", payload);
    if (stderr !== "" || exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  }

  state(value: object): void {
    this.sandbox.write({ ".loop/state.json": JSON.stringify(value) });
  }

  stateNow(): { readonly [key: string]: unknown } {
    return JSON.parse(this.sandbox.read(".loop/state.json")) as { [key: string]: unknown };
  }

  /** Every loop of the project. */
  loops(): readonly Loop[] {
    const folder = join(this.sandbox.root, ".loop", "loops");
    const ids = existsSync(folder) ? readdirSync(folder) : [];
    const loops = ids.map((id) => loadJournal(join(folder, id, "journal.jsonl")).loop);
    return loops.filter((loop) => {
      const lock = readApproval({ home: this.machine.home, root: this.sandbox.root, loop: loop.id });
      return lock !== null && isTrusted(lock, loop);
    });
  }

  only(): Loop {
    const [loop, ...others] = this.loops();
    if (loop === undefined || others.length > 0) throw new Error("not exactly one loop");
    return loop;
  }

  post(...stack: readonly object[]): void {
    this.postEvent({ event: "STATE", stack });
  }

  postEvent(part: object): void {
    const updated_at = new Date(this.machine.now()).toISOString().replace(/\.\d+Z$/, "Z");
    const message = { schema: 1, run_id: "run-1", updated_at, ...part };
    writeFileSync(this.topic, `${JSON.stringify(message)}\n`, { flag: "a" });
  }

  posted(): { readonly event: string; readonly reason?: string; readonly stack: readonly object[] } {
    return JSON.parse(readFileSync(this.topic, "utf8").trim().split("\n").at(-1) ?? "") as ReturnType<
      World["posted"]
    >;
  }
}

const IDLE_FILE = ".claude/idle-loop.local.md";

function idleFile(part: { active?: string; mode?: string; iteration?: string; max?: string } = {}): string {
  const { active = "true", mode = "loop", iteration = "0", max = "3" } = part;
  return `---\nactive: ${active}\nmode: ${mode}\niteration: ${iteration}\nmax_iterations: ${max}\nowner: me\n---\n\nFix it all.\n`;
}

function continuation(iteration: number, max: number): string {
  return `[ITERATION ${iteration}/${max}] Continue working on the task. Check your progress and either complete the task or keep iterating.`;
}

function heldBy2(iteration: number, max: number): HookAnswer {
  const reason = continuation(iteration, max);
  return { stdout: JSON.stringify({ decision: "block", reason }), stderr: reason, exitCode: 2 };
}

const LET_GO: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

const STATE = {
  spec: "Make the tests pass",
  criteria: ["tests pass", "lint clean"],
  criteriaStatus: { "tests pass": false, "lint clean": true },
  exit_signal: false,
  steps: ["one", "two"],
  completedSteps: ["one"],
  remainingSteps: ["two"],
  iteration: 2,
  status: "in_progress",
  circuitBreaker: { stuckCount: 0, lastUnmet: "tests pass" },
};
const ALL_TRUE = { ...STATE, criteriaStatus: { "tests pass": true, "lint clean": true }, exit_signal: true };

let world: World;
beforeEach(() => {
  world = new World();
});

describe("adoptStore", () => {
  const stopping = (reply: ReplyForm, session = A) => ({
    host: claudeCode,
    session,
    reply,
    folder: world.sandbox.root,
  });

  test("opens a locked, journaled loop that is bound to the session, and leaves the store as it is", async () => {
    world.state(STATE);
    const before = world.sandbox.read(".loop/state.json");
    expect(await adoptStore(world.machine, stopping("ok"))).toBeNull();
    expect(world.only()).toMatchObject({
      origin: "state-file",
      phase: "active",
      shape: "tool",
      binding: { session: A, host: "claude-code" },
    });
    expect(topFrame(world.only())).toMatchObject({ spec: STATE.spec, iteration: 2, iterationLimit: 10 });
    expect(findSession(world.machine.home, A)?.loop).toBe(world.only().id);
    expect(world.sandbox.read(".loop/state.json")).toBe(before);
  });

  test("charges nothing that the session spent before", async () => {
    const transcriptPath = join(world.sandbox.home, "transcript.jsonl");
    const usage = { input_tokens: 10_000_000, output_tokens: 10_000_000 };
    const message = { id: "m1", model: "claude-opus-4-5", role: "assistant", usage };
    const row = { type: "assistant", requestId: "r1", timestamp: new Date().toISOString(), message };
    writeFileSync(transcriptPath, `${JSON.stringify(row)}\n`);
    world.state(STATE);
    await adoptStore(world.machine, { ...stopping("ok"), transcriptPath });
    expect(await world.ok({ transcript_path: transcriptPath })).toMatchObject({ ok: false });
    expect(world.only().spend).toMatchObject({ usd: 0, tokens: 0 });
    writeFileSync(transcriptPath, `${JSON.stringify({ ...row, requestId: "r2" })}\n`, { flag: "a" });
    await world.ok({ transcript_path: transcriptPath });
    expect(world.only().phase).toBe("paused");
  });

  test("opens one loop when the session stops twice at once", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    await Promise.all([
      adoptStore(world.machine, stopping("exit2")),
      adoptStore(world.machine, stopping("exit2")),
    ]);
    expect(world.loops()).toHaveLength(1);
  });

  test("looks at nothing under reply decision where no start is recorded", async () => {
    world.state(STATE);
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    expect(await adoptStore(world.machine, stopping("decision"))).toBeNull();
    expect(world.loops()).toEqual([]);
  });

  test.each(["decision", "ok", "exit2"] as const)(
    "takes what came after the start, under reply %s",
    async (reply) => {
      recordStart(world.machine.home, A, { startedAt: Date.now() - MINUTE, transcriptPath: null });
      world.state(STATE);
      await adoptStore(world.machine, stopping(reply));
      expect(world.loops()).toHaveLength(1);
    },
  );

  test.each(["decision", "ok", "exit2"] as const)(
    "leaves what is older than the start, under reply %s",
    async (reply) => {
      world.installJwz();
      world.state(STATE);
      world.sandbox.write({ [IDLE_FILE]: idleFile() });
      world.post({ mode: "loop", iter: 0, max: 5 });
      world.later = MINUTE;
      recordStart(world.machine.home, A, { startedAt: world.machine.now(), transcriptPath: null });
      expect(await adoptStore(world.machine, stopping(reply))).toBeNull();
      expect(world.loops()).toEqual([]);
    },
  );

  test.each([".loop/state.json", IDLE_FILE])("leaves %s when it is committed", async (path) => {
    world.sandbox.write({ [path]: path === IDLE_FILE ? idleFile() : JSON.stringify(STATE) });
    world.sandbox.commitAll();
    expect(await adoptStore(world.machine, stopping("exit2"))).toBeNull();
    expect(world.loops()).toEqual([]);
    world.sandbox.git("rm", "-q", "--cached", path);
    await adoptStore(world.machine, stopping("exit2"));
    expect(world.loops()).toHaveLength(1);
  });

  test("leaves a topic whose store is committed, and one that is dated in the future", async () => {
    world.installJwz();
    world.sandbox.write({ ".jwz/messages.jsonl": "{}\n" });
    world.sandbox.commitAll();
    world.post({ mode: "loop", iter: 0, max: 5 });
    expect(await adoptStore(world.machine, stopping("exit2"))).toBeNull();
    expect(world.loops()).toEqual([]);

    world.sandbox.git("rm", "-q", "--cached", ".jwz/messages.jsonl");
    world.later = -HOUR;
    expect(await adoptStore(world.machine, stopping("exit2"))).toContain("future");
    expect(world.loops()).toEqual([]);
  });

  test("does not follow a link to a store", async () => {
    world.sandbox.write({ "elsewhere/state.json": JSON.stringify(STATE) });
    world.sandbox.git("init", "-q");
    const { symlinkSync } = await import("node:fs");
    symlinkSync("elsewhere", join(world.sandbox.root, ".loop"));
    expect(await adoptStore(world.machine, stopping("ok"))).toBeNull();
    expect(existsSync(join(world.sandbox.root, "elsewhere", "loops"))).toBe(false);
  });

  test("leaves a stale store, and says so", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    world.later = 2 * HOUR + MINUTE;
    expect(await adoptStore(world.machine, stopping("exit2"))).toContain("stale");
    expect(world.loops()).toEqual([]);
  });

  variant("gives up on a jwz that does not answer, and says so", async () => {
    world.installJwz();
    writeFileSync(join(world.sandbox.home, "bin", "jwz"), "#!/bin/sh\nsleep 60\n");
    const startedAt = Date.now();
    expect(await adoptStore(world.machine, stopping("exit2"))).toContain("jwz did not answer");
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });
});

describe("writeBackForeign", () => {
  test("never writes a deleted store back, nor over what somebody else wrote", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    await takeInStores(
      world.machine,
      { type: "none" },
      { host: claudeCode, session: A, reply: "exit2", folder: world.sandbox.root },
    );
    const loop: Loop = { ...world.only(), phase: "cancelled" };
    const changed = `${idleFile()}changed\n`;
    world.sandbox.write({ [IDLE_FILE]: changed });
    await writeBackForeign(world.machine, world.sandbox.root, loop);
    expect(world.sandbox.read(IDLE_FILE)).toBe(changed);
    rmSync(join(world.sandbox.root, IDLE_FILE));
    await writeBackForeign(world.machine, world.sandbox.root, loop);
    expect(existsSync(join(world.sandbox.root, IDLE_FILE))).toBe(false);
  });
});

/** From here on through `answerHook`, which has to call the functions above. */
describe("state.json, through the hook under reply ok", () => {
  test("1: no file", async () => {
    expect(await world.ok()).toEqual({ ok: true });
  });

  test.each(["completed", "cancelled", "paused"])("2: status %s", async (status) => {
    world.state({ ...STATE, status });
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.loops()).toEqual([]);
  });

  test("3: an open circuit", async () => {
    world.state({ ...STATE, circuitBreaker: { stuckCount: 5, lastUnmet: "tests pass" } });
    expect(await world.ok()).toEqual({ ok: true });
  });

  test("3: a count that was begun goes on", async () => {
    world.state({ ...STATE, circuitBreaker: { stuckCount: 4, lastUnmet: "tests pass" } });
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only()).toMatchObject({ phase: "paused", reason: "stuck" });
  });

  test("4: everything true", async () => {
    world.state(ALL_TRUE);
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(world.stateNow()).toMatchObject({ status: "completed", loopId: world.only().id });
  });

  test("4: everything met, with its verification", async () => {
    const status = (verification: string) => ({ met: true, verification });
    world.state({
      ...ALL_TRUE,
      criteriaStatus: { "tests pass": status("execution output"), "lint clean": status("observation") },
    });
    expect(await world.ok()).toEqual({ ok: true });
    const { criteria } = topFrame(world.only());
    expect(criteria.map(({ attestation }) => attestation?.by)).toEqual(["execution output", "observation"]);
  });

  test.each([
    ["an unmet criterion", STATE, "unmet criteria: tests pass"],
    [
      "true as a word",
      { ...ALL_TRUE, criteriaStatus: { "tests pass": "true", "lint clean": 1 } },
      "unmet criteria: tests pass, lint clean",
    ],
    ["no signal", { ...ALL_TRUE, exit_signal: "true" }, "next: two"],
    [
      "names with quotes",
      {
        criteria: [`say "hi" & 'bye'`],
        criteriaStatus: { [`say "hi" & 'bye'`]: false },
        status: "in_progress",
      },
      `unmet criteria: say "hi" & 'bye'`,
    ],
  ])("5: %s", async (_, state, reason) => {
    world.state(state);
    expect(await world.ok()).toEqual({ ok: false, reason });
  });

  test("no criteria and a true signal complete, unverified", async () => {
    world.state({ spec: "s", criteria: [], criteriaStatus: {}, exit_signal: true, status: "in_progress" });
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only()).toMatchObject({ phase: "completed", confidence: "unverified" });
  });

  test.each([
    ["not JSON", "{"],
    ["a counter in words", JSON.stringify({ ...STATE, iteration: "two" })],
  ])("%s lets go with a warning, and the file is left", async (_, text) => {
    world.sandbox.write({ ".loop/state.json": text });
    expect(await world.ok()).toEqual({ ok: true });
    expect((await world.stop("exit2")).stderr).toContain(".loop/state.json");
    expect(world.sandbox.read(".loop/state.json")).toBe(text);
    expect(world.loops()).toEqual([]);
  });

  test("is written back in its own shape, and goes on with the agent's next version of it", async () => {
    world.state(STATE);
    expect(await world.ok()).toMatchObject({ ok: false });
    expect(world.stateNow()).toMatchObject({
      ...STATE,
      iteration: 3,
      circuitBreaker: { stuckCount: 1, lastUnmet: "tests pass" },
      loopId: world.only().id,
    });
    world.state(ALL_TRUE);
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only().phase).toBe("completed");
  });

  test.each([
    ["cancelled", { status: "cancelled" }, "cancelled"],
    ["completed", { status: "completed" }, "cancelled"],
    ["paused", { status: "paused" }, "paused"],
    ["stuck", { circuitBreaker: { stuckCount: 5 } }, "paused"],
  ])("lets go when the agent writes that it is %s", async (_, part, phase) => {
    world.state(STATE);
    expect(await world.ok()).toMatchObject({ ok: false });
    world.state({ ...STATE, ...part });
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only().phase).toBe(phase);
  });

  test("takes a criterion that the agent adds as one more", async () => {
    world.state(STATE);
    await world.ok();
    world.state({ ...ALL_TRUE, criteriaStatus: { ...ALL_TRUE.criteriaStatus, documented: false } });
    expect(await world.ok()).toEqual({ ok: false, reason: "unmet criteria: documented" });
    world.state({
      ...ALL_TRUE,
      criteriaStatus: { ...ALL_TRUE.criteriaStatus, documented: true, fast: true },
    });
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only().phase).toBe("completed");
  });

  test("a second loop of the session begins when its file is written anew", async () => {
    world.state(ALL_TRUE);
    await world.ok();
    world.state(STATE);
    expect(await world.ok()).toMatchObject({ ok: false });
    expect(
      world
        .loops()
        .map((loop) => loop.phase)
        .toSorted(),
    ).toEqual(["active", "completed"]);
  });

  test("a paused loop gives way to a file about something else", async () => {
    world.state({ ...STATE, iteration: 10 });
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only()).toMatchObject({ phase: "paused", reason: "iterations" });
    world.state({ ...STATE, spec: "Something else" });
    expect(await world.ok()).toMatchObject({ ok: false });
  });

  test("another session is never held by it", async () => {
    world.state(STATE);
    expect(await world.ok()).toMatchObject({ ok: false });
    expect(await world.ok({ session_id: B })).toEqual({ ok: true });
    // Not even when the first one's agent writes it anew, without the loop's id.
    world.state(STATE);
    expect(await world.ok({ session_id: B })).toEqual({ ok: true });
    expect(await world.ok()).toMatchObject({ ok: false });
    expect(world.loops()).toHaveLength(1);
  });

  test("is held with the whole text under reply decision, for a session whose start is known", async () => {
    recordStart(world.machine.home, A, { startedAt: Date.now() - MINUTE, transcriptPath: null });
    world.state(STATE);
    const { stdout } = await world.stop("decision");
    const { reason } = JSON.parse(stdout) as { reason: string };
    expect(reason.split("\n").slice(0, 2)).toEqual([continuation(3, 10), "unmet criteria: tests pass"]);
  });
});

describe("idle-loop.local.md, through the hook under reply exit2", () => {
  test("is held at the next stop when its adoption broke off before the session had it", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    const { home } = world.machine;
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "sessions"), "a file where the folder should be");
    expect((await world.stop("exit2")).exitCode).toBe(0);
    rmSync(join(home, "sessions"));
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 3));
  });

  test("counts, then lets go at its limit, and keeps the rest of the file", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    for (const iteration of [1, 2, 3]) {
      expect(await world.stop("exit2", { stop_hook_active: iteration > 1 })).toEqual(heldBy2(iteration, 3));
      expect(world.sandbox.read(IDLE_FILE)).toBe(idleFile({ iteration: String(iteration) }));
    }
    const { exitCode, stdout, stderr } = await world.stop("exit2");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toContain("iterations");
    expect(world.sandbox.read(IDLE_FILE)).toBe(idleFile({ active: "false", iteration: "3" }));
    expect(await world.stop("exit2")).toEqual(LET_GO);
  });

  test("ends by its tag", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "1" }) });
    const said = { last_assistant_message: "Done.\n\n<loop-done>COMPLETE</loop-done>" };
    expect(await world.stop("exit2", said)).toEqual(LET_GO);
    expect(world.only()).toMatchObject({ phase: "completed" });
    expect(world.sandbox.read(IDLE_FILE)).toBe(idleFile({ active: "false", iteration: "1" }));
  });

  describe("where the input has no message", () => {
    const row = (type: string, text: string) =>
      JSON.stringify({ type, message: { content: [{ type: "text", text }] } });
    const inTranscript = (...rows: readonly string[]): { readonly transcript_path: string } => {
      const path = join(world.sandbox.home, "transcript.jsonl");
      writeFileSync(path, `${rows.join("\n")}\n`);
      return { transcript_path: path };
    };
    const COMPLETE = "Final step complete.\n<loop-done>COMPLETE</loop-done>";

    test("ends by a tag in its transcript, after the last user row", async () => {
      world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "5", max: "10" }) });
      const said = inTranscript(row("assistant", "Lots of work."), row("assistant", COMPLETE));
      expect(await world.stop("exit2", said)).toEqual(LET_GO);
      expect(world.only()).toMatchObject({ phase: "completed" });
    });

    test.each([
      ["before the last user row", [row("assistant", COMPLETE), row("user", "Go on")]],
      ["in a code span", [row("assistant", "Such as\n\n`<loop-done>COMPLETE</loop-done>`\n")]],
      ["in a torn row", [row("assistant", COMPLETE).slice(0, -8)]],
    ])("is held by a tag %s, also without a session", async (_, rows) => {
      world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "5", max: "10" }) });
      const said = { ...inTranscript(...rows), session_id: undefined };
      expect(await world.stop("exit2", said)).toEqual(heldBy2(6, 10));
      expect(await world.stop("exit2", said)).toEqual(heldBy2(7, 10));
    });

    test("claims nothing under another reply", async () => {
      world.sandbox.write({ [IDLE_FILE]: idleFile() });
      expect(await world.ok(inTranscript(row("assistant", COMPLETE)))).toMatchObject({ ok: false });
      expect(await world.ok({ session_id: undefined })).toEqual({ ok: true });
    });
  });

  test.each([
    ["in a fence", "```\n<loop-done>COMPLETE</loop-done>\n```"],
    ["in a code span", "`<loop-done>COMPLETE</loop-done>`"],
    ["after other words", "I would say <loop-done>COMPLETE</loop-done>"],
    ["before other words", "<loop-done>COMPLETE</loop-done> soon"],
    ["after a blank", " <loop-done>COMPLETE</loop-done>"],
    ["after a tab", "\t<loop-done>COMPLETE</loop-done>"],
    ["in a list", "- <loop-done>COMPLETE</loop-done>"],
    ["in a quote", "> <loop-done>COMPLETE</loop-done>"],
    ["of the mode grind", "<grind-done>NO_MORE_ISSUES</grind-done>"],
    ["of the mode issue", "<issue-complete>DONE</issue-complete>"],
  ])("an idle loop is not ended by a tag %s", async (_, text) => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ max: "9" }) });
    expect(await world.stop("exit2", { last_assistant_message: text })).toEqual(heldBy2(1, 9));
  });

  test.each([
    ["issue", "<issue-complete>DONE</issue-complete>", "completed"],
    ["issue", "<loop-done>COMPLETE</loop-done>", "completed"],
    ["grind", "<grind-done>NO_MORE_ISSUES</grind-done>", "completed"],
    ["grind", "<grind-done>MAX_ISSUES</grind-done>", "paused"],
    ["loop", "<loop-done>STUCK</loop-done>", "paused"],
    ["loop", "<loop-done>MAX_ITERATIONS</loop-done>", "paused"],
    ["loop", "Done.\r\n\r\n<loop-done>COMPLETE</loop-done> \t\r\nBye.", "completed"],
  ])("mode %s ends by %s", async (mode, text, phase) => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ mode }) });
    expect((await world.stop("exit2", { last_assistant_message: text })).exitCode).toBe(0);
    expect(world.only().phase).toBe(phase);
    expect(world.sandbox.read(IDLE_FILE)).toContain("active: false");
  });

  test("with a corrupted counter lets go, at first and later, and is left as it is", async () => {
    const text = idleFile({ iteration: "many" });
    world.sandbox.write({ [IDLE_FILE]: text });
    const { exitCode, stderr } = await world.stop("exit2");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("not a number");
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 3));
    world.sandbox.write({ [IDLE_FILE]: text });
    expect((await world.stop("exit2")).exitCode).toBe(0);
    expect(world.sandbox.read(IDLE_FILE)).toBe(text);
  });

  test("believes a counter only upwards, and no higher limit", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "1", max: "5" }) });
    expect(await world.stop("exit2")).toEqual(heldBy2(2, 5));
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "0", max: "50" }) });
    expect(await world.stop("exit2")).toEqual(heldBy2(3, 5));
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "4", max: "5" }) });
    expect(await world.stop("exit2")).toEqual(heldBy2(5, 5));
  });

  test("lets go when its limit is lowered to what was used", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "1", max: "9" }) });
    expect(await world.stop("exit2")).toEqual(heldBy2(2, 9));
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "2", max: "2" }) });
    expect((await world.stop("exit2")).exitCode).toBe(0);
    expect(world.only()).toMatchObject({ phase: "paused", reason: "iterations" });
  });

  test.each([
    ["is deleted", () => rmSync(join(world.sandbox.root, IDLE_FILE))],
    ["becomes inactive", () => world.sandbox.write({ [IDLE_FILE]: idleFile({ active: "false" }) })],
  ])("is cancelled when it %s", async (_, change) => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    await world.stop("exit2");
    change();
    expect(await world.stop("exit2")).toEqual(LET_GO);
    expect(world.only().phase).toBe("cancelled");
    expect(await world.stop("exit2")).toEqual(LET_GO);
  });

  test("once cancelled here it is not taken again, until it is written anew", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    await world.stop("exit2");
    await cancelLoop(world.machine, await chooseLoop(world.machine, undefined));
    expect(await world.stop("exit2")).toEqual(LET_GO);
    world.sandbox.write({ [IDLE_FILE]: idleFile({ max: "4" }) });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 4));
  });

  test("goes on after a pause, and another loop may take its place instead", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ max: "1" }) });
    await world.stop("exit2");
    await world.stop("exit2");
    const more = {
      usd: null,
      iterations: 2,
      tokens: null,
      minutes: null,
      binding: null,
      say: null,
      leaveOut: false,
    };
    await continueLoop(world.machine, await chooseLoop(world.machine, undefined), more);
    expect(await world.stop("exit2")).toEqual(heldBy2(2, 3));
    expect(world.sandbox.read(IDLE_FILE)).toBe(idleFile({ iteration: "2", max: "1" }));
    await world.stop("exit2");
    expect((await world.stop("exit2")).exitCode).toBe(0);

    world.sandbox.write({ [IDLE_FILE]: idleFile({ mode: "issue", max: "8" }) });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 8));
    expect(world.loops()).toHaveLength(2);
  });

  test("another session is never held by it", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 3));
    expect(await world.stop("exit2", { session_id: B })).toEqual(LET_GO);
    world.sandbox.write({ [IDLE_FILE]: idleFile({ iteration: "2" }) });
    expect(await world.stop("exit2", { session_id: B })).toEqual(LET_GO);
  });

  test("a file of old is stale", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    const old = (Date.now() - 3 * HOUR) / 1000;
    utimesSync(join(world.sandbox.root, IDLE_FILE), old, old);
    const { exitCode, stderr } = await world.stop("exit2");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("stale");
  });
});

describe("the jwz topic loop:current, through the hook under reply exit2", () => {
  beforeEach(() => world.installJwz());

  test("counts in the topic, keeps what is not ours, and ends at its limit", async () => {
    world.post({ id: "r", mode: "loop", iter: 8, max: 10, prompt_file: "/tmp/p" });
    expect(await world.stop("exit2")).toEqual(heldBy2(9, 10));
    expect(world.posted()).toMatchObject({
      schema: 1,
      event: "STATE",
      run_id: "run-1",
      stack: [{ id: "r", mode: "loop", iter: 9, max: 10, prompt_file: "/tmp/p" }],
    });
    expect(await world.stop("exit2")).toEqual(heldBy2(10, 10));
    expect((await world.stop("exit2")).exitCode).toBe(0);
    expect(world.posted()).toMatchObject({ event: "DONE", reason: "MAX_ITERATIONS", stack: [] });
    expect(await world.stop("exit2")).toEqual(LET_GO);
  });

  test.each([
    ["<loop-done>COMPLETE</loop-done>", "COMPLETE"],
    ["<loop-done>STUCK</loop-done>", "STUCK"],
    ["<loop-done>MAX_ITERATIONS</loop-done>", "MAX_ITERATIONS"],
  ])("%s posts DONE", async (text, reason) => {
    world.post({ mode: "loop", iter: 1, max: 10 });
    expect((await world.stop("exit2", { last_assistant_message: text })).exitCode).toBe(0);
    expect(world.posted()).toMatchObject({ event: "DONE", reason, stack: [] });
  });

  test("an inner frame's end lets go, and the outer one goes on at the next stop", async () => {
    const grind = { id: "g", mode: "grind", iter: 3, max: 100 };
    world.post(grind, { id: "i1", mode: "issue", iter: 1, max: 10, issue_id: "auth-1" });
    expect(await world.stop("exit2")).toEqual(heldBy2(2, 10));
    const done = { last_assistant_message: "<issue-complete>DONE</issue-complete>" };
    expect(await world.stop("exit2", done)).toEqual(LET_GO);
    expect(world.posted()).toMatchObject({ event: "STATE", stack: [grind] });
    expect(await world.stop("exit2")).toEqual(heldBy2(4, 100));
    expect(world.posted()).toMatchObject({ stack: [{ ...grind, iter: 4 }] });

    // The agent takes up the next issue, and then another one in its place.
    world.post({ ...grind, iter: 4 }, { id: "i2", mode: "issue", iter: 0, max: 10 });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 10));
    world.post({ ...grind, iter: 4 }, { id: "i3", mode: "issue", iter: 0, max: 10 });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 10));
    // It ends one by itself.
    world.post({ ...grind, iter: 4 });
    expect(await world.stop("exit2")).toEqual(heldBy2(5, 100));
    const over = { last_assistant_message: "<grind-done>NO_MORE_ISSUES</grind-done>" };
    expect(await world.stop("exit2", over)).toEqual(LET_GO);
    expect(world.posted()).toMatchObject({ event: "DONE", reason: "COMPLETE", stack: [] });
    expect(world.only().phase).toBe("completed");
  });

  test.each(["DONE", "ABORT"])("%s in the topic lets go, and cancels", async (event) => {
    world.postEvent({ event, stack: [] });
    expect(await world.stop("exit2")).toEqual(LET_GO);
    world.post({ mode: "loop", iter: 0, max: 10 });
    await world.stop("exit2");
    world.postEvent({ event, reason: "USER_CANCELLED", stack: [] });
    expect(await world.stop("exit2")).toEqual(LET_GO);
    expect(world.only().phase).toBe("cancelled");
    expect(world.posted()).toMatchObject({ event, reason: "USER_CANCELLED" });
  });

  test("a topic that is gone cancels, and is not posted to again", async () => {
    world.post({ mode: "loop", iter: 0, max: 10 });
    await world.stop("exit2");
    rmSync(world.topic);
    expect(await world.stop("exit2")).toEqual(LET_GO);
    expect(world.only().phase).toBe("cancelled");
    expect(existsSync(world.topic)).toBe(false);
  });

  test.each([["yesterday"], [undefined]])(
    "a time that reads %s lets go, and nothing is posted",
    async (updated_at) => {
      world.postEvent({ event: "STATE", stack: [{ mode: "loop", iter: 1, max: 10 }], updated_at });
      const before = readFileSync(world.topic, "utf8");
      const { exitCode, stderr } = await world.stop("exit2");
      expect(exitCode).toBe(0);
      expect(stderr).toContain("the time in loop:current can't be read");
      expect(readFileSync(world.topic, "utf8")).toBe(before);
    },
  );

  test("a limit of 0 lets go at once, and says how many iterations are usual", async () => {
    world.post({ mode: "loop", iter: 0, max: 0 });
    const { exitCode, stderr } = await world.stop("exit2");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("--iterations=10");
  });

  test("corrupted counters let go, and nothing is posted", async () => {
    world.post({ mode: "loop", iter: "many", max: 10 });
    const before = readFileSync(world.topic, "utf8");
    const { exitCode, stderr } = await world.stop("exit2");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("not a number");
    expect(readFileSync(world.topic, "utf8")).toBe(before);
  });

  test("stale state lets go", async () => {
    world.postEvent({ stack: [{ mode: "loop", iter: 0, max: 10 }], updated_at: "2024-12-21T10:30:00Z" });
    const { exitCode, stderr } = await world.stop("exit2");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("stale");
  });

  test("a new loop may follow one that reached its limit, or one that was replaced", async () => {
    world.post({ id: "r1", mode: "loop", iter: 10, max: 10 });
    expect((await world.stop("exit2")).exitCode).toBe(0);
    world.post({ id: "r2", mode: "loop", iter: 0, max: 10 });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 10));
    world.post({ id: "r3", mode: "loop", iter: 0, max: 7 });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 7));
    expect(
      world
        .loops()
        .map((loop) => loop.phase)
        .toSorted(),
    ).toEqual(["active", "cancelled", "cancelled"]);
  });

  test("goes on after a pause of ours, with its frames posted again", async () => {
    world.post({ id: "r", mode: "loop", iter: 1, max: 1, note: "kept" });
    expect((await world.stop("exit2")).exitCode).toBe(0);
    const more = {
      usd: null,
      iterations: 2,
      tokens: null,
      minutes: null,
      binding: null,
      say: null,
      leaveOut: false,
    };
    await continueLoop(world.machine, await chooseLoop(world.machine, undefined), more);
    expect(await world.stop("exit2")).toEqual(heldBy2(2, 3));
    expect(world.posted()).toMatchObject({ event: "STATE", stack: [{ id: "r", iter: 2, note: "kept" }] });
  });

  test("another session is never held by it", async () => {
    world.post({ id: "r", mode: "loop", iter: 0, max: 10 });
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 10));
    expect(await world.stop("exit2", { session_id: B })).toEqual(LET_GO);
    world.post({ id: "r", mode: "loop", iter: 1, max: 10 }, { id: "i", mode: "issue", iter: 0, max: 5 });
    expect(await world.stop("exit2", { session_id: B })).toEqual(LET_GO);
    expect(await world.stop("exit2")).toEqual(heldBy2(1, 5));
  });

  test("pauses before a host would override it, when nothing happens at all", async () => {
    world.post({ id: "r", mode: "loop", iter: 0, max: 100 });
    let held = 0;
    while ((await world.stop("exit2", { stop_hook_active: true })).exitCode === 2) held += 1;
    expect(held).toBeLessThan(8);
    expect(world.posted()).toMatchObject({ event: "DONE", reason: "STUCK" });
  });
});

describe("the host's task list, through the hook under reply ok", () => {
  const LIST = "my loop";
  const task = (id: string, subject: string, status: string): void => {
    const folder = join(world.sandbox.home, ".claude", "tasks", "my-loop");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${id}.json`),
      JSON.stringify({ id, subject, status, blocks: [], blockedBy: [] }),
    );
  };

  test("says nothing without an id, and under another reply", async () => {
    task("1", "Add the import", "pending");
    expect(await world.ok()).toEqual({ ok: true });
    world.env["CLAUDE_CODE_TASK_LIST_ID"] = LIST;
    expect(await world.stop("exit2")).toEqual(LET_GO);
  });

  test("holds while tasks are pending, and lets go when none is", async () => {
    world.env["CLAUDE_CODE_TASK_LIST_ID"] = LIST;
    task("1", "Add the import", "completed");
    task("2", "Write the schema", "in_progress");
    task("10", "Add tests", "pending");
    expect(await world.ok()).toEqual({ ok: false, reason: "pending tasks: Write the schema, Add tests" });
    task("2", "Write the schema", "completed");
    expect(await world.ok({ stop_hook_active: true })).toEqual({
      ok: false,
      reason: "pending tasks: Add tests",
    });
    rmSync(join(world.sandbox.home, ".claude", "tasks", "my-loop", "10.json"));
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only().phase).toBe("completed");
  });

  test("lets go when all tasks were deleted, of which none was done", async () => {
    world.env["CLAUDE_CODE_TASK_LIST_ID"] = LIST;
    task("1", "Add the import", "pending");
    expect(await world.ok()).toEqual({ ok: false, reason: "pending tasks: Add the import" });
    rmSync(join(world.sandbox.home, ".claude", "tasks", "my-loop", "1.json"));
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.only()).toMatchObject({ phase: "completed", confidence: "unverified" });
  });

  test("a list without pending tasks opens nothing", async () => {
    world.env["CLAUDE_CODE_TASK_LIST_ID"] = LIST;
    task("1", "Add the import", "completed");
    expect(await world.ok()).toEqual({ ok: true });
    expect(world.loops()).toEqual([]);
  });

  test("a cancelled loop is not opened again for the same tasks", async () => {
    world.env["CLAUDE_CODE_TASK_LIST_ID"] = LIST;
    task("1", "Add the import", "pending");
    expect(await world.ok()).toMatchObject({ ok: false });
    await cancelLoop(world.machine, await chooseLoop(world.machine, undefined));
    expect(await world.ok()).toEqual({ ok: true });
    task("2", "Something new", "pending");
    expect(await world.ok()).toMatchObject({ ok: false });
  });
});

describe("a loop of ours by the rule tasks", () => {
  test("mirrors the list of its session, and keeps tasks that are not in it", async () => {
    const started = world.sandbox.loop("start", "Do it", "--exit-rule", "tasks", "--session", A);
    expect(started.code).toBe(0);
    const folder = join(world.sandbox.home, ".claude", "tasks", A);
    mkdirSync(folder, { recursive: true });
    const task = { id: "1", subject: "Add tests", status: "pending", blockedBy: [] };
    writeFileSync(join(folder, "1.json"), JSON.stringify(task));
    const { live } = await chooseLoop(world.machine, undefined);
    const planned = {
      ...task,
      id: "T-007",
      subject: "Ours alone",
      status: "pending",
      wave: null,
      attempts: 2,
    } as const;
    await live.record(() => [{ type: "task.recorded", task: planned }]);
    expect((await world.stop("decision")).stdout).toContain("pending tasks: Ours alone, Add tests");
    await live.record(() => [{ type: "task.recorded", task: { ...planned, status: "completed" } }]);
    writeFileSync(join(folder, "1.json"), JSON.stringify({ ...task, status: "completed" }));
    const told = "[LOOP] ✓ done (unverified: no criterion says when it is done)";
    const stopped = await world.stop("decision");
    expect(stopped).toMatchObject({ exitCode: 0, stderr: "" });
    expect((JSON.parse(stopped.stdout) as { systemMessage: string }).systemMessage).toContain(told);
    expect(world.only().phase).toBe("completed");
  });
});

describe("the built hook", () => {
  async function hook(reply: ReplyForm, payload: object = {}): Promise<HookAnswer> {
    const child = spawn(process.execPath, [resolve("dist/hook.js"), "stop", "--reply", reply], {
      cwd: world.sandbox.root,
      env: world.env,
    });
    child.stdin.end(
      JSON.stringify({ hook_event_name: "Stop", session_id: A, cwd: world.sandbox.root, ...payload }),
    );
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const exitCode = await new Promise<number>((done) => child.on("close", (code) => done(code ?? -1)));
    return { stdout, stderr, exitCode };
  }

  test("answers each store in its own hook's words", async () => {
    world.state(STATE);
    const unmet = { ok: false, reason: "unmet criteria: tests pass" };
    expect(await hook("ok")).toEqual({ ...LET_GO, stdout: JSON.stringify(unmet) });
    world.state(ALL_TRUE);
    expect(await hook("ok")).toEqual({ ...LET_GO, stdout: JSON.stringify({ ok: true }) });
    world.installJwz();
    world.post({ mode: "loop", iter: 0, max: 5 });
    expect(await hook("exit2")).toEqual(heldBy2(1, 5));
  });

  test("finds a store under reply decision, for a session whose start it was told", async () => {
    recordStart(world.machine.home, A, { startedAt: Date.now() - MINUTE, transcriptPath: null });
    world.sandbox.write({ [IDLE_FILE]: idleFile() });
    const reason = continuation(1, 3);
    expect(await hook("decision")).toEqual({
      ...LET_GO,
      stdout: JSON.stringify({ decision: "block", reason }),
    });
  });

  test("runs no program of the project", async () => {
    world.sandbox.write({ jwz: "#!/bin/sh\ntouch ran\n" });
    world.env["PATH"] = `.:${world.env["PATH"] ?? ""}`;
    expect(await hook("exit2")).toEqual(LET_GO);
    expect(existsSync(join(world.sandbox.root, "ran"))).toBe(false);
  });

  variant("loses no iteration when a store is found by several stops at once", async () => {
    world.sandbox.write({ [IDLE_FILE]: idleFile({ max: "50" }) });
    const answers = await Promise.all(Array.from({ length: 6 }, async () => hook("exit2")));
    expect(answers.map((answer) => answer.stderr).toSorted()).toEqual(
      [1, 2, 3, 4, 5, 6].map((iteration) => continuation(iteration, 50)),
    );
    expect(topFrame(world.only()).iteration).toBe(6);
  });
});
