import { isCommitDue } from "../../core/loop/commit.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { isEnded } from "../../core/loop/loop.ts";
import { isUntold } from "../home/approval-marks.ts";
import { readEndedLoops, writeEndedLoops, type EndedLoop } from "../home/ended-loops.ts";
import type { Project } from "../home/project.ts";
import { byLastChange, inspectLoop, isAttempt, localLoop } from "./known-loop.ts";
import type { FoundLoop, KnownLoop, Records } from "./known-loop.ts";

export interface Survey {
  /** Of all loops, attempts too, that have a journal. */
  readonly ids: Pick<ReadonlyMap<LoopId, unknown>, "has">;
  /** All that are open, cannot be used, or ended just now; the one that changed last comes first. */
  readonly found: readonly FoundLoop[];
  /** All others, which nobody opened for this. */
  readonly ended: readonly (EndedLoop & { readonly id: LoopId })[];
}

/** As many as are read in a blink. */
const READ_EACH_TIME = 16;

/**
 * The loops of a project, without opening those that are known to have ended: a project may have thousands. A journal that changed
 * since is read again, whatever was known.
 */
export async function surveyLoops(machine: Records, project: Project): Promise<Survey> {
  // The marks come first: what is appended while the journals are read makes another mark.
  const journals = await machine.journals(project).survey();
  const known = readEndedLoops(machine.home, project.root);
  const ended: (EndedLoop & { readonly id: LoopId })[] = [];
  const others: LoopId[] = [];
  for (const [id, { mark }] of journals) {
    const before = known.get(id);
    if (before?.mark === mark) ended.push({ ...before, id });
    else others.push(id);
  }
  const found = await Promise.all(others.map(async (id) => inspectLoop(machine, project, id)));
  const over = found.flatMap((each) => {
    const journal = journals.get(each.id);
    const kind = kindOfEnded(machine, each);
    if (each.type !== "loop" || journal === undefined || kind === null) return [];
    return [[each.id, { mark: journal.mark, kind, updatedAt: each.live.loop.updatedAt }] as const];
  });
  if (over.length > READ_EACH_TIME) {
    const all = new Map<string, EndedLoop>(ended.map((each) => [each.id, each]));
    for (const [id, each] of over) all.set(id, each);
    writeEndedLoops(machine.home, project.root, all);
  }
  return {
    ids: journals,
    found: byLastChange(found.filter((each) => !isAttempt(each))),
    ended: ended.filter(({ kind }) => kind !== "attempt"),
  };
}

/** The loop that changed last of those that ended; null: none has. */
export async function lastEnded(
  machine: Records,
  project: Project,
  { found, ended }: Survey,
): Promise<KnownLoop | null> {
  const last = found.filter((each) => each.type === "loop").find(({ live }) => isEnded(live.loop));
  const later = ended.filter(({ updatedAt }) => updatedAt > (last?.live.loop.updatedAt ?? 0));
  for (const { id } of later.toSorted((one, other) => other.updatedAt - one.updatedAt)) {
    const opened = await inspectLoop(machine, project, id);
    if (opened.type === "loop") return opened;
  }
  return last ?? null;
}

/** null: somebody still has to look at it. */
function kindOfEnded(machine: Records, found: FoundLoop): EndedLoop["kind"] | null {
  if (found.type !== "loop") return null;
  const { loop } = found.live;
  if (loop.attemptOf !== null) return "attempt";
  if (loop.phase === "cancelled") return loop.phase;
  if (loop.phase !== "completed" || isCommitDue(loop)) return null;
  return isUntold(localLoop(machine, found)) ? null : loop.phase;
}
