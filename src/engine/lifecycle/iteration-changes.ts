import { isDrivenNow, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { isTestPath } from "../../verify/definitions/test-files.ts";
import type { IterationView } from "../../views/story/iterations.ts";
import { changesSince, diffSince } from "../../worktrees/checkpoints/changes.ts";
import { changedLinesBetween, readDiff, type PatchLine } from "../../worktrees/integration/read-diff.ts";
import { JournalStory } from "./loop-facts.ts";

/** What an iteration whose claim did not hold had done to a file. */
interface DoneToFile {
  readonly path: string;
  /** Removed and added ones, the first of them. */
  readonly lines: readonly PatchLine[];
  readonly more: number;
}

export interface DoneInIteration {
  readonly depth: number;
  readonly iteration: number;
  readonly files: readonly DoneToFile[];
}

const MOST_ITERATIONS = 20;
const MOST_FILES = 2;
const MOST_LINES = 8;
const LONGEST_LINE = 400;
/** Of a longer one, its numbers say enough. */
const LONGEST_CHANGE = 2_000;

/**
 * The lines behind claims that did not hold: from one checkpoint to the next, and for the last iteration, to the files as they are
 * once nobody works on them. Those of the last iterations, where there are many.
 */
export async function changesBehindClaims(
  { home }: Pick<Machine, "home">,
  known: KnownLoop,
): Promise<readonly DoneInIteration[]> {
  const story = new JournalStory(known);
  await story.catchUp();
  const iterations = story.iterations.list();
  const repository = { root: known.workingDirectory.root, stateHome: home };
  const isDriven = isDrivenNow(known.live.loop);
  const behind = iterations.flatMap((each, index) => {
    const to = iterations.slice(index + 1).find(({ checkpoint }) => checkpoint !== null)?.checkpoint ?? null;
    const from = each.checkpoint;
    const isOpen = to === null && isDriven;
    return from === null || isOpen || each.contradiction === null ? [] : [{ each, from, to }];
  });
  const found: DoneInIteration[] = [];
  for (const { each, from, to } of behind.slice(-MOST_ITERATIONS)) {
    const since = { ...repository, commit: from };
    const counts =
      to === null
        ? ((await changesSince(since)) ?? []).map((change) => ({ ...change, removed: change.deleted }))
        : ((await changedLinesBetween(repository, from, to)) ?? []);
    const short = counts.filter(
      ({ added, removed }) => (added ?? Infinity) + (removed ?? 0) <= LONGEST_CHANGE,
    );
    const paths = tellingFirst(each, short).slice(0, MOST_FILES);
    const diff =
      to === null ? await diffSince(since, paths) : await readDiff(repository, { from, to }, paths);
    const files = (diff ?? [])
      .toSorted((one, other) => paths.indexOf(one.path) - paths.indexOf(other.path))
      .map(({ path, lines: all }) => {
        const changed = all.filter(({ kind }) => kind !== "context");
        const lines = changed.slice(0, MOST_LINES).map(withShortText);
        return { path, lines, more: Math.max(0, changed.length - MOST_LINES) };
      });
    if (files.length > 0) found.push({ depth: each.depth, iteration: each.iteration, files });
  }
  return found;
}

function withShortText(line: PatchLine): PatchLine {
  return line.text.length > LONGEST_LINE ? { ...line, text: `${line.text.slice(0, LONGEST_LINE)}…` } : line;
}

/** Where its tests gave it away, they come first. */
function tellingFirst(
  { contradiction }: IterationView,
  files: readonly { readonly path: string }[],
): readonly string[] {
  const paths = files.map(({ path }) => path);
  const isAboutTests = contradiction?.by === "judge" || contradiction?.by === "counts";
  return isAboutTests ? [...paths.filter(isTestPath), ...paths.filter((path) => !isTestPath(path))] : paths;
}
