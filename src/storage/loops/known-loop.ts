import { join } from "node:path";
import type { LoopId, SessionId } from "../../core/loop/id.ts";
import type { Loop, Driven, ProcessMark } from "../../core/loop/loop.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LocalLoop, ApprovalRecord } from "../home/approval-record.ts";
import {
  approvalsElsewhere,
  isTrusted,
  readApproval,
  isApprovalUnreadable,
} from "../home/approval-record.ts";
import { keepPrivate, linkBelow, isBelowRoot, workingDirectoryOf, projectAt } from "../home/project.ts";
import type { Project, CallerLocation, WorkingDirectory } from "../home/project.ts";
import { openLiveLoop, type LiveLoop } from "./live-loop.ts";
import type { Machine } from "./machine.ts";
import { findSession, isEntryUnreadable, type SessionEntry } from "../home/session-files.ts";
import { UserError } from "../../core/user-error.ts";
import { isCommitDue } from "../../core/loop/commit.ts";
import { isBoundTo, isEnded, isDriven } from "../../core/loop/loop.ts";
import { isStillAlive } from "../../system/process/process-facts.ts";

/** What finding and reading loops needs of the machine. */
export type Records = Pick<Machine, "home" | "now" | "env" | "journals">;

/** A loop with its approval record. */
export interface KnownLoop {
  readonly id: LoopId;
  readonly live: LiveLoop;
  readonly approval: ApprovalRecord;
  readonly workingDirectory: WorkingDirectory;
}

/** How this machine's own files name a loop. */
export function localLoop(
  { home }: Pick<Machine, "home">,
  { id, live }: Pick<KnownLoop, "id" | "live">,
): LocalLoop {
  return { home, root: live.project.root, loop: id };
}

/** Where somebody stands who stands where the loop works. */
export function callerLocationOf({ live }: Pick<KnownLoop, "live">): CallerLocation {
  return { project: live.project, folder: live.loop.folder };
}

/** null: this machine knows nothing of it, and then its files are not even read; or its folder leads out of its worktree. */
export async function openKnown(machine: Records, project: Project, id: LoopId): Promise<KnownLoop | null> {
  const local = { home: machine.home, root: project.root, loop: id };
  const known = readApproval(local);
  if (known === null) return endedElsewhere(machine, project, local);
  const link = linkBelow(project, id);
  if (link !== null) throw new JournalError("unreadable", link);
  for (const folder of [machine.home, join(project.folder, "loops")]) keepPrivate(folder);
  const live = await openLiveLoop(machine, project, id);
  const approval = isTrusted(known, live.loop) ? known : readApproval(local);
  if (approval === null) return null;
  const workingDirectory = workingDirectoryOf(project, approval.worktree, live.loop.folder);
  const folders = foldersOfChecks(live.loop).map((folder) =>
    workingDirectoryOf(project, approval.worktree, folder),
  );
  return [workingDirectory, ...folders].every(isBelowRoot) ? { id, live, approval, workingDirectory } : null;
}

/**
 * A loop that ended before its project was moved or copied. Nothing of it runs any more, so it needs no approval here; its record is
 * read only where this machine has approved exactly that plan elsewhere.
 */
async function endedElsewhere(
  machine: Records,
  project: Project,
  local: LocalLoop,
): Promise<KnownLoop | null> {
  const approvals = approvalsElsewhere(local);
  if (approvals.length === 0 || linkBelow(project, local.loop) !== null) return null;
  const live = await openLiveLoop(machine, project, local.loop);
  const { loop } = live;
  const approval = approvals.find((each) => isTrusted(each, loop));
  if (approval === undefined || !isEnded(loop) || isCommitDue(loop)) return null;
  const workingDirectory = workingDirectoryOf(project, null, "");
  return {
    id: local.loop,
    live,
    approval: { ...approval, root: project.root, worktree: null },
    workingDirectory,
  };
}

function foldersOfChecks({ frames, mustNots }: Loop): readonly string[] {
  const checks = [
    ...frames.flatMap(({ criteria }) => criteria.map(({ check }) => check)),
    ...mustNots.map((each) => (each.kind === "run" ? each.check : null)),
  ];
  return [...new Set(checks.flatMap((check) => check?.folder ?? []))];
}

/** A session's loop, looked up once per call of a hook. */
export type SessionLoop =
  | { readonly type: "none" }
  | { readonly type: "untrusted"; readonly entry: SessionEntry }
  | { readonly type: "unreadable"; readonly entry: SessionEntry; readonly error: JournalError }
  | { readonly type: "loop"; readonly entry: SessionEntry; readonly known: KnownLoop };

export async function loopOfSession(machine: Records, session: SessionId): Promise<SessionLoop> {
  const entry = findSession(machine.home, session);
  if (entry === null) {
    if (!isEntryUnreadable(machine.home, session)) return { type: "none" };
    throw new UserError(`The records of this session in ${machine.home} cannot be read; run loop doctor.`);
  }
  try {
    const known = await openKnown(machine, projectAt(entry.root), entry.loop);
    const isHeldToSomething = known !== null && known.approval.approved.length > 0;
    if (isHeldToSomething || !isApprovalUnreadable({ home: machine.home, ...entry }))
      return known === null ? { type: "untrusted", entry } : { type: "loop", entry, known };
    throw new UserError(
      `The lock of the loop ${entry.loop} cannot be read; repair ${machine.home}, or approve the loop again: loop trust ${entry.loop}`,
    );
  } catch (error) {
    if (error instanceof JournalError) return { type: "unreadable", entry, error };
    throw error;
  }
}

