import { createMachine } from "../../src/storage/loops/machine.ts";
import type { LoopId } from "../../src/core/loop/id.ts";
import { rehearsalOf } from "../../src/engine/run/agent-choice.ts";
import { projectAt } from "../../src/storage/home/project.ts";
import { attemptChoice } from "../../src/engine/plan/envelope.ts";
import type { Executor } from "../../src/engine/plan/executor.ts";
import { gitWorkspace } from "../../src/engine/plan/git-workspace.ts";
import { localExecutor } from "../../src/engine/plan/local-executor.ts";
import type { Workspace } from "../../src/engine/plan/workspace.ts";

/** Where attempts are played, as plain data: another process can do it, too. */
export interface PlayedPlace {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cli: string;
  readonly scripts: string;
  readonly workflow: LoopId;
}

export function playedExecutor(place: PlayedPlace): {
  readonly executor: Executor;
  readonly workspace: Workspace;
} {
  const { root, env, cli, scripts, workflow } = place;
  const real = createMachine(env, root);
  // Not the sessions that the tests themselves may run in.
  const machine = { ...real, processes: { ...real.processes, processesAbove: () => [] } };
  const project = projectAt(root);
  const workspace = gitWorkspace({
    machine,
    project,
    loop: workflow,
    folder: "",
    how: { setup: null, copies: [], diskBytes: 20e9 },
  });
  const choiceFor: Parameters<typeof localExecutor>[0]["choiceFor"] = (envelope) =>
    attemptChoice(rehearsalOf(scripts), envelope);
  return { executor: localExecutor({ machine, project, cli, workspace, choiceFor }), workspace };
}
