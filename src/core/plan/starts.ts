import { TasksAtWork } from "./at-work.ts";
import { Purse } from "./purse.ts";
import { needsCounsel } from "../stages/judging.ts";
import type { Stages } from "../stages/stages.ts";
import type { Facts, StartStep, Step } from "./step.ts";
import { TokenPurse } from "./token-purse.ts";
import type { Workflow } from "./workflow.ts";
import { attemptsOf, isSpent, running, taskState } from "./workflow.ts";

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
  const purse = new Purse(workflow, stages, facts, parallelOf(workflow, facts));
  const tokenPurse = new TokenPurse(workflow, facts, parallelOf(workflow, facts));
  const atWork = new TasksAtWork(workflow, facts);
  const starts: StartStep[] = [];
  for (const slot of slots.slice(0, room?.attempts)) {
    const task = atWork.choose(waiting);
    if (task === undefined) break;
    const money = purse.take();
    if (money === null) return { starts, hindrance: outOfMoney(facts, purse) };
    const tokens = tokenPurse.take();
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

function outOfMoney({ budgetUsd, spentUsd }: Facts, { neededUsd }: Purse): Hindrance {
  const spent = `$${spentUsd.toFixed(2)} of $${(budgetUsd ?? 0).toFixed(2)} spent`;
  const needed = neededUsd > 0 ? `, and an attempt needs $${neededUsd.toFixed(2)}` : "";
  return { type: "pause", reason: "budget", detail: `${spent}${needed}` };
}

function outOfTokens({ tokenLimit, spentTokens }: Facts): Hindrance {
  return { type: "pause", reason: "budget", detail: `${spentTokens} of ${tokenLimit ?? 0} tokens used` };
}
