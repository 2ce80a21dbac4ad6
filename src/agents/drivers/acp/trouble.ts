import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf, detailWithReason } from "../bounded-text.ts";
import { resetTimeIn } from "../claude-code/reset-time.ts";
import type { AgentEnding } from "../driver.ts";
import { numberAt, textAt, valueAt, type JsonObject } from "../json-line.ts";

/** What the helper's lines told by their end. */
export interface Outcome {
  /** What people call the agent. */
  readonly title: string;
  /** The result of the turn; null if it never came. */
  readonly result: JsonObject | null;
  /** The line that says what failed, or that the agent is gone. */
  readonly failure: JsonObject | null;
  /** What it said last: it may be a failure that it tells as its answer. */
  readonly said: string;
  /** Whether it did anything before, or used tokens. */
  readonly hasWorked: boolean;
}

const AUTH_REQUIRED = -32000;
const METHOD_NOT_FOUND = -32601;
const LONGEST_REASON = 20_000;

/** What a failure's words mean. The first match decides. */
const SIGNS: readonly (readonly [Exclude<Trouble["kind"], "budget" | "interrupted">, RegExp])[] = [
  ["blocking", /insufficient_quota|credit balance|insufficient credits|billing|limit:\s*0(?![\d.])/i],
  [
    "usage-limit",
    /\b429\b|rate.?limit|too many requests|usage.?limit|quota|RESOURCE_EXHAUSTED|(?:hit|reached) your .{0,40}limit/i,
  ],
  [
    "lost-conversation",
    /context.?(?:window|length|overflow)|token count.*exceed|maximum number of tokens|(?:input|prompt) is too long/is,
  ],
  ["blocking", /\b40[123]\b|api.?key|unauthori[sz]ed|authenticat|credential|log ?in|forbidden/i],
  ["blocking", /models?\b.* (?:does not exist|not found|not supported|not available)/i],
  ["transient", /\b(?:408|5\d\d)\b|overloaded|unavailable|internal server error|try again/i],
  [
    "transient",
    /fetch failed|socket|network|connection|timed? ?out|\bE(?:CONNRESET|CONNREFUSED|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN)\b/i,
  ],
];

