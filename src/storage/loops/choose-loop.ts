import type { LoopId } from "../../core/loop/id.ts";
import { isCommitDue } from "../../core/loop/commit.ts";
import { elsewhereOf } from "../home/elsewhere.ts";
import { findProject, type Project } from "../home/project.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { KnownLoop, FoundLoop } from "./known-loop.ts";
import { followEntries } from "./journal-entries.ts";
import { lastEnded, surveyLoops } from "./survey-loops.ts";
import { inspectLoop, inspectLoops, isOpen, localLoop, openLoopOfSession } from "./known-loop.ts";
import type { Machine } from "./machine.ts";
import { callerNow } from "./caller-now.ts";
import { UserError } from "../../core/user-error.ts";
import { listed } from "../../core/listed.ts";

const MOST_LISTED = 10;

interface ChooseOptions {
  readonly anySession?: boolean;
  /** Nothing is done with it, so it may be a copy of what is made elsewhere. */
  readonly isRead?: boolean;
}

/** `--loop ID`, otherwise the caller's session's, otherwise the only open one. */
export async function chooseLoop(
  machine: Machine,
  wanted: string | undefined,
  options: ChooseOptions = {},
): Promise<KnownLoop> {
  const chosen = await chooseLoopIfAny(machine, wanted, options);
  if (chosen !== null) return chosen;
  throw new UserError(await nothingOpen(machine, findProject(machine.cwd), options));
}

/** An agent without a loop of its own reads which ones others have, and a person that theirs has ended. */
async function nothingOpen(
  machine: Machine,
  project: Project,
  { isRead = false }: ChooseOptions,
): Promise<string> {
  const survey = await surveyLoops(machine, project);
  const others = survey.found.filter(isOwn).map(({ id }) => id);
  if (others.length > 0)
    return `No loop is open in this session. ${others.length === 1 ? "Another one has" : "Others have"} ${listed(others, MOST_LISTED)}; name one with --loop ID, or open your own with: loop start "what you want"`;
  const last = await lastEnded(machine, project, survey);
  // Who reads could have read an ended one.
  if (last === null && isRead)
    return `There is no loop in ${project.root} yet. Start one with: loop run "what you want"`;
  return last === null
    ? `No loop is open in ${project.root}; open one with: loop run "what you want"`
    : `No loop is open in ${project.root}: ${last.id} is ${last.live.loop.phase}. Open another one with: loop run "what you want"`;
}

/** The same; null: none is open. */
export async function chooseLoopIfAny(
  machine: Machine,
  wanted: string | undefined,
  options: ChooseOptions = {},
): Promise<KnownLoop | null> {
  const project = findProject(machine.cwd);
  if (wanted !== undefined) {
    const named = expectUsable(await loopNamed(machine, project, wanted));
    if (options.isRead !== true) expectHere(machine, named);
    return named;
  }
  const bound = await loopOfCaller(machine);
  if (bound !== null) return bound;
  const { found } = await surveyLoops(machine, project);
  const open = found.filter(isOwn).filter((each) => isOpenTo(machine, each, options.anySession === true));
  const [only, ...others] = open;
  if (only !== undefined && others.length === 0) return expectUsable(only);
  if (only !== undefined) {
    const names = open.map((each) => each.id).join(", ");
    throw new UserError(`Several loops are open here; choose one with --loop ID: ${names}`);
  }
  // A run that was killed before its last step.
  const due = found.find((each) => each.type === "loop" && isCommitDue(each.live.loop));
  if (due !== undefined && options.anySession === true) return expectUsable(due);
  const unusable = found.find((each) => each.type !== "loop");
  return unusable === undefined ? null : expectUsable(unusable);
}

/** All that a bare command could mean; an agent's are its session's. */
export async function chooseAllOpen(machine: Machine): Promise<readonly KnownLoop[]> {
  const project = findProject(machine.cwd);
  const { found } = await surveyLoops(machine, project);
  const open = found.filter(isOwn).filter((each) => isOpenTo(machine, each, false));
  if (open.length === 0) throw new UserError(`No loop is open in ${project.root}.`);
  return open;
}

/** Whether a command typed here has to name its loop. */
export async function areSeveralOpen(machine: Machine, project: Project): Promise<boolean> {
  return (await surveyLoops(machine, project)).found.filter(isOwn).length > 1;
}

/** Open, and not an attempt at a task: that is its workflow's, and is meant only when it is named. */
export function isOwn(found: FoundLoop): found is Extract<FoundLoop, { type: "loop" }> {
  return isOpen(found) && found.live.loop.attemptOf === null;
}

/** For reading: without an open loop, the one that changed last. */
export async function chooseLoopToRead(machine: Machine, wanted: string | undefined): Promise<KnownLoop> {
  if (wanted !== undefined) return chooseLoop(machine, wanted, { isRead: true });
  const project = findProject(machine.cwd);
  const survey = await surveyLoops(machine, project);
  const latest = survey.found.some(isOpen) ? null : await lastEnded(machine, project, survey);
  return latest ?? chooseLoop(machine, undefined, { isRead: true });
}

