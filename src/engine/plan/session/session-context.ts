import { mirrorOfPlan } from "../plan-mirror.ts";
import type { Asker } from "../../../core/questions/question.ts";
import type { Binding, Loop } from "../../../core/loop/loop.ts";
import { findHost } from "../../../agents/hosts/hosts.ts";
import { asksPeople } from "../../../core/stages/asking.ts";
import { decidedByPolicy } from "../../../core/questions/review/counted-findings.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { NO_INTERRUPTS } from "../../run/run-context.ts";
import { overlapIn } from "../conflict-forecast.ts";
import { GIGABYTE, lastPlan, USUAL_DISK_GIGABYTES, type PlanChoice } from "../../run/agent-choice.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import type { WorkflowNews } from "../../../views/news/news.ts";
import { workspaceFor, type Workspace } from "../workspace.ts";
import { parseSessionId, type SessionId } from "../../../core/loop/id.ts";
import type { Project } from "../../../storage/home/project.ts";
import { beginAttempt } from "../begin-attempt.ts";
import { NOTHING_SHOWN, type AttemptEnvelope, type AttemptOutcome, type Executor } from "../executor.ts";
import { mkdirSync } from "node:fs";
import { projectFolder } from "../../../worktrees/attempts/marker.ts";

/** Where nobody has said how the plan is worked on. */
const USUAL: Pick<PlanChoice, "setup" | "copies" | "diskBytes"> = {
  setup: null,
  copies: [],
  diskBytes: USUAL_DISK_GIGABYTES * GIGABYTE,
};

/** A session's own agent reviews, and is asked by what it reads when it is held. */
const NOBODY: Asker = {
  ask: async () => ({ type: "unanswered", why: "the session's own agent is asked", agent: null }),
};

/** A plan whose tasks the agent of a session works on. The session stands where otherwise a run does. */
export function sessionContext(
  machine: Machine,
  { id, live }: KnownLoop,
  tell: (news: WorkflowNews) => void,
  asker: Asker = NOBODY,
): WorkflowContext {
  const { loop, project } = live;
  const binding = expectBound(loop);
  const how = lastPlan(machine.home, project.root, id) ?? USUAL;
  const workspace = workspaceFor({ machine, project, loop: id, folder: loop.folder, how });
  return {
    machine,
    live,
    run: binding.session,
    isSession: true,
    asksUser: asksPeople(loop.shape) && (findHost(binding.host)?.isAttended(machine.env) ?? false),
    isFirstRun: false,
    // Each stop of a session is another process, which takes what the journal says.
    strangers: () => [],
    agents: [binding.host],
    // What a session spends is known at each of its stops, whoever works in it.
    areCapped: true,
    parallel: () => null,
    deliversDone: false,
    interrupts: NO_INTERRUPTS,
    executor: sessionExecutor(machine, project, workspace),
    workspace,
    asker,
    goesOn: null,
    mirror: mirrorOfPlan(machine, project, id, () => {}),
    decide: async ({ findings, again }) => decidedByPolicy(findings, again, "tasks"),
    overlap: overlapIn(workflowOf(loop).plan),
    tell,
  };
}

function expectBound(loop: Loop): Binding {
  if (loop.workflow === null)
    throw new UserError(`The loop ${loop.id} has no plan; open one with: loop start --plan PLAN.md`);
  if (loop.binding === null || loop.driven?.run === loop.binding.session)
    throw new UserError(
      `No session works on the tasks of ${loop.id}; \`loop run\` does that by itself. Resume it with: loop continue. To leave a task out: loop task skip ID`,
    );
  return loop.binding;
}

/** Prepares attempts and leaves the work to the session's agent, whose transcript is charged as a whole. */
export function sessionExecutor(machine: Machine, project: Project, workspace: Workspace): Executor {
  return {
    runAttempt: async (envelope, { signal }) => {
      const binding = attemptBinding(envelope);
      const begun = await beginAttempt(
        { machine, project, workspace, binding, prepare: () => {} },
        envelope,
        signal,
      );
      const outcome: AttemptOutcome = begun.type === "over" ? begun.outcome : { type: "stopped" };
      return { ...NOTHING_SHOWN, key: envelope.key, outcome };
    },
  };
}

/** Whose stops are judged in the loop of an attempt: nobody's but ours. */
function attemptBinding({ loop, agent }: AttemptEnvelope): Binding {
  return { session: parseSessionId(`task-${loop}`) as SessionId, host: agent };
}

/** Where the worktrees of a project's tasks are. A host may ask its user before agents write there, and wants to see it. */
export function workersFolder({ home }: Pick<Machine, "home">, { live }: KnownLoop): string {
  const folder = projectFolder({ stateHome: home, root: live.project.root });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
