import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Context } from "../context.ts";
import type { AgentFlags } from "./agent-options.ts";
import type { OpeningFlags } from "../opening.ts";
import type { StartFlags, StartSettings } from "./ask-start.ts";
import { askStart } from "./ask-start.ts";
import { meetUnfinished } from "./unfinished-workflow.ts";

/** Before a workflow is opened: what is unfinished here is resumed instead, if a person wants that; otherwise its settings are asked for, once. */
export async function beginWorkflow(
  context: Context,
  flags: StartFlags & OpeningFlags & AgentFlags & { readonly json?: boolean },
): Promise<StartSettings | { readonly resume: LockedLoop }> {
  const met = await meetUnfinished(context, flags, null);
  return met.type === "resume" ? { resume: met.loop } : askStart(context, flags);
}
