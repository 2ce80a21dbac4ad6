import type { Loop } from "../../core/loop/loop.ts";
import { isEnded } from "../../core/loop/loop.ts";
import { running } from "../../core/plan/workflow.ts";
import { inspectLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Project } from "../../storage/home/project.ts";

/** The loop with what its open attempts have spent so far, which is charged to it when they end. */
export async function withOpenSpend(machine: Machine, project: Project, loop: Loop): Promise<Loop> {
  if (loop.workflow === null || isEnded(loop)) return loop;
  let { spend } = loop;
  for (const { loop: id } of running(loop.workflow)) {
    const found = await inspectLoop(machine, project, id).catch(() => null);
    if (found?.type !== "loop") continue;
    const { usd, tokens, priced, told } = found.live.loop.spend;
    spend = {
      usd: spend.usd + usd,
      tokens: spend.tokens + tokens,
      priced: spend.priced && priced,
      told: spend.told && told,
    };
  }
  return spend === loop.spend ? loop : { ...loop, spend };
}
