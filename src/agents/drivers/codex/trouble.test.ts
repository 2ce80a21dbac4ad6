import { expect, test } from "vitest";
import type { AgentEnding } from "../driver.ts";
import { denialsIn, troubleOf, type TurnEnd } from "./trouble.ts";

const AT = 1_794_802_000_000;
const NONE: TurnEnd = { type: "none" };
const WARNING =
  'WARNING: proceeding, even though we could not create PATH aliases: CODEX_HOME points to "/home/x"\n';

const exited = (code: number, stderr = ""): AgentEnding => ({ type: "exited", code, stderr });
const failed = (message: string): TurnEnd => ({ type: "failed", message });

test.each([
  ["You’ve hit your usage limit. Try again later.", "usage-limit"],
  ["exceeded retry limit, last status: 429 Too Many Requests", "usage-limit"],
  ["unexpected status 403 Forbidden: Country not supported, url: http://127.0.0.1/v1/responses", "blocking"],
  ["Your workspace is out of credits. Add credits to continue.", "blocking"],
  ["To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.", "blocking"],
  ["Missing environment variable: `OPENAI_API_KEY`.", "blocking"],
  ["Your access token could not be refreshed. Please log out and sign in again.", "blocking"],
  ["Connection failed: error sending request", "transient"],
  ["request timed out", "transient"],
  [
    "unexpected status 529 <unknown status code>: Overloaded, url: http://127.0.0.1/v1/responses",
    "transient",
  ],
  ["unexpected status 502 Bad Gateway: Unknown error, url: http://127.0.0.1/v1/responses", "transient"],
  ["turn aborted. Something went wrong? Hit `/feedback` to report the issue.", "interrupted"],
  ["Invalid image in your last message.", "unknown"],
])("the trouble of a turn is known by its message: %s", (message, kind) => {
  expect(troubleOf(failed(message), exited(1), AT)).toMatchObject({ kind });
});

test.each([
  [
    '{"error":{"message":"Unsupported value: xyz","type":"invalid_request_error"}}',
    { kind: "unknown", detail: "Unsupported value: xyz" },
  ],
  [
    '{"detail":"The \'x\' model is not supported when using Codex with a ChatGPT account."}',
    {
      kind: "blocking",
      detail: "The 'x' model is not supported when using Codex with a ChatGPT account.",
    },
  ],
])("an answer of the service in JSON is told in its own words: %s", (message, trouble) => {
  expect(troubleOf(failed(message), exited(1), AT)).toEqual(trouble);
});

test.each<readonly [code: number, stderr: string, kind: string, detail: string]>([
  [
    1,
    `${WARNING}Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1e28b (code -32600)\n`,
    "lost-conversation",
    "Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1e28b (code -32600)",
  ],
  [
    2,
    "error: unexpected argument '--bogus' found\n\n  tip: to pass '--bogus' as a value, use '-- --bogus'\n\nFor more information, try '--help'.\n",
    "blocking",
    "Codex failed (exit code 2): error: unexpected argument '--bogus' found tip: to pass '--bogus' as a value, use '-- --bogus' For more information, try '--help'.",
  ],
  [
    1,
    "Error loading config.toml: unknown variant `bogus`, expected one of `read-only`, `workspace-write`\nin `sandbox_mode`\n\n",
    "blocking",
    "Codex failed (exit code 1): Error loading config.toml: unknown variant `bogus`, expected one of `read-only`, `workspace-write` in `sandbox_mode`",
  ],
  [
    1,
    "Not inside a trusted directory and --skip-git-repo-check was not specified.\n",
    "blocking",
    "Codex failed (exit code 1): Not inside a trusted directory and --skip-git-repo-check was not specified.",
  ],
  [
    101,
    `${WARNING}\nthread 'main' panicked at core/src/lib.rs:1:1:\nsomething broke\n`,
    "unknown",
    "Codex failed (exit code 101): something broke",
  ],
  [
    1,
    `${WARNING}2026-11-16T04:29:42.725240Z ERROR codex_core::session: failed to record rollout items: thread 01a1e29e not found\n`,
    "unknown",
    "Codex ended in the middle of its turn (exit code 1)",
  ],
  [0, "", "unknown", "Codex ended in the middle of its turn (exit code 0)"],
])("an end with code %i and %j", (code, stderr, kind, detail) => {
  expect(troubleOf(NONE, exited(code, stderr), AT)).toEqual({ kind, detail });
});

test.each<readonly [ending: AgentEnding, kind: string, detail: string]>([
  [
    { type: "not-started", message: "spawn codex ENOENT" },
    "blocking",
    "Codex cannot be started: spawn codex ENOENT",
  ],
  [{ type: "cut-off", why: "it was silent for 10 minutes" }, "interrupted", "it was silent for 10 minutes"],
  [{ type: "signalled", signal: "SIGTERM", stderr: WARNING }, "interrupted", "Codex was ended by SIGTERM"],
])("the trouble of a turn without a message is known by how it ended: %o", (ending, kind, detail) => {
  expect(troubleOf(NONE, ending, AT)).toEqual({ kind, detail });
});

test("a turn that was completed is no trouble, however its process ended", () => {
  const ending: AgentEnding = { type: "signalled", signal: "SIGKILL", stderr: "" };
  expect(troubleOf({ type: "completed" }, ending, AT)).toBeNull();
});

test.each([
  [
    "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings",
    { tool: "apply_patch", rule: "--permission-mode workspace-write" },
  ],
  [
    "patch rejected: writing outside of the project; rejected by user approval settings",
    { tool: "apply_patch", rule: "--permission-mode danger-full-access" },
  ],
  [
    "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
    { tool: "shell", rule: "--permission-mode danger-full-access" },
  ],
])("the trouble of a turn is read from the log: %s", (words, denial) => {
  const line = `2026-11-16T04:15:04.887209Z ERROR codex_core::tools::router: error=${words}\n`;
  expect(denialsIn(exited(0, line + line))).toEqual([denial]);
  expect(denialsIn({ type: "cut-off", why: words })).toEqual([]);
});

test("what the log quotes of a patch is nobody's refusal", () => {
  const log =
    "2026-11-16T04:15:04.912244Z ERROR codex_core::tools::router: error=apply_patch verification failed: no match for\npatch rejected: writing outside of the project\n";
  expect(denialsIn(exited(0, log))).toEqual([]);
});

test("a patch that does not fit is nobody's refusal", () => {
  const line =
    "2026-11-16T04:15:04.912244Z ERROR codex_core::tools::router: error=apply_patch verification failed: Failed to read file to update /project/nope.txt\n";
  expect(denialsIn(exited(0, line))).toEqual([]);
});
