import { existsSync } from "node:fs";
import type { SessionId } from "../../core/loop/id.ts";
import { isBoundTo, topFrame, isWorkflow, type Loop } from "../../core/loop/loop.ts";
import { findProject, knownProjects, projectAt, type Project } from "../../storage/home/project.ts";
import { tombstonesOf, type Tombstone } from "../../storage/home/approval-marks.ts";
import { NO_FACTS, statusView, unreadableView } from "../../views/status.ts";
import type { StatusFacts, StatusView } from "../../views/status.ts";
import type { KnownLoop, FoundLoop } from "../../storage/loops/known-loop.ts";
import { followEntries, entriesOf } from "../../storage/loops/journal-entries.ts";
import { lastEnded, surveyLoops, type Survey } from "../../storage/loops/survey-loops.ts";
import {
  byLastChange,
  isAbandoned,
  isDrivenNow,
  inspectLoop,
  inspectLoops,
  isOpen,
} from "../../storage/loops/known-loop.ts";
import { loopIdOf, chooseLoopToRead, isOwn, placeOf } from "../../storage/loops/choose-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { withOpenSpend, withTakenWork } from "../plan/open-attempts.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { JournalEntry } from "../../core/events/event.ts";
import { otherSessionOf } from "./expect-person.ts";

/** A loop as shown, and the loop itself if it could be read. */
interface ShownLoop {
  readonly view: StatusView;
  readonly loop: Loop | null;
  /** The files are those from before this iteration, since a person undid it; null: nobody did, or work went on. */
  readonly undone: number | null;
}

export interface ShownLoops {
  readonly project: Project;
  readonly loops: readonly ShownLoop[];
  readonly openCount: number;
  readonly endedCount: number;
  /** Loops whose folders were recently deleted before they ended. */
  readonly deleted: readonly Tombstone[];
}

/** After this long, nobody needs the notice. */
const TOLD_MS = 14 * 24 * 3_600_000;

interface StatusOptions {
  readonly all: boolean;
  readonly last?: boolean;
  readonly loop?: string | undefined;
  /** With the files that each iteration changed, for which git is asked. */
  readonly files?: boolean;
}

/** The loops of every project in which this machine opened one, newest first. */
export async function statusEverywhere(
  machine: Machine,
  options: Pick<StatusOptions, "all" | "files">,
): Promise<readonly ShownLoop[]> {
  const shown: ShownLoop[] = [];
  for (const project of projectsOf(machine))
    shown.push(...(await statusOfLoops(machine, options, project)).loops);
  return shown.toSorted((one, other) => (other.view.updatedAt ?? "").localeCompare(one.view.updatedAt ?? ""));
}

/** The projects that this machine knows and that are still there. */
export function projectsOf({ home }: Pick<Machine, "home">): readonly Project[] {
  const roots = new Set(knownProjects(home).map(({ root }) => root));
  return [...roots]
    .toSorted()
    .map(projectAt)
    .filter(({ folder }) => existsSync(folder));
}

/** The loops of a project, newest first. Ended ones only on request, or the last one when none is open, or when it completed after the open ones changed. */
export async function statusOfLoops(
  machine: Machine,
  options: StatusOptions,
  project: Project = findProject(machine.cwd),
): Promise<ShownLoops> {
  const wanted = options.loop === undefined ? null : await loopIdOf(machine, project, options.loop);
  const survey = await surveyLoops(machine, project);
  const { found } = survey;
  const open = found.filter(isOpen);
  const shown =
    wanted === null
      ? await shownOf(machine, options, project, survey)
      : [await inspectLoop(machine, project, wanted)];
  const trees = await treesOf(machine, shown.filter(isOpen).filter(hasEvidence));
  return {
    project,
    loops: await Promise.all(
      shown.map(async (each) =>
        each.type === "loop"
          ? {
              loop: each.live.loop,
              view: statusView(
                await asItIsNow(machine, each),
                trees.get(each.workingDirectory.root) ?? null,
                isAbandoned(each.live.loop),
                options.files === true ? await wholeFacts(machine, each) : await briefFacts(machine, each),
              ),
              undone: await undoneOf(each),
            }
          : { loop: null, view: viewOfUnreadable(each, project.root), undone: null },
      ),
    ),
    openCount: open.length,
    endedCount: survey.ended.length + found.filter(hasEnded).length,
    deleted: tombstonesOf(machine.home, project.root, survey.ids).filter(
      ({ at }) => machine.now() - at < TOLD_MS,
    ),
  };
}

async function shownOf(
  machine: Machine,
  { all, last }: StatusOptions,
  project: Project,
  survey: Survey,
): Promise<readonly FoundLoop[]> {
  if (all) return inspectLoops(machine, project);
  const shown = survey.found.filter((each) => !hasEnded(each));
  const ended = last === true ? await lastEnded(machine, project, survey) : null;
  if (ended === null) return shown;
  const { phase, updatedAt } = ended.live.loop;
  const open = shown.filter(isOpen);
  const isNews = phase === "completed" && open.every(({ live }) => live.loop.updatedAt < updatedAt);
  return open.length === 0 || isNews ? byLastChange([{ type: "loop", ...ended }, ...shown]) : shown;
}

