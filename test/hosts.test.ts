import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerHook } from "../src/engine/stop/answer-hook.ts";
import { called } from "./support/called.ts";
import { expectPerson } from "../src/engine/lifecycle/expect-person.ts";
import type { SessionId } from "../src/core/loop/id.ts";
import { readWords } from "../src/agents/hosts/hook-call.ts";
import { callerOf } from "../src/agents/hosts/caller.ts";
import type { HookInput } from "../src/agents/hosts/host-event.ts";
import type { Host } from "../src/agents/hosts/host.ts";
import {
  AGENTS_WITHOUT_HOOKS,
  DEFAULT_HOST,
  HOSTS,
  findHost,
  recogniseHost,
} from "../src/agents/hosts/hosts.ts";
import { applyChange } from "../src/agents/hosts/install/settings-file.ts";
import type { Planned } from "../src/agents/hosts/install/installer.ts";
import { INSTALLERS } from "../src/agents/hosts/installers.ts";
import type { Payload } from "../src/agents/hosts/payload.ts";
import type { Reply, ReplyForm } from "../src/agents/hosts/reply.ts";
import { REPLY_FORMS, SILENCE, renderReply } from "../src/agents/hosts/reply.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { findStart } from "../src/storage/home/session-files.ts";
import { effort } from "./support/effort.ts";

/** What every host has to keep to. A new one is in here as soon as it is in its registry. */

const WORDS = [
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
];

/** What hosts call the parts of a payload. */
const FIELDS = [
  "session_id",
  "sessionId",
  "conversation_id",
  "hook_event_name",
  "cwd",
  "transcript_path",
  "last_assistant_message",
  "prompt_response",
  "stop_hook_active",
  "background_tasks",
  "session_crons",
  "agent_id",
  "permission_mode",
  "error",
  "error_details",
  "prompt",
  "prompt_id",
  "source",
  "command_name",
  "command_args",
  "expansion_type",
  "tool_name",
  "tool_input",
  "tool_response",
  "timestamp",
  "turn_id",
  "submitted_prompt",
  "client_type",
  "CLAUDE_ENV_FILE",
];

const anything = fc.oneof(
  fc.anything({ maxDepth: 2, withNullPrototype: true }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "s1", "..", "\u0000", "x".repeat(50_000), "/loop:continue", "Stop", "AfterAgent"),
  fc.array(fc.record({ id: fc.anything(), type: fc.anything(), status: fc.constant("running") })),
);

const payloads: fc.Arbitrary<Payload> = fc.oneof(
  fc.dictionary(fc.constantFrom(...FIELDS), anything),
  fc.array(anything).map((list) => list as unknown as Payload),
);

const words = fc.oneof(fc.constantFrom(...WORDS), fc.string());

const text = v.nullable(v.string());
const typed = v.strictObject({ command: v.string(), args: v.string() });
const event = v.variant("type", [
  v.strictObject({
    type: v.literal("stopped"),
    kind: v.picklist(["end-of-turn", "subagent", "plan-mode"]),
    message: text,
    background: v.strictObject({ shells: v.array(v.string()), isAwaited: v.boolean() }),
    continuesHold: v.boolean(),
    personPresent: v.boolean(),
    holdCap: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    promptCap: v.nullable(
      v.strictObject({ most: v.pipe(v.number(), v.integer(), v.minValue(1)), raise: text }),
    ),
  }),
  v.strictObject({ type: v.literal("session-started"), envFile: text }),
  v.strictObject({ type: v.literal("session-ended") }),
  v.strictObject({ type: v.literal("settings-changed"), file: text }),
  v.strictObject({
    type: v.literal("prompted"),
    text,
    typed: v.nullable(typed),
    declines: v.boolean(),
    promptId: text,
  }),
  v.strictObject({ type: v.literal("typed"), typed, promptId: text }),
  v.strictObject({
    type: v.literal("shell-asked"),
    line: v.string(),
    personPresent: v.boolean(),
    isSubagent: v.boolean(),
  }),
  v.strictObject({ type: v.literal("user-to-be-asked"), line: v.string() }),
  v.strictObject({
    type: v.literal("tool-used"),
    use: v.variant("type", [
      v.strictObject({ type: v.literal("used"), tool: v.string() }),
      v.strictObject({ type: v.literal("edited"), path: v.string() }),
      v.strictObject({ type: v.literal("failed"), failure: v.string() }),
    ]),
  }),
  v.strictObject({ type: v.literal("compacting") }),
  v.strictObject({
    type: v.literal("troubled"),
    trouble: v.variant("type", [
      v.strictObject({ type: v.literal("usage-limit"), detail: text }),
      v.strictObject({ type: v.literal("needs-person"), detail: v.string() }),
      v.strictObject({ type: v.literal("passing"), what: v.string() }),
    ]),
  }),
  v.strictObject({ type: v.literal("other") }),
]);
const input = v.strictObject({ session: text, folder: text, transcriptPath: text, event });

