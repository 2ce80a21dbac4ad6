import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf } from "../bounded-text.ts";
import type { AgentEnding } from "../driver.ts";
import { flagAt, numberAt, objectAt, textAt, type JsonObject } from "../json-line.ts";

/** What the output reported by its end. */
export interface Outcome {
  /** The last error, after which the client stopped; null if there is none. */
  readonly failure: Failure | null;
  /** Whether the model's last answer ends the turn. */
  readonly ended: boolean;
  readonly begun: boolean;
  readonly resumed: boolean;
}

export interface Failure {
  readonly error: JsonObject;
  /** When it was reported; null if unknown. */
  readonly at: number | null;
}

const LONGEST_REASON = 20_000;
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const UNPAID = /insufficient_quota|credit balance|insufficient credits/i;
const BLOCKING_STATUS = new Set([401, 402, 403, 404]);
/** Messages of a failure without a status, or of a bad request. The first match decides. */
const SIGNS: readonly (readonly ["usage-limit" | "blocking" | "transient", RegExp])[] = [
  ["blocking", /model not found|models?\b.* (?:does not exist|not found|not supported)/i],
  ["blocking", /api.?key|unauthori[sz]ed|not logged in|opencode auth|configuration is invalid/i],
  ["usage-limit", /rate.?limit|too many requests|usage.?limit|quota/i],
  ["transient", /cannot connect|unable to connect|connection|socket|network|fetch failed|timed? ?out/i],
  ["transient", /overloaded|unavailable|internal server error|\bE(?:CONNRESET|CONNREFUSED|AI_AGAIN)\b/i],
];

export function troubleOf(outcome: Outcome, ending: AgentEnding, at: number): Trouble | null {
  const { failure, ended } = outcome;
  // The client summarizes a conversation that got too long and continues, unless it gives up right away.
  if (failure !== null && (ending.type === "exited" || !isOverflow(failure.error))) {
    return troubleOfFailure(failure, ending, at);
  }
  if (ended) return null;
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`opencode cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      return { kind: "interrupted", detail: `opencode was ended by ${detailOf(ending.signal)}` };
    case "exited":
      return troubleOfExit(outcome, ending.code, ending.stderr);
  }
}

export function isOverflow(error: JsonObject): boolean {
  return textAt(error, "name") === "ContextOverflowError";
}

function troubleOfFailure({ error, at: toldAt }: Failure, ending: AgentEnding, at: number): Trouble {
  const reason = reasonOf(error, ending).slice(0, LONGEST_REASON);
  const status = numberAt(error, "data", "statusCode");
  const what = status === null ? "opencode failed" : `the model's service answered ${status}`;
  const detail = detailOf(`${what}: ${reason}`);
  const kind = kindOf(error, status, reason);
  if (kind !== "usage-limit") return { kind, detail };
  const since = toldAt ?? at;
  const wait = waitIn(objectAt(error, "data", "responseHeaders"), since);
  return { kind, detail, resetsAt: wait === null ? null : since + wait };
}

function kindOf(
  error: JsonObject,
  status: number | null,
  reason: string,
): Exclude<Trouble["kind"], "budget"> {
  const name = textAt(error, "name");
  if (isOverflow(error)) return "lost-conversation";
  if (name === "ProviderAuthError") return "blocking";
  if (name === "MessageAbortedError") return "interrupted";
  const body = (textAt(error, "data", "responseBody") ?? "").slice(0, LONGEST_REASON);
  if (UNPAID.test(reason) || UNPAID.test(body)) return "blocking";
  if (status === 429) return "usage-limit";
  if (status !== null && BLOCKING_STATUS.has(status)) return "blocking";
  if (status !== null && (status === 408 || status === 409 || status >= 500)) return "transient";
  const told = SIGNS.find(([, sign]) => sign.test(reason))?.[0];
  return told ?? (flagAt(error, "data", "isRetryable") ? "transient" : "unknown");
}

