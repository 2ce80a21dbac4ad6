import { planFromConfig } from "../../app/config-plan.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import { expectStandpoint } from "../../app/expect-standpoint.ts";
import type { Context } from "../context.ts";
import type { OpeningFlags } from "../opening.ts";
import type { StartFlags, StartSettings } from "./ask-start.ts";
import { askStart } from "./ask-start.ts";
import { meetUnfinished } from "./unfinished-workflow.ts";

interface Begun {
  readonly taskList: StartSettings["taskList"];
  readonly limits?: Pick<OpeningFlags, "iterations" | "budget">;
}

/** Before a workflow is opened: what is unfinished here is resumed instead, if a person wants that; otherwise its settings are asked for, once. */
export async function beginWorkflow(
  context: Context,
  flags: StartFlags & OpeningFlags & { readonly json?: boolean },
): Promise<Begun | { readonly resume: LockedLoop }> {
  const { machine } = context;
  const standpoint = expectStandpoint(machine, { nested: false, here: flags.here === true });
  const met = await meetUnfinished(context, flags);
  if (met.type === "resume") return { resume: met.loop };
  const { config } = planFromConfig(machine, standpoint);
  const { taskList, iterations, budget } = await askStart(context, flags, config);
  return {
    taskList,
    limits: {
      ...(iterations === undefined ? {} : { iterations }),
      ...(budget === undefined ? {} : { budget }),
    },
  };
}
