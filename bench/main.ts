import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchAppend } from "./append.ts";
import { benchFleet } from "./fleet.ts";
import { benchHook, benchTranscript } from "./hook.ts";
import { benchHosts } from "./hosts.ts";
import { benchLargePlan } from "./large-plan.ts";
import { benchMakespan } from "./makespan.ts";
import { write } from "./measure.ts";
import { benchOverhead } from "./overhead.ts";
import { benchPage } from "./page.ts";
import { benchPrompts } from "./prompts.ts";
import { benchProofs } from "./proofs.ts";
import { benchQueue } from "./queue.ts";
import { benchReview } from "./review.ts";
import { benchRoom } from "./room.ts";
import { benchRun } from "./run.ts";
import { benchStart } from "./start.ts";
import { benchStatus } from "./status.ts";
import { benchTree } from "./tree.ts";
import { benchTrivialTask } from "./trivial-task.ts";
import { benchWalk } from "./walk.ts";

const BENCHES: { readonly [name: string]: (folder: string) => Promise<void> | void } = {
  start: benchStart,
  hook: benchHook,
  hosts: benchHosts,
  transcript: benchTranscript,
  append: benchAppend,
  status: benchStatus,
  review: benchReview,
  tree: benchTree,
  walk: benchWalk,
  room: benchRoom,
  proofs: benchProofs,
  run: benchRun,
  makespan: benchMakespan,
  queue: benchQueue,
  "large-plan": benchLargePlan,
  fleet: benchFleet,
  overhead: benchOverhead,
  task: benchTrivialTask,
  prompts: benchPrompts,
  page: benchPage,
};

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  write(`Node ${process.versions.node}, medians, each a ratio to something measured in the same run`);
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = mkdtempSync(join(tmpdir(), "loopwright-bench-"));
    try {
      await bench(folder);
    } finally {
      // Git may still be tidying up there.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  }
}

void main();