const REPLIES: readonly Reply[] = [
  { type: "silence" },
  { type: "hold", reason: 'unmet: "a"\nand b', line: "unmet criteria: a, b" },
  { type: "message", text: "[LOOP] Paused.\nResume it." },
  { type: "completion", text: "[LOOP] ✓ done: a (verified)", byMarker: false },
  { type: "permission", decision: "ask", why: "It is yours." },
  { type: "consent" },
  { type: "announcement", toUser: null, text: "A loop is active." },
];

function isOneObject(line: string): boolean {
  return !line.includes("\n") && v.is(v.record(v.string(), v.unknown()), JSON.parse(line));
}

/** What has to be somewhere in an answer; "": the answer is silence. */
function wordsOf(reply: Reply, form: ReplyForm, asksUsers: boolean): string {
  if (form === "ok")
    return reply.type === "hold" ? `{"ok":false,"reason":"${reply.line}"}` : JSON.stringify({ ok: true });
  switch (reply.type) {
    case "silence":
      return "";
    case "hold":
      return JSON.stringify(reply.reason);
    case "message":
      return reply.text.split("\n")[0] ?? "";
    case "permission":
      return form === "decision" && asksUsers ? reply.why : "";
    case "consent":
      return form === "decision" && asksUsers ? "PermissionRequest" : "";
    case "completion":
    case "announcement":
      return form === "decision" ? reply.text : "";
  }
}

