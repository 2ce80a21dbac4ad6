import type { Loop } from "../../core/loop/loop.ts";
import { freeAgent } from "../../core/plan/startable-tasks.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { recordOurs } from "../run/take-loop.ts";
import { workflowOf, type WorkflowContext } from "./take-workflow.ts";

/** Attempts that meet one limit a moment after the other are told ends of it that differ by that much. */
const SAME_LIMIT_MS = 60_000;

/** How long an agent is left alone that doesn't say when its usage limit ends. */
const UNKNOWN_MS = 60 * 60_000;

/** One for all attempts: a usage limit that one of them meets is a wait for all of its agent's. */
export class RateLimiter {
  readonly #context: WorkflowContext;

  constructor(context: WorkflowContext) {
    this.#context = context;
  }

  /** Until when an agent waits; null: it doesn't. */
  waitOf(agent: string): number | null {
    return waitOf(workflowOf(this.#context.live.loop), agent, this.#context.machine.now());
  }

  /** Records that an agent waits, until null when it doesn't say how long. Answers which other one could go on meanwhile. */
  async limit(agent: string, told: number | null): Promise<string | null> {
    const { live, run, machine, tell } = this.#context;
    const until = told ?? machine.now() + UNKNOWN_MS;
    const isNew = (loop: Loop): boolean => {
      const known = waitOf(workflowOf(loop), agent, machine.now());
      return known === null || until - known > SAME_LIMIT_MS;
    };
    const loop = await recordOurs({ live, run }, [{ type: "agent.limited", agent, until }], isNew);
    if (loop !== null) tell({ type: "limited", agent, until });
    return this.freeAgent(agent);
  }

  /** The first agent that doesn't wait. */
  freeAgent(except: string | null = null): string | null {
    const { live, machine } = this.#context;
    const agents = this.#context.agents.filter((each) => each !== except);
    return freeAgent(workflowOf(live.loop), { agents, now: machine.now() });
  }
}

export function waitOf(workflow: Workflow, agent: string, now: number): number | null {
  const until = workflow.waits.find((wait) => wait.agent === agent)?.until ?? null;
  return until !== null && until > now ? until : null;
}
