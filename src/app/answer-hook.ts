import type { SessionId } from "../core/id.ts";
import { parseSessionId } from "../core/id.ts";
import type { StopRequest } from "../core/stop/facts.ts";
import { backgroundWork } from "../hosts/claude-code/background-work.ts";
import type { Payload } from "../hosts/claude-code/payload.ts";
import { textOf } from "../hosts/claude-code/payload.ts";
import { readStopFailure } from "../hosts/claude-code/stop-failure.ts";
import { readStop } from "../hosts/claude-code/stop-hook.ts";
import { readTypedCommand } from "../hosts/claude-code/typed-command.ts";
import { isDisabled } from "../hosts/disabled.ts";
import type { HookAnswer, ReplyForm } from "../hosts/reply.ts";
import { SILENCE, renderMessage, renderReply } from "../hosts/reply.ts";
import { takeActivity } from "../store/activity.ts";
import { rememberShells, shellsAtLastStop } from "../store/background.ts";
import { grantPermit, revokePermit } from "../store/permit.ts";
import { findStart } from "../store/session-start.ts";
import { oneLine } from "../text/plain-text.ts";
import { announceLoops } from "./announce.ts";
import type { Patience } from "./background-checks.ts";
import { decideStop } from "./decide-stop.ts";
import { takeInStores } from "../adoption/take-in-stores.ts";
import { writeBackForeign } from "../adoption/write-back.ts";
import type { Machine } from "../loops/machine.ts";
import { loopOfSession } from "../loops/session-loop.ts";
import { noteApiTrouble, notePrompt, noteWait } from "./note-session.ts";
import { recordToolUse } from "./record-tool-use.ts";
import { untilWritten } from "./spending.ts";

export interface HookCall {
  /** The host's event, in lower case with dashes: `stop`, `session-start` … */
  readonly event: string;
  readonly reply: ReplyForm;
  /** How long the host waits for checks; left out: as long as they take. */
  readonly patience?: Patience;
}

/**
 * Answers a host's hook. Whatever goes wrong on the way lets the agent go: a hold needs a reason, and an
 * error of ours is none.
 */
export async function answerHook(machine: Machine, call: HookCall, input: string): Promise<HookAnswer> {
  if (isDisabled(machine.env)) {
    return call.event === "stop"
      ? renderReply({ type: "let-go", because: "disabled" }, null, call.reply)
      : SILENCE;
  }
  try {
    return await answer(machine, call, parsePayload(input));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    // The other forms are of stops alone.
    const form = call.event === "stop" ? call.reply : "decision";
    return renderMessage(`[LOOP] Not held: ${what.replace(/\s+/g, " ").slice(0, 300)}`, form);
  }
}

async function answer(machine: Machine, call: HookCall, payload: Payload): Promise<HookAnswer> {
  const session = parseSessionId(payload["session_id"]);
  if (call.event === "stop") return answerStop(machine, call, payload);
  if (session === null) return SILENCE;
  switch (call.event) {
    case "stop-failure":
      await noteApiTrouble(machine, session, readStopFailure(payload));
      return SILENCE;
    case "session-start":
      return announceLoops(machine, session, {
        transcriptPath: textOf(payload, "transcript_path"),
        folder: textOf(payload, "cwd") ?? machine.cwd,
      });
    case "user-prompt-submit":
    case "user-prompt-expansion": {
      const typed = readTypedCommand(payload);
      if (typed === null && call.event === "user-prompt-submit") revokePermit(machine.home, session);
      if (typed !== null)
        grantPermit(machine.home, session, {
          ...typed,
          at: machine.now(),
          promptId: textOf(payload, "prompt_id"),
        });
      if (call.event === "user-prompt-submit") await notePrompt(machine, session);
      return SILENCE;
    }
    case "post-tool-use":
    case "post-tool-use-failure":
      recordToolUse(machine, session, payload);
      return SILENCE;
    case "pre-compact":
      await noteWait(machine, session, "compaction");
      return SILENCE;
    default:
      // Subagents' stops, the end of a session and what later versions send: nothing to hold, nothing to say.
      return SILENCE;
  }
}

async function answerStop(machine: Machine, call: HookCall, payload: Payload): Promise<HookAnswer> {
  const session = parseSessionId(payload["session_id"]);
  if (session === null) return renderReply({ type: "let-go", because: "no-loop" }, null, call.reply);
  const background = backgroundWork(payload, shellsAtLastStop(machine.home, session));
  const stop = await readStop(payload, machine.env, background);
  const found = await loopOfSession(machine, session);
  // Only an end of work is a reason to look at what other hooks keep.
  const taken =
    stop.stop === "end-of-turn"
      ? await takeInStores(machine, found, {
          session,
          folder: textOf(payload, "cwd") ?? machine.cwd,
          reply: call.reply,
          transcriptPath: textOf(payload, "transcript_path"),
        })
      : null;
  if (taken !== null && taken.why !== null)
    return renderMessage(`[LOOP] Not held: ${oneLine(taken.why, 300)}`, call.reply);
  const own = taken?.own ?? found;
  if (stop.stop === "end-of-turn" && own.type !== "none") await untilWritten(payload);
  const { verdict, loop } = await decideStop(
    machine,
    own,
    // What was done before a mere pause in the work belongs to its end.
    {
      ...stop,
      ...(stop.stop === "end-of-turn" ? activityOf(machine, session) : { toolUses: null, edits: [] }),
    },
    { transcriptPath: textOf(payload, "transcript_path") },
    { patience: call.patience ?? null, signal: null },
  );
  if (loop !== null && own.type === "loop") {
    rememberShells(machine.home, session, background.shells);
    if (taken !== null) await writeBackForeign(machine, own.entry.root, loop, stop.said);
  }
  return renderReply(verdict, loop, call.reply);
}

/** Where no start was told, only stops are, and nobody counted the tools. */
function activityOf(machine: Machine, session: SessionId): Pick<StopRequest, "toolUses" | "edits"> {
  const activity = takeActivity(machine.home, session);
  return findStart(machine.home, session) === null ? { ...activity, toolUses: null } : activity;
}

function parsePayload(input: string): Payload {
  let payload: unknown;
  try {
    payload = JSON.parse(input);
  } catch {
    throw new Error("the hook's input is not JSON");
  }
  if (typeof payload === "object" && payload !== null) return payload as Payload;
  throw new Error("the hook's input is not a JSON object");
}
