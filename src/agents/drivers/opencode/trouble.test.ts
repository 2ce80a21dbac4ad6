import { expect, test } from "vitest";
import type { AgentEnding } from "../driver.ts";
import { troubleOf, type Outcome } from "./trouble.ts";

const AT = Date.UTC(2026, 10, 16, 5);
const TOLD_AT = AT - 10_000;
const NOTHING: Outcome = { failure: null, ended: false, begun: false, resumed: false };

const exited = (stderr: string, code = 1): AgentEnding => ({ type: "exited", code, stderr });

function limited(headers: object, toldAt: number | null = TOLD_AT): number | null | undefined {
  const error = {
    name: "APIError",
    data: { message: "Slow down", statusCode: 429, responseHeaders: headers },
  };
  const trouble = troubleOf({ ...NOTHING, failure: { error, at: toldAt } }, exited(""), AT);
  return trouble?.kind === "usage-limit" ? trouble.resetsAt : undefined;
}

test.each([
  [{}, null],
  [{ "retry-after": "60" }, TOLD_AT + 60_000],
  [{ "retry-after": "0.5" }, TOLD_AT + 500],
  [{ "retry-after-ms": "1500" }, TOLD_AT + 1_500],
  [{ "retry-after": "2", "retry-after-ms": "1500" }, TOLD_AT + 2_000],
  [{ "retry-after": "Mon, 16 Nov 2026 06:00:00 GMT" }, Date.UTC(2026, 10, 16, 6)],
  [{ "retry-after": "Mon, 16 Nov 2026 04:00:00 GMT" }, null],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "1e300" }, TOLD_AT + 2 ** 31 - 1],
])("a limit with %j is over at %j", (headers, resetsAt) => {
  expect(limited(headers)).toBe(resetsAt);
});

test("without a time of its own, a wait counts from the end", () => {
  expect(limited({ "retry-after": "60" }, null)).toBe(AT + 60_000);
});

test.each([
  ["ProviderAuthError", {}, "blocking"],
  ["MessageAbortedError", {}, "interrupted"],
  ["UnknownError", { message: "Something odd" }, "unknown"],
  ["UnknownError", { message: "socket hang up" }, "transient"],
  ["APIError", { message: "rate_limit_exceeded", isRetryable: true }, "usage-limit"],
  ["APIError", { message: "Server error.", isRetryable: true }, "transient"],
  ["APIError", { message: "Invalid prompt.", isRetryable: false }, "unknown"],
  ["APIError", { message: "Your credit balance is too low", statusCode: 400 }, "blocking"],
  ["APIError", { message: "No", statusCode: 403 }, "blocking"],
  ["APIError", { message: "Odd", statusCode: 422 }, "unknown"],
])("%s with %j is %s", (name, data, kind) => {
  const outcome = { ...NOTHING, failure: { error: { name, data }, at: null } };
  expect(troubleOf(outcome, exited(""), AT)).toMatchObject({ kind });
});

const LOG = `timestamp=2026-11-16T04:22:29.062Z level=ERROR run=42b0adca message="share subscriber failed" type=message.updated cause="Cause([Fail(x)])"
timestamp=2026-11-16T04:22:29.208Z level=ERROR run=42b0adca message=failed ref=err_4b08380d error="ProviderModelNotFoundError: Model not found: mock/nope." cause="ProviderModelNotFoundError: Model not found: mock/nope.\\n    at SessionPrompt.getModel (/$bunfs/root/chunk-p1c43e92.js:1142:11505)"
`;

test("a reason that stands in the log alone is found there", () => {
  const error = { name: "UnknownError", data: { message: "Unexpected server error.", ref: "err_4b08380d" } };
  const failure = { error, at: null };
  expect(troubleOf({ ...NOTHING, failure }, exited(LOG), AT)).toEqual({
    kind: "blocking",
    detail: "opencode failed: Model not found: mock/nope.",
  });
  expect(troubleOf({ ...NOTHING, failure }, exited(""), AT)).toEqual({
    kind: "unknown",
    detail: "opencode failed: Unexpected server error.",
  });
});

const NOT_FOUND = "\u001b[91m\u001b[1mError: \u001b[0mSession not found\n";
const INVALID =
  "\u001b[91m\u001b[1mError: \u001b[0mConfiguration is invalid at /project/opencode.json\n↳ Expected object | undefined, got 5 provider\n";
const HELP =
  "opencode run [message..]\n\nOptions:\n  -h, --help         show help    [boolean]\n      --auto         auto-approve permissions that are not explicitly denied (dangerous!)\n";
const NOTE = '\u001b[93m\u001b[1m! \u001b[0m agent "nope" not found. Falling back to default agent\n';

test.each([
  [NOT_FOUND, true, "lost-conversation", "opencode does not know the conversation"],
  [
    NOT_FOUND,
    false,
    "unknown",
    "opencode ended without an answer from the model (exit code 1): Session not found",
  ],
  [
    INVALID,
    false,
    "blocking",
    "opencode ended without an answer from the model (exit code 1): Configuration is invalid at /project/opencode.json ↳ Expected object | undefined, got 5 provider",
  ],
  [
    HELP,
    false,
    "blocking",
    'opencode does not understand its arguments; its permission modes are "auto", "allow", "ask", "deny" or rules as JSON',
  ],
  [
    LOG,
    false,
    "blocking",
    "opencode ended without an answer from the model (exit code 1): Model not found: mock/nope.",
  ],
  [NOTE, false, "unknown", "opencode ended without an answer from the model (exit code 1)"],
  ["Segmentation fault\n", false, "unknown", expect.stringMatching(/\(exit code 1\): Segmentation fault$/)],
])("without an error in the output, %j tells", (stderr, resumed, kind, detail) => {
  expect(troubleOf({ ...NOTHING, resumed }, exited(stderr), AT)).toEqual({ kind, detail });
});

test("a conversation that is too long is lost only when the client gives up", () => {
  const failure = { error: { name: "ContextOverflowError", data: { message: "140000 tokens" } }, at: null };
  const outcome = { ...NOTHING, failure };
  expect(troubleOf(outcome, exited(""), AT)).toMatchObject({ kind: "lost-conversation" });
  expect(troubleOf(outcome, { type: "cut-off", why: "it was stopped" }, AT)).toEqual({
    kind: "interrupted",
    detail: "it was stopped",
  });
});
