import { expect, test } from "vitest";
import type { AgentEnding } from "../driver.ts";
import { troubleOf, type Outcome } from "./trouble.ts";

const AT = Date.UTC(2026, 10, 16, 12);
const NOTHING: Outcome = { result: null, complaint: null, begun: false, idle: true, resumed: false };

function withoutResult(ending: AgentEnding, begun = false): ReturnType<typeof troubleOf> {
  return troubleOf({ ...NOTHING, begun }, ending, AT);
}

function failing(message: string, code = 1, more: object = {}): ReturnType<typeof troubleOf> {
  const result = { status: "error", error: { type: "unknown", message }, ...more };
  return troubleOf({ ...NOTHING, begun: true, result }, { type: "exited", code, stderr: "" }, AT);
}

/** What the client (0.61.0) printed on standard error. */
const UNKNOWN_SESSION = `Error resuming session: Invalid session identifier "11111111-2222-4333-8444-555555555555".
  Searched for sessions in /home/user/.gemini/tmp/project/chats.
  Use --list-sessions to see available sessions, then use --resume {number}, --resume {uuid}, or --resume latest.
`;
const NO_SESSION = "Error resuming session: No previous sessions found for this project.\n";
const NO_KEY = `YOLO mode is enabled. All tool calls will be automatically approved.
When using Gemini API, you must specify the GEMINI_API_KEY environment variable.
Update your environment and try again (no reload needed if using .env)!
`;
const UNTRUSTED = `Approval mode overridden to "default" because the current folder is not trusted.
Gemini CLI is not running in a trusted directory. To proceed, either use \`--skip-trust\`, set the variable.
`;
const BAD_ARGUMENT = `Invalid values:
  Argument: approval-mode, Given: "acceptEdits", Choices: "default", "auto_edit", "yolo", "plan"
Usage: gemini [options] [command]

Options:
  -h, --help                      Show help  [boolean]
`;
const CRASH = `Ripgrep is not available. Falling back to GrepTool.
An unexpected critical error occurred:TypeError: Cannot read properties of undefined
    at async main (file:///bundle/gemini.js:17627:5) {
  code: 1
}
`;

test.each<[string, number, string, object]>([
  ["an unknown conversation", 42, UNKNOWN_SESSION, { kind: "lost-conversation" }],
  ["a project without conversations", 42, NO_SESSION, { kind: "lost-conversation" }],
  [
    "no login",
    41,
    NO_KEY,
    {
      kind: "blocking",
      detail: expect.stringMatching(/^Gemini CLI has no login: When using Gemini API, .*!$/),
    },
  ],
  ["a folder without trust", 55, UNTRUSTED, { kind: "blocking" }],
  ["an empty prompt", 42, "No input provided via stdin.\n", { kind: "blocking" }],
  [
    "an argument that is not understood",
    1,
    BAD_ARGUMENT,
    { kind: "blocking", detail: expect.stringContaining('Given: "acceptEdits"') },
  ],
  [
    "a crash",
    1,
    CRASH,
    {
      kind: "unknown",
      detail:
        "Gemini CLI ended without a result (exit code 1): An unexpected critical error occurred:TypeError: Cannot read properties of undefined",
    },
  ],
  ["no network at the login", 1, "Error: getaddrinfo ENOTFOUND oauth2.example\n", { kind: "transient" }],
  ["nothing at all", 0, "", { kind: "unknown", detail: "Gemini CLI ended without a result (exit code 0)" }],
  ["a cancellation", 130, "", { kind: "interrupted" }],
])("without a result: %s", (_name, code, stderr, expected) => {
  expect(withoutResult({ type: "exited", code, stderr })).toMatchObject(expected);
});

test("without a result: the turn limit is no trouble", () => {
  expect(withoutResult({ type: "exited", code: 53, stderr: "" })).toBeNull();
});