function hasEnded(found: FoundLoop): boolean {
  return found.type === "loop" && !isOpen(found);
}

/** With what happened since its last record: work that the user merged, money that open attempts spent. */
export async function asItIsNow(machine: Machine, { live: { loop, project } }: KnownLoop): Promise<Loop> {
  return withOpenSpend(machine, project, await withTakenWork(project.root, loop));
}

/** For scripts: what all of its journal says. Loaded only then, since it reads test reports and asks git. */
async function wholeFacts(machine: Machine, known: KnownLoop): Promise<StatusFacts> {
  const { factsWithFiles } = await import("./iteration-files.ts");
  return factsWithFiles(machine, known);
}

/** For people: what the next step depends on. */
async function briefFacts(machine: Machine, known: KnownLoop): Promise<StatusFacts> {
  const { loop, project } = known.live;
  const mayUndo = loop.phase === "paused" && loop.reason === "must-not" && loop.frames.length === 1;
  const undo = mayUndo ? await lastCheckpoint(known) : null;
  const elsewhere = placeOf(machine, known);
  return { ...NO_FACTS, root: project.root, around: { ...NO_FACTS.around, undo, elsewhere } };
}

/** The last iteration whose files can be restored; null: none. */
async function lastCheckpoint({ live }: KnownLoop): Promise<number | null> {
  let last: number | null = null;
  for (const { event } of await followEntries(live.journal)())
    if (event.type === "turn.launched" && event.checkpoint !== null) last = event.iteration;
  return last;
}

/** Only a loop that was driven has checkpoints, and none is restored while it is driven. */
async function undoneOf({ live }: KnownLoop): Promise<number | null> {
  if (live.loop.driven === null) return null;
  let undone: number | null = null;
  for (const { event } of await followEntries(live.journal)()) {
    if (event.type === "checkpoint.restored") undone = event.iteration;
    if (event.type === "turn.launched") undone = null;
  }
  return undone;
}

/** The digest of each worktree in which one of these loops works. */
async function treesOf(
  machine: Pick<Machine, "git">,
  loops: readonly KnownLoop[],
): Promise<ReadonlyMap<string, string | null>> {
  const roots = [...new Set(loops.map(({ workingDirectory }) => workingDirectory.root))];
  const readings = await Promise.all(roots.map(async (root) => machine.git.readTree(root)));
  return new Map(roots.map((root, index) => [root, readings[index]?.digest ?? null]));
}

export async function statusOfLoop(machine: Machine, chosen: KnownLoop): Promise<StatusView> {
  const tree = await machine.git.readTree(chosen.workingDirectory.root);
  return statusView(
    await asItIsNow(machine, chosen),
    tree?.digest ?? null,
    isAbandoned(chosen.live.loop),
    await wholeFacts(machine, chosen),
  );
}

function hasEvidence({ live }: KnownLoop): boolean {
  return topFrame(live.loop).criteria.some((each) => each.evidence !== null);
}

export function viewOfUnreadable(found: Exclude<FoundLoop, { type: "loop" }>, root: string): StatusView {
  switch (found.type) {
    case "untrusted":
      return unreadableView(
        found.id,
        "untrusted",
        found.isChanged
          ? "its checks are not those that were approved on this machine"
          : "it was not opened on this machine",
        root,
      );
    case "aborted":
      return unreadableView(found.id, "aborted", found.why, root);
    case "newer":
      return unreadableView(found.id, null, found.why, root);
  }
}

/** The last events of a loop, oldest first. */
export async function readLog(
  machine: Machine,
  wanted: string | undefined,
  count: number,
): Promise<readonly JournalEntry[]> {
  const { live } = await chooseLoopToRead(machine, wanted);
  let entries: JournalEntry[] = [];
  await live.journal.follow(AT_THE_BEGINNING).next((record, cursor) => {
    entries.push(...entriesOf(record, cursor));
    if (entries.length > 4 * count) entries = entries.slice(-count);
  });
  return entries.slice(-count);
}

/** The workflow of this project that is still open, meant, and changed last; null: there is none. */
export async function unfinishedWorkflow(
  machine: Machine,
  isMeant: (loop: Loop) => boolean = () => true,
): Promise<KnownLoop | null> {
  const { found } = await surveyLoops(machine, findProject(machine.cwd));
  return found.filter(isOwn).find(({ live }) => isWorkflow(live.loop) && isMeant(live.loop)) ?? null;
}

/** Loops of this project that are open while nobody works on them, without this session's own; the one that changed last comes first. */
export async function idleLoops(
  machine: Machine,
  session: SessionId | null,
  isMeant: (loop: Loop) => boolean = () => true,
): Promise<readonly KnownLoop[]> {
  const { found } = await surveyLoops(machine, findProject(machine.cwd));
  return found
    .filter(isOwn)
    .filter(({ live: { loop } }) => isMeant(loop) && !isBoundTo(loop, session) && isIdle(machine, loop))
    .toSorted((one, other) => other.live.loop.updatedAt - one.live.loop.updatedAt);
}

function isIdle(machine: Machine, loop: Loop): boolean {
  return !isDrivenNow(loop) && otherSessionOf(machine, loop, null)?.isAlive !== true;
}
