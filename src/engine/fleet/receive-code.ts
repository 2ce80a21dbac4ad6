import { setTimeout as sleep } from "node:timers/promises";
import { hasCommit, takePack, tipsOf } from "../../worktrees/integration/packs.ts";
import type { FleetEngine } from "./fleet-engine.ts";

interface Receiving {
  readonly engine: FleetEngine;
  readonly root: string;
  readonly workflow: string;
  readonly signal: AbortSignal;
}

const LOOK_MS = 500;
/** Of packs that each need the one before. */
const DEEPEST = 10_000;

/** Brings a commit into the worker's clone: from rows, or by asking the driver for what it lacks. False: it was stopped before. */
export async function receiveCommit(receiving: Receiving, commit: string): Promise<boolean> {
  const { engine, root, workflow, signal } = receiving;
  if (await fromRows(receiving, commit)) return true;
  let isAsked = false;
  while (!signal.aborted) {
    if (!isAsked) await engine.want({ workflow, commit, has: await tipsOf(root) });
    isAsked = true;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    if (await fromRows(receiving, commit)) return true;
  }
  return false;
}

/** What each pack needs first, deepest first. */
async function fromRows({ engine, root }: Receiving, commit: string): Promise<boolean> {
  const toTake = [commit];
  for (let steps = 0; toTake.length > 0 && steps < DEEPEST; steps += 1) {
    const next = toTake.at(-1) as string;
    if (await hasCommit(root, next)) {
      toTake.pop();
      continue;
    }
    let isDeeper = false;
    for (const { needs, pack } of await engine.code(next)) {
      const missing: string[] = [];
      for (const need of needs) if (!(await hasCommit(root, need))) missing.push(need);
      const deeper = missing.find((each) => !toTake.includes(each));
      if (deeper !== undefined) {
        toTake.push(deeper);
        isDeeper = true;
        break;
      }
      if (missing.length === 0 && (await takePack({ root, commit: next, needs, pack }))) break;
    }
    if (!isDeeper && !(await hasCommit(root, next))) return false;
  }
  return hasCommit(root, commit);
}
