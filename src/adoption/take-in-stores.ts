import type { LoopEvent } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import type { Loop } from "../core/loop.ts";
import { isEnded, topFrame } from "../core/loop.ts";
import { isAttested } from "../core/stop/completion.ts";
import { readStateWishes } from "./state-json.ts";
import type { StateWishes } from "./state-json.ts";
import type { Host } from "../hosts/host.ts";
import { DEFAULT_HOST, findHost } from "../hosts/hosts.ts";
import { typedAs } from "../hosts/typed-command.ts";
import { readBounded } from "../files/read-bounded.ts";
import { approvePlan } from "../store/loop-lock.ts";
import type { Standing } from "../loops/loop-store.ts";
import { transact } from "../loops/loop-store.ts";
import { projectAt } from "../store/project.ts";
import { findSession, forgetSession } from "../store/session-index.ts";
import { readStateFile } from "../store/state-file.ts";
import type { StoppingSession } from "./adopt-store.ts";
import { adoptStore } from "./adopt-store.ts";
import { inspectLoop } from "../loops/find-loop.ts";
import { eventsOfStack, isSameOuter, knownFrames } from "./adopted-frames.ts";
import { foreignFile, readStore, taskListId } from "./find-stores.ts";
import { digestOfText, isAsLeft, readTrace, writeTrace } from "./trace.ts";
import type { Machine } from "../loops/machine.ts";
import { mirrorTaskList } from "./task-list-mirror.ts";

const SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

export interface TakenIn {
  /** Why this stop is not held, to be told to the user; null: decide. */
  readonly why: string | null;
  /** The project of the session's loop, for writing back. */
  readonly root: string | null;
}

/** Before a stop is decided: what other hooks' stores say becomes part of this session's loop, or a loop of its own. */
export async function takeInStores(machine: Machine, stopping: StoppingSession): Promise<TakenIn> {
  const entry = findSession(machine.home, stopping.session);
  if (entry !== null) {
    const found = inspectLoop(machine, projectAt(entry.root), entry.loop);
    // What is untrusted or damaged is the decision's to tell.
    if (found.type !== "loop") return { why: null, root: null };
    const { loop } = found.standing;
    if (loop.binding?.session === stopping.session && !isEnded(loop) && !isReplaced(found.standing)) {
      const why = await syncForeign(machine, found.standing);
      const isOver = findSession(machine.home, stopping.session) === null;
      if (why !== null || !isOver) return { why, root: entry.root };
    }
  }
  const why = await adoptStore(machine, stopping);
  return { why, root: findSession(machine.home, stopping.session)?.root ?? null };
}

/** A paused loop's `state.json` was written anew for something else. */
function isReplaced({ loop, project, cursor }: Standing): boolean {
  if (loop.origin !== "state-file" || loop.phase !== "paused") return false;
  const wishes = wishesIn(project.root);
  return (
    wishes !== null &&
    wishes.status === "in_progress" &&
    wishes.spec !== loop.frames[0].spec &&
    readStateFile(project, loop, cursor.seq).type === "edited"
  );
}

/**
 * Brings a loop up to what its store says now. Ends there are ends here; counters only rise. Returns why
 * the stop is not held where the store cannot be understood or says so itself.
 */
async function syncForeign(machine: Machine, standing: Standing): Promise<string | null> {
  switch (standing.loop.origin) {
    case "native":
      await mirrorTaskList(machine, standing);
      return null;
    case "task-list":
      if (taskListId(machine.env) === null) return "CLAUDE_CODE_TASK_LIST_ID is no longer set";
      if ((await mirrorTaskList(machine, standing)) === "gone") await cancel(machine, standing);
      return null;
    case "state-file":
      return syncStateFile(machine, standing);
    case "idle-loop":
    case "jwz":
      return syncStack(machine, standing, standing.loop.origin);
  }
}

