import type { LoopId, SessionId } from "../core/id.ts";
import { isEnded } from "../core/loop.ts";
import { callerOf } from "../hosts/caller.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LoopLock } from "../store/loop-lock.ts";
import { isTrusted, readLock } from "../store/loop-lock.ts";
import type { Standing } from "./loop-store.ts";
import { loadLoop } from "./loop-store.ts";
import type { Project } from "../store/project.ts";
import { findProject, listLoopIds, projectAt } from "../store/project.ts";
import { findSession } from "../store/session-index.ts";
import { oneLine } from "../text/plain-text.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "./user-error.ts";

/** What is found in a loop's folder. Only a trusted loop's words are shown, and only its commands run. */
export type FoundLoop =
  | { readonly type: "loop"; readonly id: LoopId; readonly standing: Standing; readonly lock: LoopLock }
  | { readonly type: "untrusted"; readonly id: LoopId }
  | { readonly type: "aborted"; readonly id: LoopId; readonly why: string }
  /** A later version of the program wrote it: it is left alone, and nothing is wrong with it. */
  | { readonly type: "newer"; readonly id: LoopId; readonly why: string };

export function inspectLoop(machine: Machine, project: Project, id: LoopId): FoundLoop {
  const isKnown = readLock(machine.home, project.root, id) !== null;
  if (!isKnown) return { type: "untrusted", id };
  try {
    const standing = loadLoop(project, id);
    const lock = readLock(machine.home, project.root, id);
    if (lock === null || !isTrusted(lock, standing.loop)) return { type: "untrusted", id };
    if (standing.damagedStateFile !== null && !isEnded(standing.loop)) {
      return { type: "aborted", id, why: `${standing.damagedStateFile}; repair or delete it` };
    }
    return { type: "loop", id, standing, lock };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { type: error.code === "newer" ? "newer" : "aborted", id, why: error.message };
  }
}

/** Every loop of the project, the last changed first. */
export function inspectLoops(machine: Machine, project: Project): readonly FoundLoop[] {
  const found = listLoopIds(project).map((id) => inspectLoop(machine, project, id));
  return found.sort((a, b) => changedAt(b) - changedAt(a));
}

export type ChosenLoop = Extract<FoundLoop, { type: "loop" }>;

/** `--loop ID`, else the caller's session's, else the only open one. */
export function chooseLoop(
  machine: Machine,
  wanted: string | undefined,
  options: { readonly anySession?: boolean } = {},
): ChosenLoop {
  const project = findProject(machine.cwd);
  if (wanted !== undefined)
    return expectUsable(inspectLoop(machine, project, openIdOf(machine, project, wanted)));
  const bound = loopOfCaller(machine);
  if (bound !== null) return bound;
  const found = inspectLoops(machine, project);
  const open = found.filter(
    (each) => each.type === "loop" && isOpenTo(machine, each, options.anySession === true),
  );
  const [only, ...others] = open;
  if (only !== undefined && others.length === 0) return expectUsable(only);
  if (only !== undefined) {
    const names = open.map((each) => each.id).join(", ");
    throw new UserError(`Several loops are open here; choose one with --loop ID: ${names}`);
  }
  const unusable = found.find((each) => each.type !== "loop");
  if (unusable !== undefined) return expectUsable(unusable);
  throw new UserError(`No loop is open in ${project.root}; open one with: loop run "what you want"`);
}

/** Whether a command that is typed here has to name the loop it means. */
export function areSeveralOpen(machine: Machine, project: Project): boolean {
  const open = inspectLoops(machine, project).filter(
    (each) => each.type === "loop" && !isEnded(each.standing.loop),
  );
  return open.length > 1;
}

/** For looking back: without an open loop, the one that changed last. */
export function chooseLoopToRead(machine: Machine, wanted: string | undefined): ChosenLoop {
  const project = findProject(machine.cwd);
  const found = inspectLoops(machine, project);
  const latest = found.find((each) => each.type === "loop");
  const isNoneOpen = found.every((each) => each.type !== "loop" || isEnded(each.standing.loop));
  return wanted === undefined && latest !== undefined && isNoneOpen ? latest : chooseLoop(machine, wanted);
}

/** The one whose run worked last, open or not: what it did is what can be undone. */
export function chooseLoopToUndo(machine: Machine, wanted: string | undefined): ChosenLoop {
  const found = inspectLoops(machine, findProject(machine.cwd));
  const latest = found.find((each) => each.type === "loop" && each.standing.loop.driven !== null);
  return wanted === undefined && latest?.type === "loop" ? latest : chooseLoopToRead(machine, wanted);
}

/** Open, and not another session's: an agent gets at that one only by naming it. */
function isOpenTo(machine: Machine, { standing: { loop } }: ChosenLoop, anySession: boolean): boolean {
  if (isEnded(loop)) return false;
  if (anySession) return true;
  const caller = callerOf(machine.env);
  return caller.kind === "person" || loop.binding === null || loop.binding.session === caller.session;
}

function loopOfCaller(machine: Machine): ChosenLoop | null {
  const caller = callerOf(machine.env);
  return caller.kind === "agent" && caller.session !== null
    ? openLoopOfSession(machine, caller.session)
    : null;
}

/** The open loop that is bound to a session, wherever it is. */
export function openLoopOfSession(machine: Machine, session: SessionId): ChosenLoop | null {
  const entry = findSession(machine.home, session);
  if (entry === null) return null;
  const found = inspectLoop(machine, projectAt(entry.root), entry.loop);
  if (found.type !== "loop" || isEnded(found.standing.loop)) return null;
  return found.standing.loop.binding?.session === session ? found : null;
}

/** Of several loops that a beginning fits, the open one is meant. */
function openIdOf(machine: Machine, project: Project, wanted: string): LoopId {
  const fitting = inspectLoops(machine, project).filter((each) => each.id.startsWith(wanted));
  const open = fitting.filter((each) => each.type === "loop" && !isEnded(each.standing.loop));
  const [only, ...others] = open;
  return only !== undefined && others.length === 0 ? only.id : loopIdOf(project, wanted);
}

/** A whole id, or the beginning of just one. */
export function loopIdOf(project: Project, wanted: string): LoopId {
  const ids = listLoopIds(project);
  const matching = ids.filter((id) => id === wanted || id.startsWith(wanted));
  const exact = matching.find((id) => id === wanted);
  const [only, ...others] = matching;
  if (exact !== undefined) return exact;
  if (only === undefined)
    throw new UserError(`No loop here is called "${oneLine(wanted, 80)}"; see them with: loop status --all`);
  if (others.length > 0)
    throw new UserError(`"${oneLine(wanted, 80)}" could be ${matching.join(" or ")}; write more of it`);
  return only;
}

function expectUsable(found: FoundLoop): ChosenLoop {
  switch (found.type) {
    case "loop":
      return found;
    case "untrusted":
      throw new UserError(
        `The loop ${found.id} was not opened on this machine, or its checks were changed; see it with: loop trust ${found.id}`,
      );
    case "aborted":
      throw new UserError(
        `The loop ${found.id} is aborted: ${found.why}. Nothing was changed; its folder is left for inspection.`,
      );
    case "newer":
      throw new UserError(`The loop ${found.id} is left alone: ${found.why}.`);
  }
}

function changedAt(found: FoundLoop): number {
  return found.type === "loop" ? found.standing.loop.updatedAt : 0;
}