test("without an exit", () => {
  expect(withoutResult({ type: "not-started", message: "spawn gemini ENOENT" })).toEqual({
    kind: "blocking",
    detail: "Gemini CLI cannot be started: spawn gemini ENOENT",
  });
  expect(withoutResult({ type: "cut-off", why: "the time is up" }, true)).toEqual({
    kind: "interrupted",
    detail: "the time is up",
  });
});

test.each([
  ["Please retry in 31.5s.", 31_500],
  ["Please retry in 250.5ms.", 251],
  ["Suggested retry after 7s.", 7_000],
  ["Your quota will reset after 3h15m20s.", 11_720_000],
  ["Your quota will reset after 0s.", 0],
  ["Resets in 26h.", 93_600_000],
  ["The limit is 20 requests in 60s.", null],
])("the delay of a limit: %s", (sentence, delay) => {
  const trouble = failing(`[API Error: Quota. ${sentence}]\nPlease wait and try again later.`, 173);
  expect(trouble).toMatchObject({ kind: "usage-limit", resetsAt: delay === null ? null : AT + delay });
});

test("a limit within JSON, twice over, with the delay among its details", () => {
  const inner = {
    error: { code: 429, message: "Resource has been exhausted.", details: [{ retryDelay: "34s" }] },
  };
  const outer = { error: { code: 500, message: JSON.stringify(inner, null, 2) } };
  const plain = failing(`[API Error: [${JSON.stringify(inner)}]]\nPossible quota limitations in place.`);
  expect(plain).toEqual({
    kind: "usage-limit",
    detail: "the Gemini API answered 429: Resource has been exhausted.",
    resetsAt: AT + 34_000,
  });
  expect(failing(`[API Error: ${JSON.stringify(outer)}]`)).toMatchObject({
    kind: "usage-limit",
    detail: "the Gemini API answered 429: Resource has been exhausted.",
  });
});

test.each([
  ["[API Error: Quota exceeded for metric: x, limit: 0, model: y. Please retry in 9s.]", 173, "blocking"],
  ["[API Error: No capacity available for model gemini-3-pro on the server]", 173, "transient"],
  ["[API Error: Please ensure that function call turn comes after a user turn.]", 144, "lost-conversation"],
  ["[API Error: User location is not supported for the API use.]", 144, "blocking"],
  ["[API Error: Something else about the request.]", 144, "unknown"],
  ["[API Error: The operation was aborted due to timeout]", 1, "transient"],
  ["[API Error: Deadline expired.]", 248, "transient"],
  ["[API Error: An unknown error occurred.]", 1, "unknown"],
])("%s (exit code %i) is %s", (message, code, kind) => {
  expect(failing(message, code)?.kind).toBe(kind);
});

test.each([
  ["FatalToolExecutionError", "blocking"],
  ["FatalAuthenticationError", "blocking"],
  ["no_space_left", "blocking"],
  ["FatalCancellationError", "interrupted"],
])("an error of type %s is %s", (type, kind) => {
  expect(failing("x", 1, { error: { type, message: "It did not work." } })).toEqual({
    kind,
    detail: "It did not work.",
  });
});

test("an answer of thoughts alone is tried again, for all that it says of the context window", () => {
  const complaint =
    "The model returned reasoning thoughts but no final response text. If your context window is near capacity, try using /compress.";
  const outcome = { ...NOTHING, begun: true, result: { status: "error" }, complaint };
  expect(troubleOf(outcome, { type: "exited", code: 0, stderr: "" }, AT)?.kind).toBe("transient");
});

test.each([['{"error":{"message":"'], ["token count \u001b[31m\n"]])(
  "a failure of any length and depth is told in one line: %j",
  (piece) => {
    const trouble = failing(`[API Error: ${piece.repeat(200_000)}]`);
    expect(trouble?.kind).toBe("unknown");
    expect(trouble?.detail.length).toBeLessThanOrEqual(300);
    expect(trouble?.detail).not.toContain("\n");
    expect(trouble?.detail).not.toContain("\u001b");
  },
);
