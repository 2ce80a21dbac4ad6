import type { Binding } from "../../../core/loop.ts";
import type { OpeningFlags } from "../../../engine/opening/opener.ts";
import type { StartFlags } from "./ask-start.ts";
import type { PlanFlags } from "./plan-options.ts";
import type { FreshFlags } from "./start-fresh.ts";
import type { WorkflowFlags } from "./workflow-options.ts";

/** What `loop start` takes for a workflow or a plan of a session. */
export interface SessionFlags
  extends
    OpeningFlags,
    Pick<PlanFlags, "parallel" | "noModel">,
    WorkflowFlags,
    FreshFlags,
    Pick<StartFlags, "taskList"> {
  readonly session?: Binding["session"];
  readonly json?: boolean;
}