/** The loop whose run worked last, open or not: its work can be undone. */
export async function chooseLoopToUndo(machine: Machine, wanted: string | undefined): Promise<KnownLoop> {
  if (wanted !== undefined) return chooseLoop(machine, wanted);
  const found = await inspectLoops(machine, findProject(machine.cwd));
  const driven = found
    .filter((each) => each.type === "loop")
    .filter((each) => each.live.loop.driven !== null && elsewhereOf(localLoop(machine, each)) === null);
  return (await lastWorkedOn(driven)) ?? chooseLoopToRead(machine, undefined);
}

/** Of loops, the last changed first: a loop that was only cancelled or resumed since has changed, and nobody worked on it. */
async function lastWorkedOn(loops: readonly KnownLoop[]): Promise<KnownLoop | null> {
  let last: { readonly loop: KnownLoop; readonly at: number } | null = null;
  for (const loop of loops) {
    // Nobody worked on those that are left after their last change.
    if (last !== null && loop.live.loop.updatedAt <= last.at) break;
    const at = await workedAt(loop.live);
    if (last === null || at > last.at) last = { loop, at };
  }
  return last?.loop ?? null;
}

async function workedAt({ journal, loop }: KnownLoop["live"]): Promise<number> {
  const entries = await followEntries(journal)();
  const work = entries.findLast(
    ({ event: { type } }) => type === "turn.launched" || type === "attempt.started" || type === "turn.ended",
  );
  return work?.at ?? loop.openedAt;
}

/** Not another session's: an agent has to name that one. */
function isOpenTo(machine: Machine, { live: { loop } }: KnownLoop, anySession: boolean): boolean {
  if (anySession) return true;
  const caller = callerNow(machine);
  return caller.kind === "person" || loop.binding === null || loop.binding.session === caller.session;
}

async function loopOfCaller(machine: Machine): Promise<KnownLoop | null> {
  const caller = callerNow(machine);
  return caller.kind === "agent" && caller.session !== null
    ? openLoopOfSession(machine, caller.session)
    : null;
}

/** A whole id or its start; of several matches, the open one. */
async function loopNamed(machine: Machine, project: Project, wanted: string): Promise<FoundLoop> {
  const fitting = await idsFitting(machine, project, wanted);
  const found = await Promise.all(fitting.map(async (id) => inspectLoop(machine, project, id)));
  const [open, ...others] = found.filter(isOpen);
  if (open !== undefined && others.length === 0) return open;
  return inspectLoop(machine, project, onlyOne(fitting, wanted));
}

/** A whole id, or the start of exactly one. */
export async function loopIdOf(machine: Machine, project: Project, wanted: string): Promise<LoopId> {
  return onlyOne(await idsFitting(machine, project, wanted), wanted);
}

async function idsFitting(
  machine: Pick<Machine, "journals">,
  project: Project,
  wanted: string,
): Promise<readonly LoopId[]> {
  const ids = await machine.journals(project).list();
  return ids.filter((id) => id.startsWith(wanted));
}

function onlyOne(fitting: readonly LoopId[], wanted: string): LoopId {
  const exact = fitting.find((id) => id === wanted);
  const [only, ...others] = fitting;
  if (exact !== undefined) return exact;
  if (only === undefined)
    throw new UserError(`No loop here is called "${oneLine(wanted, 80)}"; list them with: loop status --all`);
  if (others.length > 0)
    throw new UserError(
      `"${oneLine(wanted, 80)}" could be ${fitting.toSorted().join(" or ")}; type more of it`,
    );
  return only;
}

/** Where an attempt is made whose journal is only copied here; null: here. */
export function placeOf(machine: Pick<Machine, "home">, known: KnownLoop): string | null {
  return known.live.loop.attemptOf === null ? null : (elsewhereOf(localLoop(machine, known))?.place ?? null);
}

/** An attempt that a worker makes has its files and its own journal there. */
function expectHere(machine: Machine, known: KnownLoop): void {
  const { attemptOf } = known.live.loop;
  const place = placeOf(machine, known);
  if (attemptOf === null || place === null) return;
  throw new UserError(
    `The attempt ${known.id} is made ${oneLine(place, 300)}, and only its journal is copied here; look at its files or approve them there, and tell, pause, continue or cancel its plan here with --loop ${attemptOf.loop}`,
  );
}

function expectUsable(found: FoundLoop): KnownLoop {
  switch (found.type) {
    case "loop":
      return found;
    case "untrusted":
      throw new UserError(
        `${found.isChanged ? `The checks of the loop ${found.id} are not those that were approved` : `The loop ${found.id} was not opened`} on this machine; review it with: loop trust ${found.id}`,
      );
    case "newer":
      throw new UserError(`The loop ${found.id} cannot be used: ${found.why}.`);
    case "aborted":
      throw new UserError(
        `The loop ${found.id} is aborted: ${found.why}. Something other than loop changed its files, and nothing was touched: restore .loop/loops/${found.id} from a backup, or move it away and start anew.`,
      );
  }
}