async function syncStack(
  machine: Machine,
  standing: Standing,
  origin: "idle-loop" | "jwz",
): Promise<string | null> {
  const { loop, project } = standing;
  const store = await readStore(machine, project, origin);
  const trace = readTrace(machine.home, project.root, store);
  if (isAsLeft(trace, store)) return null;
  const { state } = store;
  if (loop.phase === "paused") {
    // After our own end, whatever runs there is somebody's new loop.
    if (trace?.ended === true && state.type === "running") await cancel(machine, standing);
    return null;
  }
  if (state.type === "none" || state.type === "over") {
    await cancel(machine, standing);
    return null;
  }
  if (state.type === "corrupt") return `${state.why}; repair or delete it`;
  const { frames } = state.loop;
  const known = knownFrames(origin, trace);
  if (!isSameOuter(frames, known)) {
    await cancel(machine, standing);
    return null;
  }
  await transact(standing, machine.now, (current) => {
    const events = eventsOfStack(current, state.loop, known);
    if (events.length > 0) approvePlan(machine.home, project.root, evolveAll(current, events, machine.now()));
    return { events, result: undefined };
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

async function cancel(machine: Machine, standing: Standing): Promise<void> {
  const { standing: after } = await transact(standing, machine.now, (loop) => ({
    events: isEnded(loop) ? [] : [{ type: "loop.cancelled", by: "person" }],
    result: undefined,
  }));
  const { binding, id } = after.loop;
  if (binding !== null) forgetSession(machine.home, binding.session, id);
}

/** Beside its claims, an edit of the file may say that it is over, and may ask for more than before. */
async function syncStateFile(machine: Machine, standing: Standing): Promise<string | null> {
  const { loop, project, cursor } = standing;
  if (loop.phase !== "active" || readStateFile(project, loop, cursor.seq).type !== "edited") return null;
  const wishes = wishesIn(project.root);
  if (wishes === null) return null;
  const { result, standing: after } = await transact(standing, machine.now, (current) => {
    if (current.phase !== "active") return { events: [], result: null };
    const added = eventsOfNewCriteria(current, wishes);
    const grown = added.length === 0 ? current : evolveAll(current, added, machine.now());
    if (added.length > 0) approvePlan(machine.home, project.root, grown);
    const host = findHost(grown.binding?.host) ?? DEFAULT_HOST;
    const end = isFinished(grown) ? null : endOf(wishes, host);
    return { events: [...added, ...(end === null ? [] : [end.event])], result: end?.why ?? null };
  });
  if (isEnded(after.loop) && after.loop.binding !== null)
    forgetSession(machine.home, after.loop.binding.session, after.loop.id);
  return result;
}

function wishesIn(root: string): StateWishes | null {
  try {
    return readStateWishes(readBounded(foreignFile(projectAt(root), "state-file"), SIZE_LIMIT_BYTES));
  } catch {
    return null;
  }
}

function eventsOfNewCriteria(loop: Loop, wishes: StateWishes): readonly LoopEvent[] {
  const known = new Set(topFrame(loop).criteria.map((criterion) => criterion.name));
  return wishes.criteria
    .filter((name) => !known.has(name))
    .flatMap((name): readonly LoopEvent[] => {
      const added: LoopEvent = { type: "criterion.added", name, check: null, by: "agent" };
      if (!wishes.met.includes(name)) return [added];
      const by = "reasoned inference";
      return [added, { type: "criterion.attested", name, by, note: null, source: "state-file" }];
    });
}

/** Then the decision completes it, whatever else the file says. */
function isFinished(loop: Loop): boolean {
  const { criteria, exitSignal } = topFrame(loop);
  return exitSignal && criteria.every((each) => each.check === null && isAttested(each));
}

function endOf(
  wishes: StateWishes,
  host: Host,
): { readonly event: LoopEvent; readonly why: string | null } | null {
  if (wishes.status === "completed" || wishes.status === "cancelled") {
    return { event: { type: "loop.cancelled", by: "agent" }, why: null };
  }
  if (wishes.status !== "in_progress") {
    const detail = ".loop/state.json says so";
    return { event: { type: "loop.paused", reason: "user", detail, by: "agent" }, why: null };
  }
  if (!wishes.isStuck) return null;
  const detail = ".loop/state.json says that it is stuck";
  return {
    event: { type: "loop.paused", reason: "stuck", detail, by: "agent" },
    why: `${detail}; resume with ${typedAs(host, "continue")}`,
  };
}
