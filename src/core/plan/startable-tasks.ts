import { Budget, TokenBudget } from "./budget.ts";
import { needsCounsel } from "../stages/asking.ts";
import type { Stages } from "../stages/stages.ts";
import type { Facts, StartStep, Step } from "./step.ts";
import { attemptsOf, isSpent, running, taskState, meanOf, type Workflow } from "./workflow.ts";
import type { PlannedTask } from "./plan.ts";
import { remainingPaths, remember } from "./graph.ts";

/** What keeps tasks that are ready from starting; null: nothing does, or there are none. */
type Hindrance = Extract<Step, { type: "wait" | "pause" }> | null;

interface Starts {
  readonly starts: readonly StartStep[];
  readonly hindrance: Hindrance;
}

/** The attempts that may start now: the task that holds up most goes first. */
export function startsOf(
  workflow: Workflow,
  stages: Stages | null,
  facts: Facts,
  paths: ReadonlyMap<string, number>,
): Starts {
  const waiting = workflow.plan.tasks
    .filter((task) => taskState(workflow, task) === "ready" && !isSpent(workflow, task.id))
    .filter(({ id }) => needsCounsel(workflow, stages, id) === null)
    .toSorted((one, other) => (paths.get(other.id) ?? 0) - (paths.get(one.id) ?? 0));
  const slots = freeSlots(workflow, freePlaces(workflow, facts));
  if (waiting.length === 0 || slots.length === 0) return { starts: [], hindrance: null };
  const agent = freeAgent(workflow, facts);
  if (agent === null) return { starts: [], hindrance: waitFor(workflow, facts) };
  const { room } = facts;
  if (room?.attempts === 0)
    return { starts: [], hindrance: { type: "pause", reason: "blocked", detail: room.why } };
  const budget = new Budget(workflow, stages, facts, parallelOf(workflow, facts));
  const tokenBudget = new TokenBudget(workflow, facts, parallelOf(workflow, facts));
  const atWork = new TasksAtWork(workflow, facts);
  const starts: StartStep[] = [];
  for (const slot of slots.slice(0, room?.attempts)) {
    const task = atWork.choose(waiting);
    if (task === undefined) break;
    const money = budget.take();
    if (money === null) return { starts, hindrance: outOfMoney(facts, budget) };
    const tokens = tokenBudget.take();
    if (tokens === null) return { starts, hindrance: outOfTokens(facts) };
    waiting.splice(waiting.indexOf(task), 1);
    atWork.add(task);
    const number = attemptsOf(workflow, task.id).length + 1;
    starts.push({
      type: "start",
      task: task.id,
      number,
      slot,
      agent,
      ...money,
      ...tokens,
    });
  }
  return { starts, hindrance: null };
}

/** How many attempts may run at once. */
export function parallelOf(workflow: Workflow, { isGit, parallel }: Facts): number {
  return isGit ? Math.max(1, parallel ?? workflow.parallel) : 1;
}

/** How many more attempts may run. Without git, the next one waits until the last result is accepted. */
function freePlaces(workflow: Workflow, facts: Facts): number {
  const isHeld = !facts.isGit && workflow.attempts.some(({ state }) => state.type === "finished");
  return isHeld ? 0 : Math.max(0, parallelOf(workflow, facts) - running(workflow).length);
}

/** The lowest slots that no attempt has. */
export function freeSlots(workflow: Workflow, count: number): readonly number[] {
  const taken = new Set(running(workflow).map(({ slot }) => slot));
  const slots: number[] = [];
  for (let slot = 1; slots.length < count; slot += 1) if (!taken.has(slot)) slots.push(slot);
  return slots;
}

/** The first agent that doesn't wait for a usage limit. */
export function freeAgent(
  { waits }: Workflow,
  { agents, now }: Pick<Facts, "agents" | "now">,
): string | null {
  const limited = new Set(waits.filter(({ until }) => until > now).map(({ agent }) => agent));
  return agents.find((agent) => !limited.has(agent)) ?? null;
}

function waitFor({ waits }: Workflow, { agents }: Facts): Hindrance {
  const [first] = waits
    .filter(({ agent }) => agents.includes(agent))
    .toSorted((one, other) => one.until - other.until);
  return first === undefined ? null : { type: "wait", ...first };
}

function outOfMoney({ budgetUsd, spentUsd }: Facts, { neededUsd }: Budget): Hindrance {
  const spent = `$${spentUsd.toFixed(2)} of $${(budgetUsd ?? 0).toFixed(2)} spent`;
  const needed = neededUsd > 0 ? `, and an attempt needs $${neededUsd.toFixed(2)}` : "";
  return { type: "pause", reason: "budget", detail: `${spent}${needed}` };
}

function outOfTokens({ tokenLimit, spentTokens }: Facts): Hindrance {
  return { type: "pause", reason: "budget", detail: `${spentTokens} of ${tokenLimit ?? 0} tokens used` };
}

/** A task that was begun and isn't on the loop's branch yet: one that starts now doesn't see what it changes. */
interface AtWork {
  readonly task: string;
  /** How long until it is expected to be merged; null when it should have ended already, and may go on for ever. */
  readonly leftMs: number | null;
}

/** The tasks at work, and the choice of one more beside them. */
class TasksAtWork {
  readonly #workflow: Workflow;
  readonly #facts: Facts;
  readonly #atWork: AtWork[];

  constructor(workflow: Workflow, facts: Facts) {
    this.#workflow = workflow;
    this.#facts = facts;
    const byId = new Map(workflow.plan.tasks.map((task) => [task.id, task]));
    this.#atWork = workflow.attempts.flatMap(({ task, state, startedAt }): readonly AtWork[] => {
      const planned = byId.get(task);
      if (state.type === "finished") return [{ task, leftMs: 0 }];
      if (state.type !== "running" || planned === undefined) return [];
      const leftMs = startedAt + expectedMs(workflow, planned) - facts.now;
      return [{ task, leftMs: leftMs > 0 ? leftMs : null }];
    });
  }

  /** The first that touches no file of a task at work; else the first that gains nothing by waiting. */
  choose(waiting: readonly PlannedTask[]): PlannedTask | undefined {
    return (
      waiting.find((task) => this.#inItsWay(task).length === 0) ??
      waiting.find((task) => !this.#inItsWay(task).some((other) => this.#isOverSoon(other, task)))
    );
  }

  add(task: PlannedTask): void {
    this.#atWork.push({ task: task.id, leftMs: expectedMs(this.#workflow, task) });
  }

  #inItsWay({ id }: PlannedTask): readonly AtWork[] {
    return this.#atWork.filter(({ task }) => this.#facts.overlap(id, task));
  }

  /** Before half of the one that waits for it would be done. */
  #isOverSoon({ leftMs }: AtWork, waiting: PlannedTask): boolean {
    return leftMs !== null && leftMs <= expectedMs(this.#workflow, waiting) / 2;
  }
}

/** How long one attempt at a task is expected to take: what the plan says, else what others took. */
export function expectedMs({ plan, measured }: Workflow, { estimateMs }: PlannedTask): number {
  return Math.max(1, estimateMs ?? meanOf(measured.attempts) ?? meanEstimate(plan.tasks) ?? 1);
}

/** From the start of each task to the end of the longest chain of tasks that it holds up. */
export function expectedPaths(workflow: Workflow): ReadonlyMap<string, number> {
  return remainingPaths(workflow.plan.tasks, (task) => expectedMs(workflow, task));
}

const meanEstimate = remember((tasks: readonly PlannedTask[]): number | null => {
  const known = tasks.flatMap(({ estimateMs }) => estimateMs ?? []);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
});
