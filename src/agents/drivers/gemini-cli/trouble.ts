import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf } from "../bounded-text.ts";
import type { AgentEnding } from "../driver.ts";
import { textAt, numberAt, objectAt, parseJsonLine, type JsonObject } from "../json-line.ts";

/** What the output reported by its end. */
export interface Outcome {
  /** The final message with the result of the turn; null if it never came. */
  readonly result: JsonObject | null;
  /** The last error message during the turn; the result of an unusable answer says nothing itself. */
  readonly complaint: string | null;
  readonly begun: boolean;
  /** The model neither said nor did nor cost anything. */
  readonly idle: boolean;
  readonly resumed: boolean;
}

const LONGEST_REASON = 20_000;
const TURN_LIMIT = 53;
const CANCELLED = 130;
/** The client's own exit codes that need a person. */
const BLOCKING_CODES: { readonly [code: number]: string } = {
  41: "Gemini CLI has no login",
  42: "Gemini CLI does not accept its input",
  44: "Gemini CLI cannot use its sandbox",
  52: "Gemini CLI cannot use its configuration",
  54: "a tool of Gemini CLI does not work",
  55: "Gemini CLI does not trust this folder",
};

const NO_QUOTA_AT_ALL = /limit:\s*0(?![\d.])/i;
const NO_CAPACITY = /no capacity available|MODEL_CAPACITY|overloaded/i;
const QUOTA = /RESOURCE_EXHAUSTED|quota|rate limit|too many requests/i;
const NETWORK =
  /fetch failed|socket hang up|timed? ?out|network|premature close|incomplete json|\bE(?:CONNRESET|CONNREFUSED|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN)\b/i;

/** Messages of a bad request or a failure without a status. The first match decides. */
const SIGNS: readonly (readonly ["transient" | "lost-conversation" | "blocking", RegExp])[] = [
  ["transient", /returned an empty response|no final response text|response was truncated|^Invalid stream/i],
  [
    "lost-conversation",
    /token count.*exceed|maximum number of tokens|context (?:window|length)|(?:input|prompt) is too long/is,
  ],
  // The service may no longer accept a conversation that was cut off within a tool call.
  ["lost-conversation", /function (?:call|response)/i],
  [
    "blocking",
    /api key|credential|permission|billing|terms of service|not enabled|location is not supported/i,
  ],
  ["blocking", /\bmodels?\b.* not found/i],
  ["transient", NETWORK],
  ["transient", /overloaded|unavailable|internal error|try again later/i],
];
/** Printed at every start and every attempt, whatever happens later. */
const CHATTER =
  /^(?:YOLO mode|Approval mode overridden|Warning: |Ripgrep is not available|Loaded cached|Attempt \d+ failed)/;

export function troubleOf(outcome: Outcome, ending: AgentEnding, at: number): Trouble | null {
  const { result } = outcome;
  if (result === null) return troubleOfEnding(outcome, ending);
  if (textAt(result, "status") !== "success") return troubleOfResult(outcome, result, ending, at);
  // The client silently ends a turn when the conversation doesn't fit.
  if (!outcome.idle) return null;
  const detail = "Gemini CLI did not ask the model; the conversation may have become too long";
  return { kind: outcome.resumed ? "lost-conversation" : "unknown", detail };
}

function troubleOfResult(
  { complaint }: Outcome,
  result: JsonObject,
  ending: AgentEnding,
  at: number,
): Trouble | null {
  const code = ending.type === "exited" ? ending.code : null;
  const type = textAt(result, "error", "type") ?? "";
  const reason = textAt(result, "error", "message") ?? complaint ?? "the turn failed without a reason";
  const said = reason.slice(0, LONGEST_REASON);
  if (type === "FatalTurnLimitedError" || code === TURN_LIMIT) return null;
  if (type === "FatalCancellationError") return { kind: "interrupted", detail: detailOf(said) };
  if (type.startsWith("Fatal") || type === "no_space_left") {
    return { kind: "blocking", detail: detailOf(said) };
  }
  const error = readApiError(said);
  const status = error.status ?? statusOfExitCode(code);
  const detail = detailOf(
    status === null
      ? `Gemini CLI failed: ${error.message}`
      : `the Gemini API answered ${status}: ${error.message}`,
  );

  if (status === 429 || (status === null && QUOTA.test(said))) {
    if (NO_QUOTA_AT_ALL.test(said)) return { kind: "blocking", detail };
    const delay = delayIn(said);
    if (delay === null && NO_CAPACITY.test(said)) return { kind: "transient", detail };
    return { kind: "usage-limit", detail, resetsAt: delay === null ? null : timeOf(result, at) + delay };
  }
  if (status === null || status === 400 || status === 413) {
    return { kind: SIGNS.find(([, sign]) => sign.test(said))?.[0] ?? "unknown", detail };
  }
  return { kind: status === 408 || status >= 499 ? "transient" : "blocking", detail };
}

