import { createHash } from "node:crypto";
import { takeInStores } from "../compat/take-in-stores.ts";
import { writeBackForeign } from "../compat/write-back.ts";
import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import type { StopRequest } from "../../core/stop/facts.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import type { Transcript } from "../../agents/cost/transcript.ts";
import { isOnlyWaiting } from "../../agents/hosts/background-work.ts";
import { formOf } from "../../agents/hosts/hook-call.ts";
import type { HookInput, HostEvent, HostStop, TypedCommand } from "../../agents/hosts/host-event.ts";
import type { Host } from "../../agents/hosts/host.ts";
import type { RecognisedCall } from "../../agents/hosts/hosts.ts";
import type { HookAnswer, Reply, ReplyForm } from "../../agents/hosts/reply.ts";
import { NO_REPLY, renderReply } from "../../agents/hosts/reply.ts";
import { askedCommand, isReview, permissionFor, whyAsked } from "../../agents/hosts/shell-permission.ts";
import { commandIn } from "../../agents/hosts/typed-command.ts";
import { replyTo } from "../../views/reply.ts";
import { iterationLine } from "../../views/loop-lines.ts";
import { whatWasSaid } from "../../agents/hosts/what-was-said.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { loopOfSession, type SessionLoop } from "../../storage/loops/known-loop.ts";
import {
  takeActivity,
  rememberShells,
  shellsAtLastStop,
  grantPermit,
  findPermit,
  revokePermit,
  takeNews,
  leaveNews,
  findStart,
  lastTyped,
  recordEnd,
  forgetSession,
  lastHeld,
  rememberHeld,
} from "../../storage/home/session-files.ts";
import { markTold } from "../../storage/home/approval-marks.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { announceLoops } from "./announce.ts";
import type { HookTimeout } from "./background-job.ts";
import { decideStop } from "./decide-stop.ts";
import { learnFromIt } from "../lifecycle/lifecycle.ts";
import {
  isMadeUp,
  isOwnCheck,
  noteApiTrouble,
  notePrompt,
  noteWait,
  replyToSettings,
} from "./note-session.ts";
import { noteToolUse } from "./note-tool-use.ts";
import { OWN_REVIEW, explained } from "../../views/session-texts.ts";
import { rememberPauseTold, whyNotHeld } from "./no-longer-held.ts";
import { awaitedAnswer, rowsWith, transcriptOf, untilWritten, tailOf } from "./spending.ts";
import { exportSession } from "./export-session.ts";

/**
 * Answers a host's hook. If Loopwright itself fails, the agent is free to stop: our error is not a reason to hold it.
 * `timeout`: how long the host waits for checks; null: as long as they take.
 */
export async function answerHook(
  machine: Machine,
  call: RecognisedCall,
  hookTimeout: HookTimeout | null = null,
): Promise<HookAnswer> {
  const form = formOf(call);
  const { by: host } = call;
  try {
    if (call.flaw !== null) throw new Error(call.flaw);
    const input = host.read(call.event, call.payload, machine.env);
    const { reply, ...rest } = await answer(machine, { host, form, hookTimeout }, input);
    return { ...renderReply(reply, host, form), ...rest };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return renderReply(notHeld(what.replace(/\s+/g, " ").slice(0, 300)), host, form);
  }
}

interface Answer extends Pick<HookAnswer, "delivered"> {
  readonly reply: Reply;
}

/** Who called, and in which form to reply. */
interface Caller {
  readonly host: Host;
  readonly form: ReplyForm;
  readonly hookTimeout: HookTimeout | null;
}

async function answer(machine: Machine, caller: Caller, input: HookInput): Promise<Answer> {
  const { host } = caller;
  const { event } = input;
  const session = input.session ?? (caller.form === "exit2" ? sessionOf(input.folder ?? machine.cwd) : null);
  if (session === null) return { reply: NO_REPLY };
  switch (event.type) {
    case "stopped":
      return answerStop(machine, caller, { ...input, session, event });
    case "session-started":
      exportSession(event.envFile, host, session);
      return announceLoops(machine, session, {
        host,
        transcriptPath: input.transcriptPath,
        folder: input.folder ?? machine.cwd,
      });
    case "session-ended":
      recordEnd(machine.home, session);
      return { reply: NO_REPLY };
    case "prompted": {
      const { text, typed, declines, promptId } = event;
      if (text !== null && isOwnHold(machine, session, text)) return { reply: NO_REPLY };
      if (isMadeUp(machine, host, session)) return { reply: NO_REPLY };
      if (typed === null) revokePermit(machine.home, session);
      else grant(machine, session, typed, promptId);
      const reply = await notePrompt(machine, session, { isAnswer: typed === null, declines });
      if (typed !== null && !host.expandsCommands) return { reply: explained(typed, reply) };
      if (reply.type !== "silence" || typed !== null) return { reply };
      return sayingWhyNotHeld(machine, session, await loopOfSession(machine, session), host);
    }
    case "typed":
      if (isMadeUp(machine, host, session)) return { reply: NO_REPLY };
      grant(machine, session, event.typed, event.promptId);
      return { reply: NO_REPLY };
    case "shell-asked":
      return { reply: permissionOf(machine, session, event) };
    case "user-to-be-asked":
      return { reply: (await isOwnCheck(machine, session, event.line)) ? { type: "consent" } : NO_REPLY };
    case "tool-used":
      return { reply: noteToolUse(machine.home, session, event.use) };
    case "compacting":
      await noteWait(machine, session, "compaction");
      return { reply: NO_REPLY };
    case "settings-changed":
      return { reply: await replyToSettings(machine, session, event.file, host) };
    case "troubled":
      await noteApiTrouble(machine, session, event.trouble);
      return { reply: NO_REPLY };
    case "other":
      return { reply: NO_REPLY };
  }
}

