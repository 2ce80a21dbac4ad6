import type { Play, Result } from "./play.ts";
import { createWorld } from "./stage/world.ts";
import { openWorkshop, type Workshop } from "./stage/workshop.ts";
import type { Runner } from "./task.ts";

const AT_ONCE = 2;

interface Telling {
  readonly line: (text: string) => void;
  readonly result: (result: Result, done: number, of: number) => void;
}

/** Plays all of them, a few at once, and leaves nothing behind unless told to keep it. */
export async function playAll(
  plays: readonly Play[],
  telling: Telling,
  keeps = false,
): Promise<readonly Result[]> {
  const runners = new Set<Runner>(plays.map(({ task }) => task.runner));
  const workshop = await openWorkshop(runners, telling.line);
  try {
    const missing = workshop.missing;
    if (missing.size > 0)
      telling.line(`left out, since this machine does not have it: ${[...missing].join(", ")}`);
    return await inTurn(
      plays.filter(({ task }) => !missing.has(task.runner)),
      (play) => playOne(workshop, play, keeps),
      telling.result,
    );
  } finally {
    if (keeps) telling.line(`kept: ${workshop.folder}`);
    else workshop.close();
  }
}

async function inTurn(
  plays: readonly Play[],
  work: (play: Play) => Promise<Result>,
  tell: Telling["result"],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = plays.values();
  const worker = async (): Promise<void> => {
    for (const play of queue) {
      const result = await work(play);
      results.push(result);
      tell(result, results.length, plays.length);
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
