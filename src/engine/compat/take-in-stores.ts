import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import { isBoundTo, isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import { isAttested } from "../../core/stop/completion.ts";
import { readStateEdits, type StateEdits } from "./foreign-formats.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { DEFAULT_HOST, findHost } from "../../agents/hosts/hosts.ts";
import { typedAs } from "../../agents/hosts/typed-command.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { approvePlan } from "../../storage/home/approval-record.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { loopOfSession, appraiseLoop, type SessionLoop } from "../../storage/loops/known-loop.ts";
import { projectAt } from "../../storage/home/project.ts";
import { forgetSession } from "../../storage/home/session-files.ts";
import { readStateFile } from "../../storage/home/projections.ts";
import { adoptStore, type StoppingSession } from "./adopt-store.ts";
import { eventsOfStack, isSameOuter, knownFrames } from "./foreign-frames.ts";
import {
  foreignFile,
  readStore,
  taskListId,
  digestOfText,
  isAsLeft,
  readTrace,
  writeTrace,
} from "./stores.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { mirrorTaskList } from "./task-list-mirror.ts";

const SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

export interface TakenIn {
  /** Why this stop is not held, as a message for the user; null: decide. */
  readonly why: string | null;
  /** The session's loop now. */
  readonly own: SessionLoop;
}

/** Runs before a stop is decided: the stores of other hooks become part of this session's loop, or a new loop. */
export async function takeInStores(
  machine: Machine,
  own: SessionLoop,
  stopping: StoppingSession,
): Promise<TakenIn> {
  // The decision reports what is untrusted or damaged.
  if (own.type === "untrusted" || own.type === "unreadable") return { why: null, own };
  if (own.type === "loop") {
    const found = await appraiseLoop(own.known).catch(asUnreadable);
    if (found?.type !== "loop") return { why: null, own };
    const { live } = found;
    if (isBoundTo(live.loop, stopping.session) && !isEnded(live.loop) && !isReplaced(live)) {
      const why = await syncForeign(machine, live);
      if (why !== null || !isEnded(live.loop)) return { why, own };
    }
  }
  const why = await adoptStore(machine, stopping);
  // Always asked again: another stop of this session may have adopted the store meanwhile.
  return { why, own: await loopOfSession(machine, stopping.session) };
}

/** The decision runs into the same error and reports it. */
function asUnreadable(error: unknown): null {
  if (error instanceof JournalError) return null;
  throw error;
}

/** A paused loop's `state.json` was rewritten for something else. */
function isReplaced({ loop, project, cursor }: LiveLoop): boolean {
  if (loop.origin !== "state-file" || loop.phase !== "paused") return false;
  const edits = editsIn(project.root);
  return (
    edits !== null &&
    edits.status === "in_progress" &&
    edits.spec !== loop.frames[0].spec &&
    readStateFile(project, loop, cursor.seq).type === "edited"
  );
}

/**
 * Updates a loop from its store. An end there is an end here; counters only rise. Returns why the stop is not held if the store
 * cannot be read or says so itself.
 */
async function syncForeign(machine: Machine, live: LiveLoop): Promise<string | null> {
  switch (live.loop.origin) {
    case "native":
      await mirrorTaskList(machine, live);
      return null;
    case "task-list":
      if (taskListId(machine.env) === null) return "CLAUDE_CODE_TASK_LIST_ID is no longer set";
      if ((await mirrorTaskList(machine, live)) === "gone") await cancel(machine, live);
      return null;
    case "state-file":
      return syncStateFile(machine, live);
    case "idle-loop":
    case "jwz":
      return syncStack(machine, live, live.loop.origin);
  }
}

async function syncStack(
  machine: Machine,
  live: LiveLoop,
  origin: "idle-loop" | "jwz",
): Promise<string | null> {
  const { loop, project } = live;
  const store = await readStore(machine, project, origin);
  const trace = readTrace(machine.home, project.root, store);
  if (isAsLeft(trace, store)) return null;
  const { state } = store;
  if (loop.phase === "paused") {
    // After our own end, a running loop there is somebody's new one.
    if (trace?.ended === true && state.type === "running") await cancel(machine, live);
    return null;
  }
  if (state.type === "none" || state.type === "over") {
    await cancel(machine, live);
    return null;
  }
  if (state.type === "corrupt") return `${state.why}; repair or delete it`;
  const { frames } = state.loop;
  const known = knownFrames(origin, trace);
  if (!isSameOuter(frames, known)) {
    await cancel(machine, live);
    return null;
  }
  await live.record((current) => {
    const events = eventsOfStack(current, state.loop, known);
    if (events.length > 0) approvePlan(machine.home, project.root, evolveAll(current, events, machine.now()));
    return events;
  });
  const digest = digestOfText(store.text);
  writeTrace(machine.home, project.root, store, {
    loop: loop.id,
    digest,
    running: store.text,
    ended: false,
  });
  return null;
}

async function cancel(machine: Machine, live: LiveLoop): Promise<void> {
  const { binding, id } = await live.record((loop) =>
    isEnded(loop) ? [] : [{ type: "loop.cancelled", by: "person" }],
  );
  if (binding !== null) forgetSession(machine.home, binding.session, id);
}

/** Besides claims, an edit of the file may say that the loop is over, or ask for more. */
async function syncStateFile(machine: Machine, live: LiveLoop): Promise<string | null> {
  const { loop, project, cursor } = live;
  if (loop.phase !== "active" || readStateFile(project, loop, cursor.seq).type !== "edited") return null;
  const edits = editsIn(project.root);
  if (edits === null) return null;
  let why: string | null = null;
  const after = await live.record((current) => {
    why = null;
    if (current.phase !== "active") return [];
    const added = eventsOfNewCriteria(current, edits);
    const grown = added.length === 0 ? current : evolveAll(current, added, machine.now());
    if (added.length > 0) approvePlan(machine.home, project.root, grown);
    const host = findHost(grown.binding?.host) ?? DEFAULT_HOST;
    const end = isFinished(grown) ? null : endOf(edits, host);
    why = end?.why ?? null;
    return [...added, ...(end === null ? [] : [end.event])];
  });
  if (isEnded(after) && after.binding !== null) forgetSession(machine.home, after.binding.session, after.id);
  return why;
}

function editsIn(root: string): StateEdits | null {
  try {
    return readStateEdits(readBounded(foreignFile(projectAt(root), "state-file"), SIZE_LIMIT_BYTES));
  } catch {
    return null;
  }
}

function eventsOfNewCriteria(loop: Loop, edits: StateEdits): readonly LoopEvent[] {
  const known = new Set(topFrame(loop).criteria.map((criterion) => criterion.name));
  return edits.criteria
    .filter((name) => !known.has(name))
    .flatMap((name): readonly LoopEvent[] => {
      const added: LoopEvent = { type: "criterion.added", name, check: null, by: "agent" };
      const by = edits.met.get(name);
      if (by === undefined) return [added];
      return [
        added,
        { type: "criterion.attested", name, by, actor: "agent", note: null, source: "state-file" },
      ];
    });
}

/** Then the decision completes it, whatever else the file says. */
function isFinished(loop: Loop): boolean {
  const { criteria, exitSignal } = topFrame(loop);
  return exitSignal && criteria.every((each) => each.check === null && isAttested(each));
}

function endOf(
  edits: StateEdits,
  host: Host,
): { readonly event: LoopEvent; readonly why: string | null } | null {
  if (edits.status === "completed" || edits.status === "cancelled") {
    return { event: { type: "loop.cancelled", by: "agent" }, why: null };
  }
  if (edits.status !== "in_progress") {
    const detail = ".loop/state.json says so";
    return { event: { type: "loop.paused", reason: "user", detail, by: "agent" }, why: null };
  }
  if (!edits.isStuck) return null;
  const detail = ".loop/state.json says that it is stuck";
  return {
    event: { type: "loop.paused", reason: "stuck", detail, by: "agent" },
    why: `${detail}; resume with ${typedAs(host, "continue")}`,
  };
}
