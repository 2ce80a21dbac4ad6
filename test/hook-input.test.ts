import { spawn } from "node:child_process";
import { resolve } from "node:path";
import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { answerHook } from "../src/engine/stop/answer-hook.ts";
import { called } from "./support/called.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { REPLY_FORMS } from "../src/agents/hosts/reply.ts";
import { effort } from "./support/effort.ts";
import { Sandbox, heldReason } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const INPUTS = effort(100, 10_000, 400);
const SPAWNED = effort(6, 200, 16);
const AT_ONCE = effort(12, 64);

const EVENTS = [
  "stop",
  "subagent-stop",
  "stop-failure",
  "session-start",
  "session-end",
  "user-prompt-submit",
  "user-prompt-expansion",
  "pre-tool-use",
  "post-tool-use",
  "post-tool-use-failure",
  "pre-compact",
  "post-compact",
  "event-of-tomorrow",
] as const;

const silence = v.literal("");
const message = v.strictObject({ systemMessage: v.string() });
const block = v.strictObject({ decision: v.literal("block"), reason: v.pipe(v.string(), v.minLength(1)) });
const announcement = v.strictObject({
  systemMessage: v.optional(v.string()),
  hookSpecificOutput: v.strictObject({
    hookEventName: v.literal("SessionStart"),
    additionalContext: v.string(),
  }),
});
const ok = v.union([
  v.strictObject({ ok: v.literal(true) }),
  v.strictObject({ ok: v.literal(false), reason: v.pipe(v.string(), v.minLength(1)) }),
]);

/** What a host accepts from us, by event and form of reply: one JSON object, or nothing. */
function schemaOf(event: string, reply: string): v.GenericSchema {
  if (event === "stop") {
    if (reply === "ok") return ok;
    return v.union([silence, message, block]);
  }
  if (event === "session-start") return v.union([silence, message, announcement]);
  return v.union([silence, message]);
}

function expectValid(event: string, reply: string, stdout: string): void {
  const value: unknown = stdout === "" ? "" : JSON.parse(stdout);
  expect(v.safeParse(schemaOf(event, reply), value).success ? "valid" : `${event} ${reply}: ${stdout}`).toBe(
    "valid",
  );
}

const anything = fc.oneof(
  fc.anything({ withNullPrototype: false, maxDepth: 2 }),
  fc.string({ unit: "binary" }),
  fc.constant("x".repeat(200_000)),
  fc.constantFrom(
    "../../etc/passwd",
    "",
    "bound",
    "..",
    "\u0000",
    "<loop-complete>",
    "---LOOP_STATUS---\nCRITERIA: {",
  ),
);

const payload = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          session_id: fc.oneof({ weight: 2, arbitrary: fc.constant("bound") }, anything),
          cwd: anything,
          transcript_path: anything,
          last_assistant_message: anything,
          stop_hook_active: anything,
          background_tasks: fc.oneof(
            anything,
            fc.array(fc.oneof(anything, fc.record({ id: anything, type: anything, status: anything })), {
              maxLength: 3,
            }),
          ),
          session_crons: anything,
          agent_id: fc.option(anything, { nil: undefined }),
          permission_mode: anything,
          error: anything,
          prompt: anything,
          source: anything,
          command_name: anything,
          tool_name: fc.oneof(anything, fc.constantFrom("Edit", "Bash")),
          tool_input: fc.oneof(anything, fc.record({ file_path: anything })),
        },
        { requiredKeys: [] },
      )
      .map((value) => toJson(value)),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.json().map((text) => text.slice(0, text.length / 2)) },
);

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each)) ?? "";
}

