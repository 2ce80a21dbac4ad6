import type { Binding } from "../../../core/loop/loop.ts";
import type { AgentChoice } from "../../../engine/run/agent-choice.ts";

/** Who works on the tasks of a workflow: agents that a run starts, or the agent of a session. */
export type Worker =
  | { readonly type: "run"; readonly choice: AgentChoice }
  | { readonly type: "session"; readonly binding: Binding };
