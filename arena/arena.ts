import type { Play, Result } from "./play.ts";
import { endAll } from "./stage/process.ts";
import { openWorkshop, type Workshop } from "./stage/workshop.ts";
import { createWorld } from "./stage/world.ts";

const AT_ONCE = 2;

interface Options {
  readonly tell?: (line: string) => void;
  readonly tellResult?: (result: Result, done: number, of: number) => void;
  /** Leaves the projects where they are. */
  readonly keeps?: boolean;
  /** Ends everything that runs; what was played by then is the result. */
  readonly signal?: AbortSignal;
}

/** Plays all of them, a few at once, and leaves nothing behind. */
export async function playAll(plays: readonly Play[], options: Options = {}): Promise<readonly Result[]> {
  const { tell = () => {}, keeps = false, signal } = options;
  signal?.addEventListener("abort", endAll);
  const workshop = await openWorkshop(new Set(plays.map(({ task }) => task.runner)), tell);
  try {
    const { missing } = workshop;
    if (missing.size > 0) tell(`left out, since this machine does not have it: ${[...missing].join(", ")}`);
    const playable = plays.filter(({ task }) => !missing.has(task.runner));
    return await inTurn(playable, (play) => playOne(workshop, play, keeps), options);
  } finally {
    if (keeps) tell(`kept: ${workshop.folder}`);
    else workshop.close();
  }
}

async function inTurn(
  plays: readonly Play[],
  work: (play: Play) => Promise<Result>,
  { tellResult, signal }: Options,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = plays.values();
  const worker = async (): Promise<void> => {
    for (const play of queue) {
      const result = await work(play).catch((error: unknown) => {
        if (signal?.aborted === true) return null;
        throw error;
      });
      if (result === null || signal?.aborted === true) return;
      results.push(result);
      tellResult?.(result, results.length, plays.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results.toSorted((one, other) => plays.indexOf(one.play) - plays.indexOf(other.play));
}

async function playOne(workshop: Workshop, play: Play, keeps: boolean): Promise<Result> {
  const world = await createWorld(workshop, play.task, play.script);
  try {
    const began = performance.now();
    const judged = await play.gate.judge(world, play);
    const turns = world.turnsPlayed();
    const { turns: scripted } = play.script;
    return {
      ...judged,
      play,
      turns,
      isRight: scripted[Math.min(Math.max(turns, 1), scripted.length) - 1]?.isRight ?? false,
      addedSeconds: (performance.now() - began - world.agentMs()) / 1_000,
    };
  } finally {
    if (!keeps) world.close();
  }
}