describe("whatever a host sends", () => {
  test(
    `${INPUTS} generated inputs get a valid reply, and nobody is held without an active loop`,
    { timeout: 240_000 },
    async () => {
      const sandbox = new Sandbox({ a: "1" });
      sandbox.commitAll();
      sandbox.start("bound", "Fix it", "-c", "never=false", "--iterations", "1", "--shape", "tool");
      sandbox.loop("pause");
      const machine = createMachine(sandbox.env, sandbox.root);
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          payload,
          fc.constantFrom(...EVENTS),
          fc.constantFrom(...REPLY_FORMS),
          async (input, event, reply) => {
            const answer = await answerHook(machine, called({ event, reply }, input));
            expectValid(event, reply, answer.stdout);
            expect(answer.stdout).not.toContain('"block"');
            expect(answer.exitCode).toBe(0);
            count += 1;
          },
        ),
        { numRuns: INPUTS },
      );
      expect(count).toBe(INPUTS);
      expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "user" });
    },
  );

  test(
    `${SPAWNED} spawned hooks exit by themselves with a valid reply and nothing else on standard output`,
    { timeout: 240_000 },
    async () => {
      const sandbox = new Sandbox({ a: "1" });
      sandbox.commitAll();
      sandbox.start("bound", "Fix it", "-c", "never=false", "--shape", "tool", "--iterations", "none");
      const samples = fc.sample(
        fc.tuple(payload, fc.constantFrom(...EVENTS), fc.constantFrom("decision", "ok")),
        SPAWNED,
      );
      samples[0] = [JSON.stringify({ session_id: "bound", stop_hook_active: true }), "stop", "decision"];
      let held = 0;
      for (let start = 0; start < samples.length; start += 4) {
        await Promise.all(
          samples.slice(start, start + 4).map(async ([input, event, reply], index) => {
            const bytes =
              index === 1
                ? Buffer.concat([Buffer.from(input), Buffer.from([0xff, 0xfe, 0xc3])])
                : Buffer.from(input);
            const { code, out } = await hook(sandbox, event, reply, bytes);
            expect(code).toBe(0);
            expectValid(event, reply, out);
            if (out.includes('"block"')) held += 1;
          }),
        );
      }
      expect(held).toBeGreaterThan(0);
      expect(sandbox.only().iteration).toBeGreaterThan(0);
    },
  );
});

variant(`${AT_ONCE} stop hooks at once lose no iteration, and every reply is valid`, async () => {
  const sandbox = new Sandbox({ a: "1" });
  sandbox.commitAll();
  sandbox.start(
    "bound",
    "Fix it",
    "-c",
    "never=false",
    "--shape",
    "tool",
    "--iterations",
    "none",
    "--no-progress-limit",
    "0",
    "--stuck-limit",
    "0",
  );
  // Otherwise the loop pauses before the client ends the turn by itself, after eight holds.
  sandbox.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = "0";
  const replies = await sandbox.stopAtOnce("bound", AT_ONCE);
  for (const reply of replies) expectValid("stop", "decision", reply);
  expect(replies.filter((reply) => reply.includes('"block"'))).toHaveLength(AT_ONCE);
  expect(sandbox.only().iteration).toBe(AT_ONCE);
});

describe("the forms of reply", () => {
  test("ok answers with one line and nothing else", () => {
    const sandbox = new Sandbox({ a: "1" });
    sandbox.commitAll();
    sandbox.start("s1", "Fix it", "-c", 'say "hi"=false', "-c", "other", "--shape", "tool");
    expect(sandbox.stopWith(["--reply", "ok"], "s1")).toEqual({
      code: 0,
      out: JSON.stringify({ ok: false, reason: 'unmet criteria: say "hi", other' }),
      err: "",
    });
    expect(sandbox.stopWith(["--reply", "ok"], "nobody")).toEqual({ code: 0, out: '{"ok":true}', err: "" });
  });

  test("exit2 holds with code 2, the decision on standard output and the reason on standard error", () => {
    const sandbox = new Sandbox({ a: "1" });
    sandbox.commitAll();
    sandbox.start("s1", "Fix it", "-c", "never=false", "--shape", "tool");
    const ran = sandbox.stopWith(["--reply=exit2"], "s1");
    expect(ran.code).toBe(2);
    expect(ran.err).toBe(heldReason(ran));
    expect(sandbox.stopWith(["--reply=exit2"], "nobody")).toEqual({ code: 0, out: "", err: "" });
  });
});

async function hook(
  sandbox: Sandbox,
  event: string,
  reply: string,
  input: Buffer,
): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [resolve("dist/hook.js"), event, "--reply", reply], {
    cwd: sandbox.root,
    env: sandbox.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined).end(input);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, out };
}