/** With nobody there to be asked, the host's own rules decide alone. */
function permissionOf(
  machine: Pick<Machine, "home" | "now">,
  session: SessionId,
  { line, personPresent, isSubagent }: HostEvent & { readonly type: "shell-asked" },
): Reply {
  if (!isSubagent && isReview(line)) leaveNews(machine.home, session, OWN_REVIEW);
  const typed = findPermit(machine.home, session, machine.now())?.command ?? null;
  const decision = permissionFor(line, typed);
  if (decision === null || (decision === "ask" && !personPresent)) return NO_REPLY;
  const theirs = decision === "ask" ? askedCommand(line) : null;
  if (theirs !== null) grant(machine, session, theirs, null);
  return { type: "permission", decision, why: decision === "ask" ? whyAsked(line, typed) : ALLOWED };
}

const ALLOWED = "[LOOP] It only looks, or says what the agent did.";

/** Hooks with this reply form don't know sessions: an agent that stops in a folder works on that folder's loop. */
function sessionOf(folder: string): SessionId | null {
  return parseSessionId(`folder-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`);
}

function grant(
  machine: Pick<Machine, "home" | "now">,
  session: SessionId,
  typed: TypedCommand,
  promptId: string | null,
): void {
  grantPermit(machine.home, session, { ...typed, at: machine.now(), promptId });
}

/** The user asked where the loop is, or typed a command that waits for the turn to end: what comes next is theirs to say. */
function isUsersTurn(
  { home }: Pick<Machine, "home">,
  session: SessionId,
  host: Host,
  transcript: Transcript | null,
): boolean {
  return lastTyped(home, session) === "status" || hasQueuedCommand(host, transcript);
}

/** The user typed one of our commands, and the client runs it as soon as the turn ends. */
function hasQueuedCommand({ commandPrefix }: Host, transcript: Transcript | null): boolean {
  const mark = transcript?.format.queueMark ?? null;
  if (transcript === null || commandPrefix === null || mark === null) return false;
  const queued = transcript.format.queuedPrompts(rowsWith(mark, transcript.path));
  return queued.some((prompt) => commandIn(prompt, commandPrefix) !== null);
}

interface StopInput extends HookInput {
  readonly session: SessionId;
  readonly event: HostStop;
}

