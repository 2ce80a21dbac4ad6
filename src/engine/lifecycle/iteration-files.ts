import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { changedLinesBetween } from "../../worktrees/integration/read-diff.ts";
import { changesSince } from "../../worktrees/checkpoints/changes.ts";
import { isDrivenNow } from "../../storage/loops/known-loop.ts";
import type { FileCount, IterationView } from "../../views/story/iterations.ts";
import type { StatusFacts } from "../../views/status.ts";
import { factsOfLoop, JournalStory, type AttemptMemory } from "./loop-facts.ts";

/** What is known of changed files, by the commits between which they changed. */
export type FileMemory = Map<string, readonly FileCount[] | null>;

/** With the lines that each iteration changed: between its checkpoint and the next, and for the last one, the files as they are. */
export async function factsWithFiles(
  machine: Machine,
  known: KnownLoop,
  story: JournalStory = new JournalStory(known),
  memory: { readonly attempts?: AttemptMemory; readonly files?: FileMemory } = {},
): Promise<StatusFacts> {
  const facts = await factsOfLoop(machine, known, story, memory.attempts);
  const iterations = await withFiles(machine, known, facts.iterations, memory.files ?? new Map());
  return { ...facts, iterations };
}

async function withFiles(
  { home }: Machine,
  { workingDirectory, live }: KnownLoop,
  iterations: readonly IterationView[],
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
    const next = iterations.slice(index + 1).find(({ checkpoint }) => checkpoint !== null)?.checkpoint;
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
