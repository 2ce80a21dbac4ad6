import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { changedLinesBetween } from "../../worktrees/integration/read-diff.ts";
import { changesSince } from "../../worktrees/checkpoints/changes.ts";
import { BEFORE_UNDO, checkpointsOfLoop, listCheckpoints } from "../../worktrees/checkpoints/refs.ts";
import { isDrivenNow } from "../../storage/loops/known-loop.ts";
import type { FileCount, IterationView } from "../../views/story/iterations.ts";
import type { StatusFacts } from "../../views/status.ts";
import { factsOfLoop, JournalStory, type AttemptMemory } from "./loop-facts.ts";

/** What is known of changed files, by the commits between which they changed. */
export type FileMemory = Map<string, readonly FileCount[] | null>;

/**
 * With the lines that each iteration changed: between its checkpoint and the next, and for the last one, the files as they are. What
 * an undo in between took away is still what the iteration did.
 */
export async function factsWithFiles(
  machine: Machine,
  known: KnownLoop,
  story: JournalStory = new JournalStory(known),
  memory: { readonly attempts?: AttemptMemory; readonly files?: FileMemory } = {},
): Promise<StatusFacts> {
  const facts = await factsOfLoop(machine, known, story, memory.attempts);
  const undone = story.hasUndone ? await undoneFiles(known) : [];
  const iterations = await withFiles(machine, known, facts.iterations, undone, memory.files ?? new Map());
  return { ...facts, iterations };
}

/** Files as they were when an undo took them away. */
interface UndoneFiles {
  readonly at: number;
  readonly commit: string;
}

/** The earliest first. */
async function undoneFiles({ workingDirectory, live }: KnownLoop): Promise<readonly UndoneFiles[]> {
  const prefix = `${checkpointsOfLoop(live.loop.id)}/${BEFORE_UNDO}`;
  const kept = await listCheckpoints(workingDirectory.root, checkpointsOfLoop(live.loop.id));
  return kept
    .filter(({ ref }) => ref.startsWith(prefix))
    .map(({ ref, commit }) => ({ at: Number(ref.slice(prefix.length)), commit }))
    .toSorted((one, other) => one.at - other.at);
}

async function withFiles(
  { home }: Machine,
  { workingDirectory, live }: KnownLoop,
  iterations: readonly IterationView[],
  undone: readonly UndoneFiles[],
  memory: FileMemory,
): Promise<readonly IterationView[]> {
  const { root } = workingDirectory;
  const between = async (from: string, to: string): Promise<readonly FileCount[] | null> => {
    const key = `${from} ${to}`;
    if (!memory.has(key)) memory.set(key, await changedLinesBetween({ root, stateHome: home }, from, to));
    return memory.get(key) ?? null;
  };
  const shown: IterationView[] = [];
  for (const [index, each] of iterations.entries()) {
    const following = iterations.slice(index + 1).find(({ checkpoint }) => checkpoint !== null);
    const next = firstUndone(undone, each, following) ?? following?.checkpoint;
    const from = each.checkpoint;
    const isLast = next === undefined || next === null;
    // While an agent works, its files change with every look.
    const files =
      from === null || (isLast && isDrivenNow(live.loop))
        ? null
        : isLast
          ? await sinceCheckpoint(root, home, from, `${from} ${live.cursor.seq}`, memory)
          : await between(from, next);
    shown.push(files === null ? each : { ...each, files });
  }
  return shown;
}

/** What the first undo took away that came behind an iteration, and before the next. */
function firstUndone(
  undone: readonly UndoneFiles[],
  { startedAt }: IterationView,
  following: IterationView | undefined,
): string | undefined {
  const until = following === undefined ? Infinity : Date.parse(following.startedAt);
  return undone.find(({ at }) => at > Date.parse(startedAt) && at < until)?.commit;
}

async function sinceCheckpoint(
  root: string,
  stateHome: string,
  commit: string,
  key: string,
  memory: FileMemory,
): Promise<readonly FileCount[] | null> {
  if (!memory.has(key)) {
    const changes = await changesSince({ root, stateHome, commit });
    memory.set(key, changes?.map(({ path, added, deleted }) => ({ path, added, removed: deleted })) ?? null);
  }
  return memory.get(key) ?? null;
}