async function answerStop(
  machine: Machine,
  { host, form, hookTimeout }: Caller,
  { session, folder, transcriptPath, event }: StopInput,
): Promise<Answer> {
  const { kind, background, continuesHold, personPresent, holdCap, promptCap } = event;
  const transcript =
    transcriptPath === null || host.transcript === null
      ? null
      : { path: transcriptPath, format: host.transcript };
  const message = await lastMessage(event.message, transcript, { host, form });
  const said = await whatWasSaid(message);
  const known = await loopOfSession(machine, session);
  const isCancelled = known.type !== "none" && known.entry.isCancelled === true;
  // From here on the session has no loop; what another hook keeps may become one.
  if (isCancelled) forgetSession(machine.home, session, known.entry.loop);
  const found: SessionLoop = isCancelled ? { type: "none" } : known;
  const stop =
    kind === "end-of-turn" && found.type === "loop" && isUsersTurn(machine, session, host, transcript)
      ? "awaiting-user"
      : kind === "end-of-turn" && isOnlyWaiting(background, shellsAtLastStop(machine.home, session))
        ? "background-work"
        : kind;
  const isEnd = stop === "end-of-turn";
  // Only an end of work is a reason to read the stores of other hooks.
  const taken = isEnd
    ? await takeInStores(machine, found, {
        host,
        session,
        folder: folder ?? machine.cwd,
        reply: form,
        transcriptPath,
      })
    : null;
  if (taken !== null && taken.why !== null) return { reply: notHeld(oneLine(taken.why, 300)) };
  const own = taken?.own ?? found;
  if (isEnd && transcript !== null && message !== null && own.type !== "none")
    await untilWritten(transcript, message, { isPromised: transcriptOf(machine, session) !== null });
  const held = continuesHold ? (lastHeld(machine.home, session)?.times ?? 0) : 0;
  // Tool events before a mere pause in the work count toward its end.
  const activity = isEnd ? activityOf(machine, session, host) : { toolUses: null, edits: [] };
  const { verdict, loop } = await decideStop(
    machine,
    own,
    {
      session,
      stop,
      continuesHold,
      personPresent,
      holdCap,
      said,
      ...activity,
      ...(promptCap === null ? {} : { promptCap: { ...promptCap, held, host: host.title } }),
    },
    { transcript },
    { hookTimeout, signal: null },
  );
  if (loop !== null && own.type === "loop") {
    rememberShells(machine.home, session, background.shells);
    if (taken !== null) await writeBackForeign(machine, own.entry.root, loop, said);
    if (isEnding(verdict)) await learnFromIt(machine, own.known.live);
  }
  // What was to be shown of the last hold is out of date.
  if (verdict.type !== "hold") takeNews(machine.home, session);
  // Typed while the checks ran.
  if (verdict.type === "hold" && hasQueuedCommand(host, transcript)) return { reply: NO_REPLY };
  if (loop !== null && verdict.type === "hold" && verdict.because === "unfinished")
    leaveNews(machine.home, session, iterationLine(loop));
  const reply = replyTo(verdict, loop, host, { isFirstHold: personPresent && !continuesHold });
  if (reply.type === "hold" && !host.reportsTools)
    rememberHeld(machine.home, session, { times: held + 1, digest: digestOf(reply.reason) });
  const isForUser = form === "decision" && kind !== "subagent";
  if (reply.type === "silence" && isForUser && (isCancelled || own.type === "loop"))
    return sayingWhyNotHeld(machine, session, isCancelled ? known : own, host);
  if (own.type !== "loop" || isStillJudged(verdict)) return { reply };
  return {
    reply,
    delivered: () => {
      markTold({ home: machine.home, ...own.entry });
      if (loop?.phase === "paused") rememberPauseTold(machine, session, loop);
    },
  };
}

function sayingWhyNotHeld(
  machine: Pick<Machine, "home">,
  session: SessionId,
  own: SessionLoop,
  host: Host,
): Answer {
  const why = whyNotHeld(machine, session, own, host);
  return why === null
    ? { reply: NO_REPLY }
    : { reply: { type: "message", text: why.text }, delivered: why.delivered };
}

/** What the hook started goes on after it, and may still end the loop. */
function isStillJudged(verdict: Verdict): boolean {
  return verdict.type === "hold" && verdict.because === "checks-running";
}

function isEnding(verdict: Verdict): boolean {
  return verdict.type === "let-go" && (verdict.because === "completed" || verdict.because === "paused");
}

/**
 * What the agent said last. Some hosts only write it down, a moment later, and some send all of the turn with it. Hooks of the
 * form `exit2` read the transcript, so it is read for them too.
 */
async function lastMessage(
  sent: string | null,
  transcript: Transcript | null,
  { host, form }: Pick<Caller, "host" | "form">,
): Promise<string | null> {
  if (sent !== null && !host.isMessageInTranscript) return sent;
  if (form === "exit2" && !host.isMessageInTranscript) return writtenAnswer(transcript);
  if (transcript === null || !host.isMessageInTranscript) return sent;
  return (await awaitedAnswer(transcript, sent)) ?? sent;
}

function writtenAnswer(transcript: Transcript | null): string | null {
  const tail = transcript === null ? null : tailOf(transcript.path);
  return tail === null ? null : (transcript?.format.lastAnswer(tail) ?? null);
}

/** Without a session start only stops are reported, and nobody counted the tools. */
function activityOf(
  machine: Pick<Machine, "home">,
  session: SessionId,
  { reportsTools }: Host,
): Pick<StopRequest, "toolUses" | "edits"> {
  const activity = takeActivity(machine.home, session);
  const isCounted = reportsTools && findStart(machine.home, session) !== null;
  return isCounted ? activity : { ...activity, toolUses: null };
}

/** Some hosts report our own hold as a prompt, which is nobody's word. */
function isOwnHold({ home }: Pick<Machine, "home">, session: SessionId, text: string): boolean {
  return lastHeld(home, session)?.digest === digestOf(text);
}

/** By its words alone: hosts trim it. */
function digestOf(text: string): string {
  return createHash("sha256").update(text.trim()).digest("hex").slice(0, 32);
}

function notHeld(why: string): Reply {
  return { type: "message", text: `[LOOP] Not held: ${why}` };
}
