import type { Play, Result } from "./play.ts";
import { endAll } from "./stage/process.ts";
import { openWorkspace } from "./stage/workspace.ts";
import type { Workspace } from "./stage/workspace.ts";
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
  const workspace = await openWorkspace(new Set(plays.map(({ task }) => task.ecosystem)), tell);
  try {
    const { missing } = workspace;
    for (const [name, sentence] of missing) tell(`${name} is left out: ${sentence}`);
    const playable = plays.filter(({ task }) => !missing.has(task.ecosystem));
    return await inTurn(playable, (play) => playOne(workspace, play, keeps), options);
  } finally {
    if (keeps) tell(`kept: ${workspace.folder}`);
    else workspace.close();
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

async function playOne(workspace: Workspace, play: Play, keeps: boolean): Promise<Result> {
  const world = await createWorld(workspace, play.task, play.script);
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
