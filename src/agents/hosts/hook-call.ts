import { parsePayload, textOf, type Payload } from "./payload.ts";
import { answerWith, SILENCE, type HookAnswer, type ReplyForm } from "./reply.ts";

/** What the settings of a host call us with. */
export interface HookWords {
  /** The event's name, in lower case with dashes: `stop`, `session-start` … */
  readonly event: string;
  readonly reply: ReplyForm;
  /** The settings name no event, so the payload may: some hosts run a command of another's settings without its words. */
  readonly isGuessed?: true;
  /** As the settings name it; null if they don't. The payload shows who really calls. */
  readonly host: string | null;
}

/** One call of a hook, read once and passed on. */
export interface HookCall extends HookWords {
  readonly payload: Payload;
  /** Why the input has no payload; null: it has one. */
  readonly flaw: string | null;
}

/** `EVENT --host HOST --reply FORM`; missing or unknown parts default to a stop with today's reply. */
export function readWords(words: readonly string[]): HookWords {
  let event: string | null = null;
  let reply: ReplyForm = "decision";
  let host: string | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [flag, inline] = word.split("=", 2);
    if (flag === "--reply" || flag === "--host") {
      const value = inline ?? words[(index += 1)];
      if (flag === "--reply" && (value === "ok" || value === "exit2")) reply = value;
      if (flag === "--host") host = value ?? null;
    } else if (!word.startsWith("-")) {
      event = word;
    }
  }
  return event === null
    ? { event: "stop", reply, host, isGuessed: true }
    : { event: dashed(event), reply, host };
}

/** The host's own spelling works too: `SessionStart` is `session-start`. Ours is seen without a pattern, which costs more to make. */
function dashed(event: string): string {
  if (event === event.toLowerCase()) return event;
  return event.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

/** The other forms exist only for stops. */
export function formOf({ event, reply }: HookWords): ReplyForm {
  return event === "stop" ? reply : "decision";
}

export function readCall(words: HookWords, input: string): HookCall {
  try {
    const payload = parsePayload(input);
    const named = words.isGuessed === true ? textOf(payload, "hook_event_name") : null;
    return { ...words, ...(named === null ? {} : { event: dashed(named) }), payload, flaw: null };
  } catch (error) {
    return { ...words, payload: {}, flaw: (error as Error).message };
  }
}

/** The user's kill switch, asked before anything is read. */
export function isDisabled(env: NodeJS.ProcessEnv): boolean {
  return env["LOOP_DISABLE"] === "1" || env["IDLE_LOOP_DISABLE"] === "1";
}

/** Lets the agent go without a word. */
export function letGo(words: HookWords): HookAnswer {
  return formOf(words) === "ok" ? answerWith({ ok: true }) : SILENCE;
}
