import { expectedMs } from "./expected-time.ts";
import type { PlannedTask } from "./plan.ts";
import type { Facts } from "./step.ts";
import type { Workflow } from "./workflow.ts";

/** A task that was begun and isn't on the loop's branch yet: one that starts now doesn't see what it changes. */
interface AtWork {
  readonly task: string;
  /** How long until it is expected to be merged; null when it should have ended already, and may go on for ever. */
  readonly leftMs: number | null;
}

/** The tasks at work, and the choice of one more beside them. */
export class TasksAtWork {
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