function reasonOf(error: JsonObject, ending: AgentEnding): string {
  const mark = textAt(error, "data", "ref");
  const stderr = "stderr" in ending ? ending.stderr : "";
  const logged = mark === null ? null : loggedReason(stderr, mark);
  return logged ?? textAt(error, "data", "message") ?? textAt(error, "name") ?? "it gave no reason";
}

/** How long the service asked to wait, in milliseconds: a number of seconds, a date, or a number of milliseconds. */
function waitIn(headers: JsonObject | null, now: number): number | null {
  const after = textAt(headers, "retry-after") ?? "";
  const exact = textAt(headers, "retry-after-ms") ?? "";
  const waits = [Number.parseFloat(after) * 1_000, Date.parse(after) - now, Number.parseFloat(exact)];
  const wait = waits.find((each) => each >= 0);
  return wait === undefined ? null : Math.min(Math.ceil(wait), LONGEST_WAIT_MS);
}

function troubleOfExit({ begun, resumed }: Outcome, code: number, stderr: string): Trouble {
  if (isHelp(stderr)) {
    const modes = `"auto", "allow", "ask", "deny" or rules as JSON`;
    const detail = `opencode does not understand its arguments; its permission modes are ${modes}`;
    return { kind: "blocking", detail };
  }
  const complaint = complaintIn(stderr)?.slice(0, LONGEST_REASON) ?? null;
  if (resumed && complaint !== null && complaint.startsWith("Session not found")) {
    return { kind: "lost-conversation", detail: "opencode does not know the conversation" };
  }
  const what = begun
    ? `opencode ended in the middle of its turn (exit code ${code})`
    : `opencode ended without an answer from the model (exit code ${code})`;
  const told = complaint === null ? undefined : SIGNS.find(([, sign]) => sign.test(complaint))?.[0];
  const detail = detailOf(complaint === null ? what : `${what}: ${complaint}`);
  return told === undefined || told === "usage-limit" ? { kind: "unknown", detail } : { kind: told, detail };
}

// oxlint-disable-next-line no-control-regex -- colours are exactly what is removed here
const COLOUR = /\u001b\[[0-9;]*m/g;
const LOG_LINE = /^timestamp=\S+ level=/;
const NOTE = /^!/;
const ASKED = /^!\s+permission requested: (\S+) \(.*\); auto-rejecting$/;
const LOGGED_ERROR = /(?:^| )(?:error|error\.error|cause)=(?:"((?:[^"\\]|\\.)*)"|(\S+))/;

/** The permissions that opencode refused because nobody was there, in order. */
export function askedIn(stderr: string): readonly string[] {
  return linesOf(stderr).flatMap((line) => ASKED.exec(line)?.[1] ?? []);
}

/** What the log says about the error with this mark; the output only says that it happened. */
function loggedReason(stderr: string, mark: string): string | null {
  const line = linesOf(stderr).findLast((each) => LOG_LINE.test(each) && each.includes(` ref=${mark} `));
  return line === undefined ? null : errorOf(line);
}

/** What opencode said before it gave up: from its last error on, otherwise its log or its last line. */
function complaintIn(stderr: string): string | null {
  const lines = linesOf(stderr);
  const spoken = lines.filter((line) => !LOG_LINE.test(line) && !NOTE.test(line));
  const begin = spoken.findLastIndex((line) => line.startsWith("Error: "));
  if (begin >= 0) return spoken.slice(begin).join(" ").slice("Error: ".length);
  const logged = lines.findLast((line) => LOG_LINE.test(line));
  return (logged === undefined ? null : errorOf(logged)) ?? spoken.at(-1) ?? null;
}

/** For arguments it doesn't understand, opencode prints its help without naming them. */
function isHelp(stderr: string): boolean {
  return /^\s+-h, --help\s/m.test(stderr) || /^\s+--auto\s+auto-approve/m.test(stderr);
}

function errorOf(logLine: string): string | null {
  const [, quoted, bare] = LOGGED_ERROR.exec(logLine) ?? [];
  const text = quoted?.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1") ?? bare;
  return text?.replace(/^\w*Error: /, "") ?? null;
}

function linesOf(stderr: string): readonly string[] {
  return stderr
    .replace(COLOUR, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
