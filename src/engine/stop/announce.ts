import { isMet, standardOf } from "../../core/loop/criterion.ts";
import type { SessionId } from "../../core/loop/id.ts";
import { isBoundTo, isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { NO_REPLY, type HookAnswer, type Reply } from "../../agents/hosts/reply.ts";
import { typedAs } from "../../agents/hosts/typed-command.ts";
import { findProject } from "../../storage/home/project.ts";
import { forgetOldSessions, recordStart, type SessionStart } from "../../storage/home/session-files.ts";
import { agentProgram } from "../../agents/hosts/caller.ts";
import { pausedText, resumeForAgent } from "../../views/loop-lines.ts";
import { pausedInSession } from "../../views/reply.ts";
import { isOwn } from "../../storage/loops/choose-loop.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { KnownLoop, FoundLoop } from "../../storage/loops/known-loop.ts";
import { openLoopOfSession } from "../../storage/loops/known-loop.ts";
import { surveyLoops } from "../../storage/loops/survey-loops.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { otherSessionOf } from "../lifecycle/expect-person.ts";
import { OWN_VERSION, otherVersionNotice } from "../lifecycle/other-version.ts";
import { rememberPauseTold } from "./no-longer-held.ts";
import { startOfSpending } from "./spending.ts";
import { isUntold, markTold } from "../../storage/home/approval-marks.ts";
import { endedMeanwhileLine, endedMeanwhileText } from "../../views/completion.ts";
import { resumeCommand } from "../../views/next-action.ts";

interface StartedSession {
  readonly host: Host;
  readonly transcriptPath: string | null;
  readonly folder: string;
}

/**
 * A session starts, resumes or was compacted. A loop of this conversation is announced to the model, and to the user if it is paused.
 * Any other active or paused loop of the project is announced only to the user, who alone may take it over.
 */
export async function announceLoops(
  machine: Machine,
  session: SessionId,
  { host, transcriptPath, folder }: StartedSession,
): Promise<Announced> {
  recordStart(machine.home, session, {
    startedAt: machine.now(),
    transcriptPath,
    host: host.id,
    ...(OWN_VERSION === null ? {} : { version: OWN_VERSION }),
    ...clientAbove(machine, host),
  });
  forgetOldSessions(machine.home, machine.now());
  const { toUser, toModel, endings, pause } = await announcement(machine, session, { host, folder });
  const lines = [otherVersionNotice(machine.env), ...endings.map(({ text }) => text), toUser];
  const text = lines.filter((line) => line !== null).join("\n");
  const ofOwn = endings.filter(({ loop }) => isBoundTo(loop, session)).map(({ line }) => line);
  const model = [...ofOwn, ...(toModel === null ? [] : [toModel])].join("\n");
  const reply = replyOf(text, model);
  if (endings.length === 0 && pause === null) return { reply };
  return {
    reply,
    delivered: () => {
      for (const ending of endings) ending.markTold();
      if (pause !== null) rememberPauseTold(machine, session, pause);
    },
  };
}

/** The process of the host that calls; when it is gone, so is the session. */
function clientAbove({ processes }: Pick<Machine, "processes">, { id }: Host): Pick<SessionStart, "client"> {
  const client = processes.processesAbove().find(({ words }) => agentProgram(words) === id);
  return client === undefined ? {} : { client: client.mark };
}

interface Announced extends Pick<HookAnswer, "delivered"> {
  readonly reply: Reply;
}

function replyOf(toUser: string, toModel: string): Reply {
  if (toModel !== "") return { type: "announcement", text: toModel, toUser: toUser === "" ? null : toUser };
  return toUser === "" ? NO_REPLY : { type: "message", text: toUser };
}

interface Announcement {
  readonly toUser: string | null;
  readonly toModel: string | null;
  /** What ended when nobody was left to be told. */
  readonly endings: readonly UnreportedEnding[];
  /** The session's own loop, if the user is told that it is paused. */
  readonly pause: Loop | null;
}

const NOTHING: Announcement = { toUser: null, toModel: null, endings: [], pause: null };

async function announcement(
  machine: Machine,
  session: SessionId,
  { host, folder }: Pick<StartedSession, "host" | "folder">,
): Promise<Announcement> {
  const own = await openLoopOfSession(machine, session);
  if (own !== null) {
    await beginSpending(machine, own, session);
    if (own.live.loop.phase === "active") return { ...NOTHING, toModel: resumeText(own) };
    const ending = unreportedEnding(machine, own, host);
    return ending === null
      ? ofOwnPaused(own.live.loop, host)
      : { ...NOTHING, endings: [ending], pause: ending.loop };
  }
  const { found } = await surveyLoops(machine, findProject(folder));
  const endings = unreportedEndings(machine, found, host);
  const others = found.filter(isOwn).map(({ live }) => live.loop);
  const untold = others.filter(({ id }) => !endings.some(({ loop }) => loop.id === id));
  const active = untold.filter(({ phase }) => phase === "active");
  const taken = active.filter((loop) => otherSessionOf(machine, loop, session)?.isAlive === true);
  const free = active.filter((loop) => !taken.includes(loop));
  const lines = [takenLine(taken, host), activeLine(free, host), ...pausedLines(untold, host)].filter(
    (line) => line !== null,
  );
  return { ...NOTHING, endings, toUser: lines.length === 0 ? null : lines.join("\n") };
}

/** The user resumes it; the agent only has to know that it rests. */
function ofOwnPaused(loop: Loop, host: Host): Announcement {
  if (loop.phase !== "paused") return NOTHING;
  const [first] = pausedText(loop).split("\n");
  const resume = typedAs(host, "continue");
  return {
    ...NOTHING,
    pause: loop,
    toUser: pausedInSession(loop, host),
    toModel: `${first}. Leave its work alone until the user resumes it with ${resume}.`,
  };
}

/** Nobody is handed the way to take over what somebody else works on. */
function takenLine(loops: readonly Loop[], host: Host): string | null {
  if (loops.length === 0) return null;
  const ids = loops.map(({ id }) => id).join(", ");
  return `[LOOP] Active in this project: ${ids}. Somebody else works on it now. See it: ${typedAs(host, "status")}`;
}

function activeLine(loops: readonly Loop[], host: Host): string | null {
  const active = loops.map(({ id }) => id);
  const [first] = active;
  if (first === undefined) return null;
  const id = active.length === 1 ? first : "ID";
  return `[LOOP] Active in this project: ${active.join(", ")}. ${choicesFor(host, id, `continue --loop=${id}`)}`;
}

const MOST_PAUSED = 3;

/** Those that changed last. */
function pausedLines(loops: readonly Loop[], host: Host): readonly string[] {
  const paused = loops
    .flatMap((loop) => (loop.phase === "paused" ? [loop] : []))
    .toSorted((one, other) => other.updatedAt - one.updatedAt);
  const lines = paused.slice(0, MOST_PAUSED).map((loop) => {
    const detail = loop.detail === null ? "" : ` (${oneLine(loop.detail, 200)})`;
    const resume = `${resumeCommand(loop).replace(/^loop /, "")} --loop=${loop.id}`;
    return `[LOOP] ⏸ Paused in this project: ${loop.id}: ${loop.reason}${detail}. ${choicesFor(host, loop.id, resume)}`;
  });
  const more = paused.length - lines.length;
  return more > 0 ? [...lines, `[LOOP] ⏸ ${more} more are paused: ${typedAs(host, "status")}`] : lines;
}

/** What the user may type about a loop of another session. */
function choicesFor(host: Host, id: string, resuming: string): string {
  const [resume, status, start] = [resuming, "status", "start"].map((command) => typedAs(host, command));
  return `Resume it here: ${resume}. See it: ${status}. Start fresh: ${start} --start-fresh --loop=${id} SPEC`;
}

/** A loop opened for a session that hadn't started yet has no point to count spending from. */
async function beginSpending(machine: Machine, { live }: KnownLoop, session: SessionId): Promise<void> {
  if (live.loop.transcriptCursor !== null) return;
  await live.record((loop) =>
    loop.transcriptCursor === null && !isEnded(loop) ? startOfSpending(machine, session) : [],
  );
}

function resumeText({ live: { loop } }: KnownLoop): string {
  const standard = standardOf(loop);
  const unmet = topFrame(loop).criteria.filter((each) => !isMet(each, standard));
  return resumeForAgent(
    loop,
    unmet.map((each) => each.name),
  );
}

/** A loop that a stop ended or paused, and nobody heard of it: its client was killed while the hook worked. */
interface UnreportedEnding {
  readonly loop: Loop;
  readonly line: string;
  /** The line and, of a plan, its tasks and verdict. */
  readonly text: string;
  readonly markTold: () => void;
}

function unreportedEndings(
  machine: Pick<Machine, "home">,
  found: readonly FoundLoop[],
  host: Pick<Host, "commandPrefix">,
): readonly UnreportedEnding[] {
  return found.flatMap((each) => (each.type === "loop" ? (unreportedEnding(machine, each, host) ?? []) : []));
}

export async function unreportedEndingsHere(
  machine: Machine,
  host: Pick<Host, "commandPrefix">,
): Promise<readonly UnreportedEnding[]> {
  const { found } = await surveyLoops(machine, findProject(machine.cwd));
  return unreportedEndings(machine, found, host);
}

function unreportedEnding(
  { home }: Pick<Machine, "home">,
  { id, live: { loop, project } }: KnownLoop,
  host: Pick<Host, "commandPrefix">,
): UnreportedEnding | null {
  const whose = { home, root: project.root, loop: id };
  if (loop.phase === "active" || loop.phase === "cancelled" || !isUntold(whose)) return null;
  // Who paused it knows.
  if (loop.phase === "paused" && loop.reason === "user") return null;
  const resume = resumeWords(loop, host);
  return {
    loop,
    line: endedMeanwhileLine(loop, resume),
    text: endedMeanwhileText(loop, resume),
    markTold: () => markTold(whose),
  };
}

function resumeWords(loop: Loop, host: Pick<Host, "commandPrefix">): string {
  if (loop.phase !== "paused") return "";
  return `${resumeCommand(loop).replace(/^loop /, typedAs(host, ""))} --loop=${loop.id}`;
}
