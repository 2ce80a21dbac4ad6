import { isEnded, topFrame } from "../../core/loop/loop.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { compareWithBaseline, NOTHING_RUN } from "../../verify/baseline/compare.ts";
import { filesBeforeAndNow, listNow } from "../../verify/baseline/kept-files.ts";
import { comparisonOf } from "../../verify/baseline/loop-baselines.ts";

/** A file before the work and now; null where there is none. */
interface WorkText {
  readonly path: string;
  readonly before: string | null;
  readonly now: string | null;
}

interface WorkTexts {
  readonly files: readonly WorkText[];
  /** Why they are not shown, or are not what the loop left. */
  readonly note: string | null;
}

const MOST_FILES = 200;

/** The files that differ from the opening, as text. Of a plan its commits say more, so there are none. */
export async function workTexts(machine: Machine, known: KnownLoop): Promise<WorkTexts> {
  const { loop } = known.live;
  if (loop.workflow !== null) return { files: [], note: null };
  const { root } = known.workingDirectory;
  const reading = await machine.git.readTree(root);
  if (reading === null) return { files: [], note: "The project's files cannot be read." };
  const options = comparisonOf(machine, known, reading);
  const comparison = await compareWithBaseline({ ...options, ...NOTHING_RUN });
  const [first] = comparison.checks.values();
  const changed = (loop.phase === "completed" ? loop.changed : null) ?? comparison.changes.files;
  if (first === undefined || changed === null)
    return { files: [], note: comparison.changes.missing ?? "Nothing was kept to compare with." };
  const paths = [...changed.source, ...changed.tests, ...changed.definitions, ...changed.deleted];
  const place = { root, home: machine.home };
  const { before, now } = await filesBeforeAndNow(place, first.baseline.kept, listNow(reading));
  const files: WorkText[] = [];
  for (const path of paths.slice(0, MOST_FILES))
    files.push({ path, before: await before.read(path), now: await now.read(path) });
  const shownOn = topFrame(loop).criteria.flatMap(({ evidence }) => evidence?.treeDigest ?? []);
  const isLater = isEnded(loop) && shownOn.length > 0 && !shownOn.includes(reading.digest);
  return {
    files: files.filter((each) => each.before !== each.now),
    note: isLater ? "Files changed again since it ended; this is how they are now." : null,
  };
}
