import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf } from "../bounded-text.ts";
import type { AgentEnding, Denial } from "../driver.ts";
import { parseJsonLine, textAt } from "../json-line.ts";

/** How a turn ended, as far as the client reported it. */
export type TurnEnd =
  | { readonly type: "none" }
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly message: string };

type Kind = Exclude<Trouble["kind"], "budget" | "unknown">;

/** The client prints a sentence for a failure, without a code. The first match decides. */
const SIGNS: readonly (readonly [Kind, RegExp])[] = [
  ["lost-conversation", /no rollout found|no thread with id|thread not found/i],
  ["lost-conversation", /context window|context_length_exceeded/i],
  ["blocking", /out of credits|spend cap|quota exceeded|billing|upgrade to plus: /i],
  ["usage-limit", /usage limit|rate limit/i],
  ["blocking", /model .*(?:does not exist|not supported|not found)|missing environment variable/i],
  ["blocking", /not logged in|(?:log|sign) in again|invalid_api_key/i],
  ["transient", /high demand|at capacity|capacity unavailable|overloaded/i],
  ["transient", /stream disconnected|connection failed|error sending request|reading the server response/i],
  ["transient", /transport error|network error|timed? ?out/i],
  ["interrupted", /turn aborted|^interrupted/i],
];

const STATUS = /\bstatus:? (\d{3})\b/;

/** What only a person can fix before a turn can start: options, configuration, the folder. */
const NOT_ACCEPTED =
  /^error: |^Error loading config|^Error: .*(?:no longer supported|must be|Unknown feature)|not inside a trusted directory/im;

export function troubleOf(end: TurnEnd, ending: AgentEnding, at: number): Trouble | null {
  if (end.type === "completed") return null;
  if (end.type === "failed") return troubleOfMessage(end.message, at);
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`Codex cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      return { kind: "interrupted", detail: `Codex was ended by ${ending.signal}` };
    case "exited":
      return troubleOfExit(ending.code, ending.stderr, at);
  }
}

function troubleOfMessage(message: string, at: number): Trouble {
  const sentence = sentenceOf(message);
  const kind = kindOf(sentence);
  const detail = detailOf(sentence);
  return kind === "usage-limit" ? { kind, detail, resetsAt: resetTimeIn(sentence, at) } : { kind, detail };
}

function troubleOfExit(code: number, stderr: string, at: number): Trouble {
  const complaint = complaintIn(stderr);
  if (complaint === null) {
    return { kind: "unknown", detail: `Codex ended in the middle of its turn (exit code ${code})` };
  }
  const trouble = troubleOfMessage(complaint, at);
  if (trouble.kind !== "unknown") return trouble;
  const kind = NOT_ACCEPTED.test(complaint) ? "blocking" : "unknown";
  return { kind, detail: detailOf(`Codex failed (exit code ${code}): ${complaint}`) };
}

function kindOf(sentence: string): Kind | "unknown" {
  const status = Number(STATUS.exec(sentence)?.[1] ?? Number.NaN);
  if (status === 401 || status === 403) return "blocking";
  if (status === 429) return "usage-limit";
  if (status === 408 || status >= 500) return "transient";
  return SIGNS.find(([, sign]) => sign.test(sentence))?.[0] ?? "unknown";
}

/** Some failures are the raw body of the service's answer. */
function sentenceOf(message: string): string {
  const body = parseJsonLine(message);
  return textAt(body, "error", "message") ?? textAt(body, "detail") ?? message;
}

/** What the client said before it gave up: from the line with an error on, otherwise the last line. */
function complaintIn(stderr: string): string | null {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !NO_COMPLAINT.test(line));
  const begin = lines.findLastIndex((line) => /^error\b/i.test(line));
  return (begin < 0 ? lines.at(-1) : lines.slice(begin).join("\n")) ?? null;
}

/** A warning, or a line of the client's own log. */
const NO_COMPLAINT = /^WARNING: |^\d{4}-\d\d-\d\dT\S+ +[A-Z]+ /;

/** How the log reports a refusal, the refused tool, and the mode that would allow it. */
const REFUSALS: readonly (readonly [RegExp, Denial])[] = [
  [
    /^patch rejected: writing is blocked by read-only sandbox/,
    { tool: "apply_patch", rule: "--permission-mode workspace-write" },
  ],
  [
    /^patch rejected: writing outside of the project/,
    { tool: "apply_patch", rule: "--permission-mode danger-full-access" },
  ],
  [
    /you cannot ask for escalated permissions/,
    { tool: "shell", rule: "--permission-mode danger-full-access" },
  ],
];

/** The log also quotes what the agent wrote, on further lines. */
const LOGGED_ERROR = /^\d{4}-\d\d-\d\dT\S+ +ERROR \S+: error=(.*)/gm;

/** No event reports refusals, only the log does. */
export function denialsIn(ending: AgentEnding): readonly Denial[] {
  if (ending.type !== "exited" && ending.type !== "signalled") return [];
  const errors = [...ending.stderr.matchAll(LOGGED_ERROR)].map(([, error = ""]) => error);
  return REFUSALS.filter(([sign]) => errors.some((error) => sign.test(error))).map(([, denial]) => denial);
}

const CLOCK_TIME = /try again at (?:([a-z]{3})[a-z]* (\d{1,2})[a-z]{2}, (\d{4}) )?(\d{1,2}):(\d{2}) ([ap])m/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const TIME_SPAN = /try again in ((?:[\d.]+ ?[a-z]+[ ,]*)+)/i;
const SPAN_PART = /([\d.]+) ?([a-z]+)/gi;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When to try again, according to a message printed at `at`; in milliseconds since 1970. */
export function resetTimeIn(message: string, at: number): number | null {
  return clockTimeIn(message, at) ?? timeSpanIn(message, at);
}

/** `5:12 AM` on that day, or `Nov 18th, 2026 11:46 AM`, both in this machine's time zone. */
function clockTimeIn(message: string, at: number): number | null {
  const match = CLOCK_TIME.exec(message);
  if (match === null) return null;
  const [, month, day, year, hour, minute, half] = match;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  const date = new Date(at);
  if (month !== undefined) {
    const index = MONTHS.indexOf(month.toLowerCase());
    if (index < 0) return null;
    date.setFullYear(Number(year), index, Number(day));
  }
  date.setHours(hours, Number(minute), 0, 0);
  // Without seconds, only the end of that minute is certain.
  return date.getTime() + MINUTE_MS;
}

/** `1.5s`, or `3 days 5 hours 2 minutes`. */
function timeSpanIn(message: string, at: number): number | null {
  const span = TIME_SPAN.exec(message)?.[1];
  if (span === undefined) return null;
  let wait = 0;
  for (const [, number, unit = ""] of span.matchAll(SPAN_PART)) {
    const unitMs = unitOf(unit.toLowerCase());
    if (unitMs !== null) wait += Number(number) * unitMs;
  }
  return Number.isFinite(wait) && wait > 0 ? at + Math.ceil(wait) : null;
}

function unitOf(unit: string): number | null {
  if (unit === "ms") return 1;
  switch (unit[0]) {
    case "s":
      return SECOND_MS;
    case "m":
      return MINUTE_MS;
    case "h":
      return HOUR_MS;
    case "d":
      return DAY_MS;
    case undefined:
    default:
      return null;
  }
}