/** How agents begin when they say a failure of the service instead of an answer of the model. */
const SAID_FAILURE =
  /^(?:Info: [^\n]{0,200}?Retrying\.\.\.\s*){0,20}(?:Error: |\[?API Error|unexpected status \d|rate limit exceeded|stream disconnected|\{"error")/;

/** The same in the middle of a turn, and only where nothing else is said: an agent that is done may speak about errors, too. */
const SAID_MIDWAY =
  /^(?:Info: [^\n]{0,200}?Retrying\.\.\.\s*){0,20}(?:\[?API Error|unexpected status \d|rate limit exceeded|stream disconnected)[^\n]{0,500}$/;

/** How clients end a turn that failed, whatever was done and said in it before: in words of their own, and not of a model. */
const SAID_AT_END: readonly RegExp[] = [
  // Goose, whatever failed.
  /Ran into this error: (.{1,2000}?)\.?\s+Please retry if you think this is a transient or recoverable error\.$/s,
  // Copilot CLI, when the service has refused it often enough.
  /(?<!["'`])Error: (Failed to get response from the AI model; retried \d+ times? \(total retry wait time: [\d.]+ seconds\) Last error: [^\n]{1,2000})$/,
];

export function troubleOf(outcome: Outcome, ending: AgentEnding, at: number): Trouble | null {
  const { title, result, failure, said, hasWorked } = outcome;
  const why = SAID_AT_END.map((sign) => sign.exec(said)?.[1]).find((each) => each !== undefined);
  if (result !== null && why !== undefined) return troubleOfReason(`${title} failed`, why, why, at);
  if (result !== null && (hasWorked ? SAID_MIDWAY : SAID_FAILURE).test(said))
    return troubleOfReason(`${title} failed`, said, said, at);
  if (result !== null) return troubleOfResult(title, result);
  if (failure !== null) return troubleOfFailure(title, failure, ending, at);
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`${title} cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      return { kind: "interrupted", detail: `the turn was ended by ${detailOf(ending.signal)}` };
    case "exited": {
      const what = `the turn ended without a result (exit code ${ending.code})`;
      return { kind: "unknown", detail: detailWithReason(what, ending.stderr) };
    }
  }
}

/** A turn that ended at a limit of the agent is judged like any other. */
function troubleOfResult(title: string, result: JsonObject): Trouble | null {
  const reason = textAt(result, "stopReason");
  if (reason === "cancelled") return { kind: "interrupted", detail: `${title} was told to stop` };
  if (reason === "refusal") return { kind: "unknown", detail: `${title}'s model refused to go on` };
  return null;
}

function troubleOfFailure(title: string, failure: JsonObject, ending: AgentEnding, at: number): Trouble {
  const stderr = "stderr" in ending ? ending.stderr : "";
  const step = textAt(failure, "step");
  if (textAt(failure, "type") === "gone") return troubleOfDeath(title, failure, stderr);
  const code = numberAt(failure, "error", "code");
  const reason = reasonOf(failure).slice(0, LONGEST_REASON);
  const saying = (what: string): string => detailOf(`${what}: ${reason}`);
  if (code === AUTH_REQUIRED)
    return { kind: "blocking", detail: saying(`${title} has no login; start it once by hand and log in`) };
  switch (step) {
    case "start":
      if (code === METHOD_NOT_FOUND) break;
      return { kind: "blocking", detail: saying(`${title} does not answer as an ACP agent`) };
    case "resume":
      return { kind: "lost-conversation", detail: saying(`${title} does not know the conversation`) };
    case "set":
      return { kind: "blocking", detail: detailOf(reason) };
    case "open":
    case "prompt":
    case null:
    default:
      break;
  }
  if (code === METHOD_NOT_FOUND)
    return { kind: "blocking", detail: saying(`${title} does not speak the Agent Client Protocol`) };
  const isStatus = code !== null && code >= 400 && code < 600;
  const what = isStatus ? `the model's service answered ${code}` : `${title} failed`;
  const all = `${isStatus ? code : ""} ${reason}\n${JSON.stringify(valueAt(failure, "error", "data") ?? "")}`;
  return troubleOfReason(what, reason, all, at);
}

/** `all`: the reason and whatever else came with it. */
function troubleOfReason(what: string, reason: string, all: string, at: number): Trouble {
  const told = all.slice(0, LONGEST_REASON);
  const kind = SIGNS.find(([, sign]) => sign.test(told))?.[0] ?? "unknown";
  const detail = detailOf(`${what}: ${reason}`);
  if (kind !== "usage-limit") return { kind, detail };
  const delay = delayIn(told);
  // Claude Code's adapter tells it as Claude Code does: by the clock.
  return { kind, detail, resetsAt: delay === null ? resetTimeIn(told, at) : at + delay };
}

/** Some agents say what happened only in the details. */
function reasonOf(failure: JsonObject): string {
  const message = textAt(failure, "error", "message") ?? "it gave no reason";
  const data = valueAt(failure, "error", "data");
  const more = typeof data === "string" ? data : (textAt(data, "details") ?? textAt(data, "message"));
  return more === null || message.includes(more) ? message : `${message}: ${more}`;
}

const NOT_RUNNABLE = new Set([126, 127]);

function troubleOfDeath(title: string, failure: JsonObject, stderr: string): Trouble {
  const signal = textAt(failure, "signal");
  if (signal !== null) return { kind: "interrupted", detail: `${title} was ended by ${detailOf(signal)}` };
  const code = numberAt(failure, "code");
  const ended = `${title} ended in the middle of its turn (exit code ${code})`;
  if (textAt(failure, "step") === "prompt" && code === 0)
    return { kind: "interrupted", detail: detailWithReason(ended, stderr) };
  const isFirst = textAt(failure, "step") !== "prompt";
  const what = isFirst ? `${title} ended before its turn began (exit code ${code})` : ended;
  const isMissing = code !== null && NOT_RUNNABLE.has(code);
  return { kind: isFirst || isMissing ? "blocking" : "unknown", detail: detailWithReason(what, stderr) };
}

const DELAY =
  /(?:(?:retry|try again)[ _-]?(?:after|in|delay)|resets? (?:after|in))\W{0,4}((?:\d{1,9}(?:\.\d{1,12})?\s?(?:ms|h|m|s)?)+)/i;
const PIECE = /(\d+(?:\.\d+)?)\s?(ms|h|m|s)?/g;
const MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Milliseconds out of `retry after 4s`, `retry-after: 60` or `resets in 3h15m`; null if there is no delay. */
function delayIn(text: string): number | null {
  const named = DELAY.exec(text)?.[1];
  if (named === undefined) return null;
  const sum = [...named.matchAll(PIECE)].reduce(
    (all, [, amount, unit = "s"]) => all + Math.ceil(Number(amount) * (MS[unit] ?? 0)),
    0,
  );
  return Math.min(sum, LONGEST_WAIT_MS);
}