/** When the client gave up, which may be long before we noticed. */
function timeOf(result: JsonObject, at: number): number {
  const time = Date.parse(textAt(result, "timestamp") ?? "");
  return Number.isNaN(time) ? at : time;
}

function troubleOfEnding({ begun }: Outcome, ending: AgentEnding): Trouble | null {
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`Gemini CLI cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      return { kind: "interrupted", detail: `Gemini CLI was ended by ${detailOf(ending.signal)}` };
    case "exited":
      return troubleOfCode(ending.code, ending.stderr, begun);
  }
}

function troubleOfCode(code: number, stderr: string, begun: boolean): Trouble | null {
  const lines = tellingLines(stderr);
  const saying = (what: string): string => detailOf(lines === "" ? what : `${what}: ${lines}`);
  if (code === TURN_LIMIT) return null;
  // On a signal, the client exits with 0 and without a result.
  if (code === CANCELLED || (code === 0 && begun)) {
    return { kind: "interrupted", detail: `Gemini CLI ended in the middle of its turn (exit code ${code})` };
  }
  if (/Error resuming session/.test(stderr)) {
    return { kind: "lost-conversation", detail: saying("Gemini CLI does not know the conversation") };
  }
  const blocking = BLOCKING_CODES[code];
  if (blocking !== undefined) return { kind: "blocking", detail: saying(blocking) };
  // The client prints its whole help for arguments it doesn't understand.
  if (/^\s*-h, --help\b/m.test(stderr)) {
    const complaint =
      /^(?:Invalid values|Unknown argument|Not enough arguments|The flags|Cannot use).*(?:\n\s+Argument: .*)?/m;
    const cause = complaint.exec(stderr)?.[0] ?? "see gemini --help";
    return { kind: "blocking", detail: detailOf(`Gemini CLI does not understand its arguments: ${cause}`) };
  }
  const what = `Gemini CLI ended without a result (exit code ${code})`;
  return { kind: NETWORK.test(lines) ? "transient" : "unknown", detail: saying(what) };
}

/** The client's own words about its end, without the stack and the lines of every start. */
function tellingLines(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => /^[^\s}]/.test(line) && !CHATTER.test(line))
    .slice(-2)
    .join(" ");
}

interface ApiError {
  readonly status: number | null;
  readonly message: string;
}

const STATUSES = [400, 401, 403, 404, 408, 413, 429, 499, 500, 501, 502, 503, 504, 529];

/** `[API Error: …]`, followed by advice. Inside is a sentence or the service's answer as JSON, sometimes encoded twice. */
function readApiError(text: string): ApiError {
  const inside = /^\[API Error: ([^]*)\](?:\n[^\]]*)?$/.exec(text)?.[1] ?? text;
  const error = errorIn(inside);
  return { status: numberAt(error, "code"), message: textAt(error, "message") ?? inside };
}

/** The client exits with the HTTP status, of which the system keeps eight bits. */
function statusOfExitCode(code: number | null): number | null {
  return STATUSES.find((status) => status === code || status % 256 === code) ?? null;
}

function errorIn(text: string): JsonObject | null {
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const error = objectAt(parseJsonLine(json), "error");
  return error === null ? null : (errorIn(textAt(error, "message") ?? "") ?? error);
}

const DELAY =
  /(?:retry (?:after|in)|resets? (?:after|in)|"retryDelay"\s*:\s*")\s*((?:\d{1,9}(?:\.\d{1,12})?(?:ms|h|m|s))+)/i;
const PIECE = /(\d+(?:\.\d+)?)(ms|h|m|s)/g;
const MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds out of `Please retry in 31.5s` or `Your quota will reset after 3h15m20s`; null if there is no delay. */
function delayIn(text: string): number | null {
  const named = DELAY.exec(text)?.[1];
  if (named === undefined) return null;
  return [...named.matchAll(PIECE)].reduce(
    (sum, [, amount, unit]) => sum + Math.ceil(Number(amount) * (MS[unit ?? ""] ?? 0)),
    0,
  );
}
