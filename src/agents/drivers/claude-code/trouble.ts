import { NEEDS_PERSON } from "../../hosts/claude-code/read-hook.ts";
import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf, detailWithReason } from "../bounded-text.ts";
import type { AgentEnding } from "../driver.ts";
import { resetTimeIn } from "./reset-time.ts";
import { flagAt, listAt, numberAt, objectAt, textAt, type JsonObject } from "../json-line.ts";

/** What the client said about the end of a turn. */
export interface TurnEnd {
  readonly subtype: string | null;
  readonly isError: boolean;
  readonly words: string;
  readonly status: number | null;
  readonly reason: string | null;
}

/** Other signs during the turn that tell what an error means. */
export interface Signs {
  /** Whether the client got as far as starting. */
  readonly began: boolean;
  /** The client's own word for the last error of the service, such as `rate_limit`. */
  readonly error: string | null;
  /** When the account's limit ends, in milliseconds since 1970. */
  readonly resetsAt: number | null;
}

export function endFrom(result: JsonObject): TurnEnd {
  const errors = listAt(result, "errors").filter((each) => typeof each === "string");
  return {
    subtype: textAt(result, "subtype"),
    isError: flagAt(result, "is_error"),
    words: structuredIn(result) ?? textAt(result, "result") ?? errors.join("; "),
    status: numberAt(result, "api_error_status"),
    reason: textAt(result, "terminal_reason"),
  };
}

/** The answer to a question, in the form that it was asked for. */
function structuredIn(result: JsonObject): string | null {
  const answer = objectAt(result, "structured_output");
  return answer === null ? null : JSON.stringify(answer);
}

export function troubleOf(
  end: TurnEnd | null,
  signs: Signs,
  ending: AgentEnding,
  at: number,
): Trouble | null {
  if (end !== null) return troubleOfEnd(end, signs, at);
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`Claude Code cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      return { kind: "interrupted", detail: `Claude Code was ended by ${ending.signal}` };
    case "exited":
      return troubleOfExit(ending.code, ending.stderr, signs, at);
  }
}

/** A turn that hit a cap of the user or the client is over; the next one continues. */
const CAPS = new Set(["error_max_turns", "max_output_tokens"]);

function troubleOfEnd(end: TurnEnd, signs: Signs, at: number): Trouble | null {
  const { subtype, isError, words, reason } = end;
  if (!isError && subtype === "success") return null;
  if (CAPS.has(subtype ?? "") || CAPS.has(signs.error ?? "")) return null;
  const detail = detailOf(words === "" ? `Claude Code failed (${reason ?? subtype ?? "no reason"})` : words);
  if (subtype === "error_max_budget_usd") return { kind: "budget", detail };
  return troubleOfWords(kindOf(end, signs), detail, signs, at);
}

type Kind = Exclude<Trouble["kind"], "budget">;

const LOST_REASONS = new Set(["prompt_too_long", "rapid_refill_breaker", "blocking_limit", "image_error"]);

/** By the client's sentences. The first match decides. */
const SENTENCES: readonly (readonly [Kind, RegExp])[] = [
  ["blocking", /usage policy|inside another claude code session|cannot be used with root/i],
  ["lost-conversation", /no conversation found|does not match any session|session id \S+ is already in use/i],
  ["lost-conversation", /prompt is too long|context (?:window|limit)|request too large/i],
  ["lost-conversation", /tool use concurrency|duplicate tool_use id|new session with fewer images/i],
  [
    "transient",
    /not your usage limit|temporary capacity issue|overloaded|high (?:load|demand)|currently unavailable/i,
  ],
  [
    "usage-limit",
    /usage limit|(?:hit|reached) your .*limit|limit reached|rate limit|out of (?:extra )?usage/i,
  ],
  ["blocking", /not logged in|\/login|api key|credit balance|disabled organization|selected model/i],
  ["transient", /unable to connect|connection (?:error|reset|closed|refused)|socket|network|timed? ?out/i],
];

function kindOf({ status, reason, words }: TurnEnd, { error }: Signs): Kind {
  if (reason !== null && LOST_REASONS.has(reason)) return "lost-conversation";
  if (reason?.startsWith("aborted") === true) return "interrupted";
  const bySentence = kindOfWords(words);
  // A conversation that cannot continue, and limits that aren't the account's, share their codes with others.
  if (bySentence === "lost-conversation" || bySentence === "transient") return bySentence;
  if (status === 429 || error === "rate_limit") return "usage-limit";
  if (status === 401 || status === 402 || status === 403) return "blocking";
  if (error !== null && NEEDS_PERSON.has(error)) return "blocking";
  if (status === 408 || (status !== null && status >= 500) || error === "server_error") return "transient";
  return bySentence;
}

function kindOfWords(words: string): Kind {
  return SENTENCES.find(([, sign]) => sign.test(words))?.[0] ?? "unknown";
}

function troubleOfWords(kind: Kind, detail: string, { resetsAt }: Signs, at: number): Trouble {
  if (kind !== "usage-limit") return { kind, detail };
  return { kind, detail, resetsAt: resetsAt ?? resetTimeIn(detail, at) };
}

/** Ended by a signal that the client handled itself; on Ctrl-C it even exits with 0. */
const SIGNAL_CODES = new Set([129, 130, 137, 143]);

/** What only a person can fix before a turn can start. */
const NOT_ACCEPTED =
  /^error: (?:unknown option|option |--|.*must be)|^Error: (?:--|Invalid|MCP config|Settings)/im;

function troubleOfExit(code: number, stderr: string, signs: Signs, at: number): Trouble {
  if (SIGNAL_CODES.has(code) || (code === 0 && signs.began)) {
    return { kind: "interrupted", detail: `Claude Code ended before its turn was over (exit code ${code})` };
  }
  const what = signs.began ? "Claude Code ended before its turn was over" : "Claude Code failed";
  const detail = detailWithReason(`${what} (exit code ${code})`, stderr);
  const kind = kindOfWords(stderr);
  if (kind !== "unknown") return troubleOfWords(kind, detail, signs, at);
  return { kind: NOT_ACCEPTED.test(stderr) ? "blocking" : "unknown", detail };
}