function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-hosts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.each(HOSTS.map((host) => ({ id: host.id, host })))("the host $id", ({ host }) => {
  test("reads whatever it is sent, and reads it into our words", () => {
    fc.assert(
      fc.property(words, payloads, (word, payload) => {
        const read: HookInput = host.read(word, payload, {});
        expect(v.safeParse(input, read).issues?.map((issue) => v.getDotPath(issue)) ?? []).toEqual([]);
        expect(typeof host.recognises(payload)).toBe("boolean");
      }),
      { numRuns: effort(500, 3_000, 3_000) },
    );
  });

  test("knows a stop, a start and a tool by our words, and nothing by a word of tomorrow", () => {
    const typeOf = (word: string): string => host.read(word, { session_id: "s1" }, {}).event.type;
    expect(["stop", "session-start", "post-tool-use", "event-of-tomorrow", ""].map(typeOf)).toEqual([
      "stopped",
      "session-started",
      "tool-used",
      "other",
      "other",
    ]);
    expect(host.read("stop", { session_id: "s1" }, {}).session).toBe("s1");
  });

  test("is silent at an event that it does not know", async () => {
    const folder = emptyFolder();
    const machine = createMachine({ XDG_STATE_HOME: folder }, folder);
    for (const reply of REPLY_FORMS) {
      const call = { event: "event-of-tomorrow", reply, host: host.id };
      expect(await answerHook(machine, called(call, '{"session_id":"s1"}'))).toEqual(SILENCE);
    }
  });

  test("is remembered with a session that it starts, since that tells how the transcript is read", async () => {
    const folder = emptyFolder();
    const machine = createMachine({ XDG_STATE_HOME: folder }, folder);
    const call = { event: "session-start", reply: "decision", host: host.id } as const;
    expect(await answerHook(machine, called(call, '{"session_id":"s1"}'))).toEqual(SILENCE);
    expect(findStart(machine.home, "s1" as SessionId)).toMatchObject({ host: host.id });
  });

  test("claims no payload that says nothing about its sender", () => {
    expect(host.recognises({})).toBe(false);
    expect(host.recognises({ session_id: "s1", cwd: "/", transcript_path: null })).toBe(false);
  });

  test.each(REPLY_FORMS)("answers in the form %s with one JSON object or nothing", (form) => {
    // Kimi Code is held by an exit code. The others decide alone what their agent may do.
    const holdsByCode = host.id === "kimi" && form === "decision";
    for (const reply of REPLIES) {
      const { stdout, stderr, exitCode } = renderReply(reply, host, form);
      const words = wordsOf(reply, form, host.id === "claude-code");
      expect(exitCode).toBe((form === "exit2" || holdsByCode) && reply.type === "hold" ? 2 : 0);
      expect(stdout === "" || isOneObject(stdout)).toBe(true);
      expect(stdout + JSON.stringify(stderr) + stderr).toContain(words);
      expect(stdout + stderr === "").toBe(words === "");
    }
  });

  test("is told by the variables in its agent's shells", () => {
    for (const { mark, session } of host.marks) {
      const env = { [mark]: "1", ...(session === undefined ? {} : { [session]: "s1" }) };
      const expected = { kind: "agent", host: host.id, session: session === undefined ? null : "s1" };
      expect(callerOf(env)).toEqual(expected);
      expect(callerOf({ ...env, [mark]: "0" })).toEqual({ kind: "person" });
    }
  });

  test.runIf(host.transcript !== null)(
    "reads nothing out of a transcript that it does not understand",
    () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), fc.string(), (line, answer) => {
          for (const text of [
            line,
            `{"type":"assistant","message":${line}}`,
            `"usage" "assistant" ${line}`,
          ]) {
            expect(host.transcript?.usageIn(text)).toEqual([]);
            expect(host.transcript?.endsWithAnswer(text, answer)).toBe(false);
          }
        }),
      );
    },
  );
});

test("what the user can type is told only to agents in whose session it can be typed", async () => {
  const folder = emptyFolder();
  const refusalTo = async (mark: string): Promise<unknown> =>
    expectPerson(createMachine({ XDG_STATE_HOME: folder, [mark]: "1" }, folder), "continue", null).catch(
      (error: unknown) => String(error),
    );
  expect(await refusalTo("CLAUDECODE")).toContain("typed in this session as /loop:continue");
  expect(await refusalTo("CURSOR_AGENT")).not.toContain("/loop:");
  expect(await refusalTo("CURSOR_AGENT")).toContain("in their own terminal;");
});

