import { expect, test } from "vitest";
import type { AgentEnding } from "../driver.ts";
import { endFrom, troubleOf, type Signs } from "./trouble.ts";

const AT = Date.UTC(2026, 10, 16, 12);
const NO_SIGNS: Signs = { began: true, error: null, resetsAt: null };
const GONE: AgentEnding = { type: "exited", code: 1, stderr: "" };

function ended(fields: object, signs: Partial<Signs> = {}) {
  const end = endFrom({ type: "result", subtype: "success", is_error: true, ...fields });
  return troubleOf(end, { ...NO_SIGNS, ...signs }, GONE, AT);
}

function exited(code: number, stderr: string, began = false) {
  return troubleOf(null, { ...NO_SIGNS, began }, { type: "exited", code, stderr }, AT);
}

test.each<readonly [string, object, Partial<Signs>, string]>([
  ["API Error: Request rejected (429) · x", { api_error_status: 429 }, {}, "usage-limit"],
  ["You've hit your weekly limit", {}, { error: "rate_limit" }, "usage-limit"],
  ["Claude Opus 4.8 is currently unavailable.", {}, { error: "rate_limit" }, "transient"],
  [
    "API Error: Request rejected (429) · this may be a temporary capacity issue.",
    { api_error_status: 429 },
    {},
    "transient",
  ],
  ["API Error: 500 Internal server error.", { api_error_status: 500 }, {}, "transient"],
  ["Request timed out", {}, { error: "server_error" }, "transient"],
  ["API Error: The socket connection was closed unexpectedly", {}, {}, "transient"],
  ["Failed to authenticate. API Error: 403 x", { api_error_status: 403 }, {}, "blocking"],
  ["Your account is on hold", {}, { error: "account_on_hold" }, "blocking"],
  ["API Error: 400 due to tool use concurrency issues.", { api_error_status: 400 }, {}, "lost-conversation"],
  ["Context limit reached", { terminal_reason: "blocking_limit" }, {}, "lost-conversation"],
  ["[Request interrupted by user]", { terminal_reason: "aborted_streaming" }, {}, "interrupted"],
  ["API Error: 400 messages.0: wrong", { api_error_status: 400 }, { error: "unknown" }, "unknown"],
])("the trouble of a turn is known by its last words: %s", (result, fields, signs, kind) => {
  expect(ended({ result, ...fields }, signs)).toMatchObject({ kind, detail: result });
});

test("the time that the client told in figures goes before the one in its words", () => {
  const result = "You've hit your limit · resets 5pm (UTC)";
  const limit = { result, api_error_status: 429 };
  expect(ended(limit, { resetsAt: AT + 7 })).toMatchObject({ kind: "usage-limit", resetsAt: AT + 7 });
  expect(ended(limit)).toMatchObject({ resetsAt: Date.UTC(2026, 10, 16, 17, 1) });
});

test("errors of the client stand in a list of their own", () => {
  const fields = { subtype: "error_during_execution", errors: ["one\nthing", 7, "another"] };
  expect(ended(fields)).toEqual({ kind: "unknown", detail: "one thing; another" });
  expect(ended({ subtype: "error_during_execution" })).toEqual({
    kind: "unknown",
    detail: "Claude Code failed (error_during_execution)",
  });
});

test("what a result tells counts more than how the process ended", () => {
  const end = endFrom({ subtype: "success", is_error: false, result: "Done." });
  expect(troubleOf(end, NO_SIGNS, { type: "cut-off", why: "it was stopped" }, AT)).toBeNull();
});

test.each([
  ["Error: Session ID 0b8e6f0c is already in use.", "lost-conversation"],
  ["Error: Claude Code cannot be launched inside another Claude Code session.", "blocking"],
  ["--dangerously-skip-permissions cannot be used with root/sudo privileges", "blocking"],
  ["error: unknown option '--nope'\n(Did you mean --name?)", "blocking"],
  ["error: option '--permission-mode <mode>' argument 'nope' is invalid.", "blocking"],
  ["error: --max-budget-usd must be a positive number greater than 0\n      at <anonymous>", "blocking"],
  ["Segmentation fault", "unknown"],
])("without a result, what was complained about: %s", (stderr, kind) => {
  const trouble = exited(1, `${stderr}\n`);
  expect(trouble?.kind).toBe(kind);
  expect(trouble?.detail).toContain(`(exit code 1): ${stderr.split("\n")[0]}`);
});

test("an end without a result is an interruption where a signal could have been its cause", () => {
  expect(exited(143, "", true)?.kind).toBe("interrupted");
  expect(exited(130, "")?.kind).toBe("interrupted");
  // Ctrl-C ends the client with this code.
  expect(exited(0, "", true)?.kind).toBe("interrupted");
  expect(exited(0, "")).toEqual({ kind: "unknown", detail: "Claude Code failed (exit code 0)" });
  expect(exited(1, "", true)).toEqual({
    kind: "unknown",
    detail: "Claude Code ended before its turn was over (exit code 1)",
  });
  expect(troubleOf(null, NO_SIGNS, { type: "signalled", signal: "SIGKILL", stderr: "" }, AT)).toEqual({
    kind: "interrupted",
    detail: "Claude Code was ended by SIGKILL",
  });
});