/** What is in a loop's folder. Only a trusted loop's text is shown, and only its commands run. */
export type FoundLoop =
  | ({ readonly type: "loop" } & KnownLoop)
  /** `isChanged`: this machine approved it as it was before. */
  | { readonly type: "untrusted"; readonly id: LoopId; readonly isChanged: boolean }
  | { readonly type: "aborted"; readonly id: LoopId; readonly why: string }
  /** A later version of the program wrote it: not usable here, but nothing is wrong with it. */
  | { readonly type: "newer"; readonly id: LoopId; readonly why: string };

export async function inspectLoop(machine: Records, project: Project, id: LoopId): Promise<FoundLoop> {
  try {
    const opened = await openKnown(machine, project, id);
    return opened === null ? { type: "untrusted", id, isChanged: false } : await appraiseLoop(opened);
  } catch (error) {
    return unreadableFor(error, id);
  }
}

function unreadableFor(error: unknown, id: LoopId): FoundLoop {
  if (!(error instanceof JournalError)) throw error;
  return { type: error.code === "newer" ? "newer" : "aborted", id, why: error.message };
}

/** Inspects a loop again that was found before. */
export async function lookAgain(machine: Pick<Machine, "home">, chosen: KnownLoop): Promise<FoundLoop> {
  const { id, live } = chosen;
  try {
    const { loop } = live;
    // If nothing was recorded, nothing was approved either.
    if ((await live.refresh()) === loop) return { type: "loop", ...chosen };
    const approval = readApproval(localLoop(machine, chosen));
    return approval === null
      ? { type: "untrusted", id, isChanged: false }
      : await appraiseLoop({ ...chosen, approval });
  } catch (error) {
    return unreadableFor(error, id);
  }
}

/** The current state of a loop that was opened before. */
export async function appraiseLoop(opened: KnownLoop): Promise<FoundLoop> {
  const { id, live, approval } = opened;
  const { loop, damage } = await live.look();
  if (!isTrusted(approval, loop)) return { type: "untrusted", id, isChanged: true };
  if (damage !== null && !isEnded(loop))
    return { type: "aborted", id, why: `${damage}; repair or delete it` };
  return { type: "loop", ...opened };
}

/** All loops of the project, each opened; the last changed comes first. Attempts are part of their workflow, and found by their ids only. */
export async function inspectLoops(machine: Records, project: Project): Promise<readonly FoundLoop[]> {
  const ids = await machine.journals(project).list();
  const found = await Promise.all(ids.map(async (id) => await inspectLoop(machine, project, id)));
  return byLastChange(found.filter((each) => !isAttempt(each)));
}

export function byLastChange(found: readonly FoundLoop[]): readonly FoundLoop[] {
  return found.toSorted((one, other) => changedAt(other) - changedAt(one));
}

export function isAttempt(found: FoundLoop): boolean {
  return found.type === "loop" && found.live.loop.attemptOf !== null;
}

/** The open loop bound to a session, wherever it is. */
export async function openLoopOfSession(machine: Records, session: SessionId): Promise<KnownLoop | null> {
  const entry = findSession(machine.home, session);
  if (entry === null) return null;
  const found = await inspectLoop(machine, projectAt(entry.root), entry.loop);
  if (found.type !== "loop" || isEnded(found.live.loop)) return null;
  return isBoundTo(found.live.loop, session) ? found : null;
}

/** A loop that a newer program wrote to still belongs to its session, although this version cannot read it. */
export async function expectNoNewerLoop(machine: Records, session: SessionId): Promise<void> {
  const entry = findSession(machine.home, session);
  if (entry === null) return;
  const found = await inspectLoop(machine, projectAt(entry.root), entry.loop);
  if (found.type === "newer")
    throw new UserError(`This session has the loop ${found.id}, which cannot be used: ${found.why}.`);
}

export function isOpen(found: FoundLoop): found is Extract<FoundLoop, { type: "loop" }> {
  return found.type === "loop" && !isEnded(found.live.loop);
}

function changedAt(found: FoundLoop): number {
  return found.type === "loop" ? found.live.loop.updatedAt : 0;
}

/** The process of the run that has the loop; null if there is none or it is gone. */
export function livingDriver(loop: Loop): ProcessMark | null {
  const driver = loop.driven?.process ?? null;
  return driver !== null && isStillAlive(driver) ? driver : null;
}

/** The run that drove it is gone and did not pause it. */
export function isAbandoned(loop: Loop): boolean {
  return loop.phase === "active" && isDriven(loop) && !isDrivenNow(loop);
}

type DrivenNow = Loop & { readonly driven: Driven & { readonly process: ProcessMark } };

/** The loop belongs to a run whose process lives. */
export function isDrivenNow(loop: Loop): loop is DrivenNow {
  return isDriven(loop) && livingDriver(loop) !== null;
}
