import { describe, expect, test } from "vitest";
import { claudeCode } from "./host.ts";

describe("a payload", () => {
  test.each([
    ["~/.claude on Linux", "s1", "/home/me/.claude/projects/-home-me-app/s1.jsonl", true],
    ["another config folder", "s1", "/opt/claude/projects/-app/s1.jsonl", true],
    ["Windows", "s1", "C:\\Users\\me\\.claude\\projects\\C--app\\s1.jsonl", true],
    ["a file of another session", "s1", "/home/me/.claude/projects/-app/s2.jsonl", false],
    ["a rollout of Codex", "s1", "/home/me/.codex/sessions/2026/11/16/rollout-s1.jsonl", false],
    ["a chat of Gemini CLI", "s1", "/home/me/.gemini/tmp/abc/chats/session-s1.json", false],
    ["a chat of Qwen Code", "s1", "/home/me/.qwen/projects/-app/chats/s1.jsonl", false],
    ["no file at all", "s1", undefined, false],
  ])("is its own by where the transcript lies: %s", (_, session_id, transcript_path, expected) => {
    expect(claudeCode.recognises({ session_id, transcript_path })).toBe(expected);
  });
});

describe("an event", () => {
  const eventOf = (word: string, payload: object = {}): unknown =>
    claudeCode.read(word, { session_id: "s1", ...payload }, {}).event;

  test("comes with where the session is", () => {
    const payload = { session_id: "s1", cwd: "/app", transcript_path: "/t.jsonl" };
    expect(claudeCode.read("session-start", payload, {})).toEqual({
      session: "s1",
      folder: "/app",
      transcriptPath: "/t.jsonl",
      event: { type: "session-started", envFile: null },
    });
  });

  test.each([
    ["a shell that runs", { type: "local_bash", id: "b1" }, { shells: ["b1"], isAwaited: false }],
    ["a subagent that runs", { type: "local_agent", id: "a1" }, { shells: [], isAwaited: true }],
    [
      "a shell that ended",
      { type: "local_bash", id: "b1", status: "completed" },
      { shells: [], isAwaited: false },
    ],
  ])("tells what goes on in the background: %s", (_, task, background) => {
    const background_tasks = [{ status: "running", ...task }];
    expect(eventOf("stop", { background_tasks })).toMatchObject({ type: "stopped", background });
  });

  test.each([
    [{ agent_id: "a1", permission_mode: "plan" }, "subagent"],
    [{ permission_mode: "plan" }, "plan-mode"],
    [{}, "end-of-turn"],
  ])("tells whose stop it is: %j", (payload, kind) => {
    expect(eventOf("stop", payload)).toMatchObject({ kind });
  });

  test.each([
    ["it says that a person is present", { CLAUDE_CODE_SESSION_ATTENDED: "1" }, true],
    ["it says that nobody is", { CLAUDE_CODE_SESSION_ATTENDED: "0", CLAUDE_CODE_ENTRYPOINT: "cli" }, false],
    ["an older one was started in a terminal", { CLAUDE_CODE_ENTRYPOINT: "cli" }, true],
    ["an older one was started by a program", { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, false],
    ["nobody may be asked", { CLAUDE_CODE_ENTRYPOINT: "cli", LOOP_HEADLESS: "true" }, false],
    ["it says nothing", {}, false],
  ])("tells whether somebody is there: %s", (_, env, personPresent) => {
    expect(claudeCode.read("stop", { session_id: "s1" }, env).event).toMatchObject({ personPresent });
  });

  test("grants nothing for an expansion that is no command of ours", () => {
    const ours = { expansion_type: "slash_command", command_name: "loop:pause", prompt_id: "p1" };
    expect(eventOf("user-prompt-expansion", ours)).toEqual({
      type: "typed",
      typed: { command: "pause", args: "" },
      promptId: "p1",
    });
    expect(eventOf("user-prompt-expansion", { ...ours, command_name: "review" })).toEqual({ type: "other" });
    expect(eventOf("user-prompt-submit", { prompt: "go" })).toEqual({
      type: "prompted",
      text: "go",
      typed: null,
      declines: false,
      promptId: null,
    });
    expect(eventOf("user-prompt-submit", { prompt: " N\n" })).toMatchObject({ declines: true });
  });
});
