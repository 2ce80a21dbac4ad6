import { ENDINGS } from "./endings/endings.ts";
import type { Ending } from "./ending.ts";
import { GATES } from "./gates/gates.ts";
import type { Gate, Play } from "./play.ts";
import type { Runner, Task } from "./task.ts";

export interface Selection {
  /** Every ending on every task that it makes sense for, and all of them in sessions too. */
  readonly isFull: boolean;
  readonly runners: ReadonlySet<Runner>;
  /** Of `task · ending · gate`. */
  readonly only: RegExp | null;
}

export function selectPlays(tasks: readonly Task[], { isFull, runners, only }: Selection): readonly Play[] {
  const chosen = tasks.filter(({ runner }) => runners.has(runner));
  return ENDINGS.flatMap((ending, index) =>
    (isFull ? chosen : [...runners].flatMap((runner) => oneOf(chosen, runner, ending, index))).flatMap(
      (task) => playsOf(ending, task, isFull),
    ),
  ).filter((play) => only === null || only.test(nameOf(play)));
}

export function nameOf({ task, ending, gate, withHoldout }: Play): string {
  return `${task.name} · ${ending.name} · ${gate.name}${withHoldout ? " · holdout" : ""}`;
}

/** One task of a runner, another one for each ending. */
function oneOf(tasks: readonly Task[], runner: Runner, ending: Ending, index: number): readonly Task[] {
  const fitting = tasks.filter((task) => task.runner === runner && ending.script(task) !== null);
  return fitting.slice(index % Math.max(1, fitting.length)).slice(0, 1);
}

function playsOf(ending: Ending, task: Task, isFull: boolean): readonly Play[] {
  const script = ending.script(task);
  if (script === null) return [];
  return GATES.filter((gate) => isPlayedBefore(gate, ending, task, isFull)).flatMap((gate) =>
    holdoutsFor(gate, ending, task).map((withHoldout) => ({ task, ending, script, gate, withHoldout })),
  );
}

/** A session is not another decision than a run, so a part of the endings shows that both lead there. */
function isPlayedBefore(gate: Gate, ending: Ending, task: Task, isFull: boolean): boolean {
  return gate.isForSessions === undefined || isFull || (ending.inSessions === true && task.runner === "node");
}

/** With a holdout, and without, where it makes a difference. */
function holdoutsFor(gate: Gate, ending: Ending, task: Task): readonly boolean[] {
  const differs = gate.isOurs && task.holdout !== null;
  return differs && (ending.needs !== undefined || ending.meetsHoldouts === true) ? [false, true] : [false];
}
