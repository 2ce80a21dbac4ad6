import { assign } from "./ecosystems/assign.ts";
import type { Ecosystem } from "./ecosystems/ecosystem.ts";
import { ENDINGS } from "./endings/endings.ts";
import type { Ending } from "./ending.ts";
import { DEEP_GATES, WIDE_GATES } from "./gates/gates.ts";
import type { Gate, Play } from "./play.ts";
import type { Task } from "./task.ts";

export interface Selection {
  /** Every ending on every task that it makes sense for, and all of them in sessions too. */
  readonly isFull: boolean;
  readonly ecosystems: ReadonlySet<string>;
  /** Of `task · ending · gate`. */
  readonly only: RegExp | null;
}

/** Many endings of the tasks whose tests agents know how to change. */
export function selectDeep(tasks: readonly Task[], { isFull, ecosystems, only }: Selection): readonly Play[] {
  const chosen = tasks.filter(({ ecosystem }) => ecosystems.has(ecosystem));
  return ENDINGS.flatMap((ending, index) =>
    (isFull ? chosen : [...ecosystems].flatMap((name) => oneOf(chosen, name, ending, index))).flatMap(
      (task) => playsOf(ending, task, isFull),
    ),
  ).filter((play) => only === null || only.test(nameOf(play)));
}

/** Each kind of work and each mechanism, in every ecosystem. */
export function selectWide(all: readonly Ecosystem[], { ecosystems, only }: Selection): readonly Play[] {
  return all
    .filter(({ name }) => ecosystems.has(name))
    .flatMap(assign)
    .flatMap((assigned) => WIDE_GATES.map((gate) => ({ ...assigned, gate, withHoldout: false })))
    .filter((play) => only === null || only.test(nameOf(play)));
}

export function nameOf({ task, ending, how, gate, withHoldout }: Play): string {
  const spelled = how === undefined ? ending.name : `${ending.name}: ${how}`;
  return `${task.name} · ${spelled} · ${gate.name}${withHoldout ? " · holdout" : ""}`;
}

/** One task of an ecosystem, another one for each ending. */
function oneOf(tasks: readonly Task[], name: string, ending: Ending, index: number): readonly Task[] {
  const fitting = tasks.filter((task) => task.ecosystem === name && ending.script(task) !== null);
  return fitting.slice(index % Math.max(1, fitting.length)).slice(0, 1);
}

function playsOf(ending: Ending, task: Task, isFull: boolean): readonly Play[] {
  const script = ending.script(task);
  if (script === null) return [];
  return DEEP_GATES.filter((gate) => isPlayedBefore(gate, ending, task, isFull)).flatMap((gate) =>
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
