import { setTimeout as sleep } from "node:timers/promises";
import type { EventOf } from "../../core/events/event.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import { LONGEST_WORDS, MOST_UNHEARD, unheard } from "../../core/loop/words.ts";
import { lastAttempt, running, isDone, isSettled } from "../../core/plan/workflow.ts";
import type { Attempt, Workflow } from "../../core/plan/workflow.ts";
import { UserError } from "../../core/user-error.ts";
import { livingDriver, openKnown, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { lastPlan } from "../run/agent-choice.ts";
import { expectPerson } from "./expect-person.ts";
import { expectOpen } from "./lifecycle.ts";

export interface Told {
  readonly loop: Loop;
  /** Attempts of a plan that have it in their next turn. */
  readonly reached: readonly string[];
  /** Attempts that run where their records can't be written, or were just being begun: their next attempts hear it. */
  readonly missed: readonly string[];
}

/** Attempts that run have loops of their own; later ones read it in what they are asked to do. */
export async function passOn(
  machine: Machine,
  chosen: KnownLoop,
  loop: Loop,
  task: string | null,
  text: string,
): Promise<Told> {
  const attempts = loop.workflow === null ? [] : running(loop.workflow);
  const told = await Promise.all(
    attempts
      .filter((attempt) => task === null || attempt.task === task)
      .map(async (attempt) => ({
        task: attempt.task,
        isReached: await tellAttempt(machine, chosen, loop, attempt, text),
      })),
  );
  const tasksThat = (isReached: boolean): readonly string[] =>
    told.filter((each) => each.isReached === isReached).map((each) => each.task);
  return { loop, reached: tasksThat(true), missed: tasksThat(false) };
}

/** Checked before it is recorded: what no agent could read in a prompt isn't kept. */
export function wordsTold(loop: Loop, task: string | null, asked: string): EventOf<"words.told"> {
  const text = asked.trim();
  if (text === "") throw new UserError("Say something, for example: loop tell 'use the port 8080'");
  if (text.length > LONGEST_WORDS)
    throw new UserError(
      `That is ${text.length} characters, and an agent is told at most ${LONGEST_WORDS} at once; write it into a file of the project, and name the file.`,
    );
  if (loop.workflow === null && unheard(loop.words).length >= MOST_UNHEARD)
    throw new UserError(
      `${MOST_UNHEARD} messages wait already for the agent's next turn; put them into one, after that turn.`,
    );
  return { type: "words.told", text, task };
}

/** The task that asks: of those that were set back, the last. Null: no task does, and all hear the answer. */
export function askingTask(workflow: Workflow): string | null {
  const asking = workflow.plan.tasks
    .flatMap(({ id }) => lastAttempt(workflow, id) ?? [])
    .filter(({ state }) => state.type === "set-back")
    .toSorted((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0));
  return asking.at(-1)?.task ?? null;
}

const OPENING_MS = 20_000;
const LOOK_MS = 200;

/** An attempt that was just begun has no journal yet. Of one on another machine there is only a copy here: its driver sends it the words. */
async function tellAttempt(
  machine: Machine,
  { live: { project } }: KnownLoop,
  workflow: Loop,
  { loop: id, worktree }: Attempt,
  text: string,
): Promise<boolean> {
  const isElsewhere = worktree === null && lastPlan(machine.home, project.root, workflow.id)?.fleet != null;
  if (isElsewhere) return true;
  const until = machine.now() + (livingDriver(workflow) === null ? 0 : OPENING_MS);
  while (!(await isThere(machine, project, id))) {
    if (machine.now() >= until) return false;
    await sleep(LOOK_MS);
  }
  const own = await openKnown(machine, project, id);
  if (own === null) return false;
  const told = await own.live.record((now) =>
    isEnded(now) ? [] : [{ type: "words.told", text, task: null }],
  );
  return !isEnded(told);
}

async function isThere(
  machine: Pick<Machine, "journals">,
  project: KnownLoop["live"]["project"],
  id: LoopId,
): Promise<boolean> {
  return (await machine.journals(project).list()).includes(id);
}

/** A person's words for the agent of a loop, or for those of a plan, told in their next turns. */
export async function tellLoop(
  machine: Machine,
  chosen: KnownLoop,
  task: string | null,
  text: string,
): Promise<Told> {
  await expectPerson(machine, "tell", chosen);
  const loop = await chosen.live.record((now) => {
    expectOpen(now);
    if (now.workflow !== null) expectListener(now.workflow, task);
    return [wordsTold(now, task, text)];
  });
  return passOn(machine, chosen, loop, task, text);
}

function expectListener(workflow: Workflow, task: string | null): void {
  const { tasks } = workflow.plan;
  if (task === null) {
    if (tasks.some(({ id }) => !isSettled(workflow, id))) return;
    throw new UserError("Every task is done, so nobody would hear it; start another loop for what is left.");
  }
  if (!tasks.some(({ id }) => id === task))
    throw new UserError(`The plan has no task "${oneLine(task, 40)}"; see them with: loop task`);
  if (isDone(workflow, task))
    throw new UserError(`${task} is done, so nobody would hear it; start another loop for what is left.`);
}