describe("the registry", () => {
  test("has each agent once, whether it calls us or not", () => {
    const ids = [...HOSTS, ...AGENTS_WITHOUT_HOOKS].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("believes a payload before the settings, and the settings before a guess", () => {
    expect(recogniseHost({}, "host-of-tomorrow")).toBe(DEFAULT_HOST);
    for (const host of HOSTS) expect(recogniseHost({}, host.id)).toBe(host);
    const other: Host = { ...DEFAULT_HOST, id: "other", recognises: (payload) => "other" in payload };
    const hosts = [...HOSTS, other];
    expect(recogniseHost({ other: 1 }, DEFAULT_HOST.id, hosts)).toBe(other);
    expect(recogniseHost({}, "other", hosts)).toBe(other);
    const payload = { session_id: "s1", transcript_path: "/home/me/.claude/projects/-src/s1.jsonl" };
    expect(recogniseHost(payload, "other", hosts).id).toBe("claude-code");
  });

  test("is asked for the host that the hook is called with", () => {
    expect(readWords(["stop", "--host", "claude-code"])).toEqual({
      event: "stop",
      reply: "decision",
      host: "claude-code",
    });
    expect(readWords(["--host=codex", "SessionStart"])).toMatchObject({
      event: "session-start",
      host: "codex",
    });
    expect(readWords(["stop"]).host).toBeNull();
  });
});

describe.each(INSTALLERS.map((installer) => ({ id: installer.id, installer })))(
  "the installer of $id",
  ({ installer }) => {
    function changesOf(planned: Planned): number {
      if (planned.type === "refused") throw new Error(planned.why);
      for (const change of planned.changes) expect(applyChange(change)).toBeNull();
      return planned.changes.length;
    }

    test("belongs to a host", () => {
      expect(findHost(installer.id)?.id).toBe(installer.id);
    });

    /** A home with a built program, and the file that an installation there writes first. */
    function emptyHome() {
      const folder = emptyFolder();
      const place = { env: { HOME: folder }, cwd: join(folder, "project") };
      const program = { node: process.execPath, hook: join(folder, "dist", "hook.js") };
      for (const each of [place.cwd, join(folder, "dist")]) mkdirSync(each);
      for (const each of ["hook.js", "hook.sh", "bridge.js", "skill.md"])
        cpSync(resolve("dist", each), join(folder, "dist", each));
      const planned = installer.planInstall(place, "user", program);
      const settings = planned.type === "changes" ? planned.changes[0]?.path : undefined;
      return { folder, place, program, settings: settings ?? "/nothing is planned" };
    }

    const NO_TEXT = ["no text", Buffer.from('{"a":"\xff\xfe"}', "latin1")] as const;
    const PROGRAM = "// loop.js of a person's own\nexport default '/x/hook.js';\n";
    // In TOML, a line that we don't know is not ours to judge.
    const FOREIGN =
      installer.id === "kimi" ? [NO_TEXT] : [NO_TEXT, ["somebody else's", Buffer.from(PROGRAM)] as const];

    test.each(FOREIGN)("writes nothing where a file is %s, and removes nothing", (_, bytes) => {
      const { place, program, settings } = emptyHome();
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, bytes);
      const planned = installer.planInstall(place, "user", program);
      expect(planned).toMatchObject({ type: "refused" });
      expect(planned.type === "refused" && planned.why).toContain(`${settings} cannot be edited: `);
      const removal = installer.planUninstall(place, null);
      if (removal.type === "changes") changesOf(removal);
      expect(readFileSync(settings).equals(bytes)).toBe(true);
    });

    test("writes nothing through a link to nothing, and leaves the link", () => {
      const { folder, place, program, settings } = emptyHome();
      mkdirSync(dirname(settings), { recursive: true });
      symlinkSync(join(folder, "nowhere"), settings);
      const planned = installer.planInstall(place, "user", program);
      expect(planned.type === "refused" && planned.why).toContain("it is a link to nothing");
      installer.planUninstall(place, null);
      expect(readlinkSync(settings)).toBe(join(folder, "nowhere"));
    });

    test("takes them out in the user's home, where the project's settings may be their own", () => {
      const { folder, place, program } = emptyHome();
      const atHome = { ...place, cwd: folder };
      changesOf(installer.planInstall(atHome, "user", program));
      expect(changesOf(installer.planUninstall(atHome, null))).toBeGreaterThan(0);
    });

    test("puts hooks in that name their host, has then nothing to do, and takes them out again", () => {
      const { folder, place, program } = emptyHome();
      const planned = installer.planInstall(place, "user", program);
      expect(changesOf(planned)).toBeGreaterThan(0);
      const [first] = planned.type === "changes" ? planned.changes : [];
      const path = first?.path ?? "";
      expect(path.startsWith(folder)).toBe(true);
      for (const word of ["stop", "--host", installer.id])
        expect(readFileSync(path, "utf8")).toMatch(new RegExp(`[" ]${word}[" ]`));
      expect(installer.findCopies(place)).toMatchObject([{ where: path, ...program }]);
      expect(changesOf(installer.planInstall(place, "user", program))).toBe(0);
      expect(changesOf(installer.planUninstall(place, null))).toBeGreaterThan(0);
      expect(existsSync(path) ? readFileSync(path, "utf8") : "").not.toContain("hook.js");
      expect(changesOf(installer.planUninstall(place, null))).toBe(0);
    });
  },
);
