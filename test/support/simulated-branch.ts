import type { Setback } from "../../src/core/plan/workflow.ts";
import type { Scenario } from "./workflow-scenario.ts";

/** What an attempt left in a ref of its own. */
export interface Result {
  readonly task: string;
  readonly number: number;
  /** How many commits of the branch it was made on. */
  readonly base: number;
  readonly isGood: boolean;
}

interface Landed {
  readonly commit: string;
  readonly result: Result;
}

export interface MergeOutcome {
  readonly accepted: readonly { readonly task: string; readonly commit: string }[];
  readonly setBack: readonly { readonly task: string; readonly setback: Setback }[];
}

/** A repository as far as a merge queue sees it: one branch, and results that may conflict or be red together. */
export class SimulatedBranch {
  readonly landed: Landed[] = [];
  readonly #scenario: Scenario;
  #commits = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  get tip(): string {
    return this.landed.at(-1)?.commit ?? "0".repeat(40);
  }

  newCommit(): string {
    this.#commits += 1;
    return this.#commits.toString(16).padStart(40, "0");
  }

  /** The position behind a commit; what has landed after it lies there and beyond. */
  behind(commit: string): number {
    return this.landed.findIndex((each) => each.commit === commit) + 1;
  }

  /** Yields once for each run of the checks, and halves what is red. `effect` stands around each move of the branch. */
  *merge(results: readonly Result[], effect: (move: () => void) => void): Generator<void, MergeOutcome> {
    const setBack = results.filter((result) =>
      this.#conflicts(
        result,
        this.landed.map((each) => each.result),
      ),
    );
    // One that conflicts with another of them is left for the next merge: the other one may not land.
    const together: Result[] = [];
    for (const result of results) {
      if (!setBack.includes(result) && !this.#conflicts(result, together)) together.push(result);
    }
    const conflicts = setBack.map(({ task }) => ({ task, setback: this.#setback("conflict", task) }));
    const rest = yield* this.#bisect(together, effect);
    return { accepted: rest.accepted, setBack: [...conflicts, ...rest.setBack] };
  }

  /** `isKnown`: these very files were found to be red, and aren't checked again. */
  *#bisect(
    results: readonly Result[],
    effect: (move: () => void) => void,
    isKnown = false,
  ): Generator<void, MergeOutcome> {
    const [first] = results;
    if (first === undefined) return { accepted: [], setBack: [] };
    if (!isKnown) yield;
    if (!this.#isRed(results)) {
      const accepted = results.map((result) => ({ commit: this.newCommit(), result }));
      effect(() => this.landed.push(...accepted));
      return {
        accepted: accepted.map(({ commit, result }) => ({ task: result.task, commit })),
        setBack: [],
      };
    }
    if (results.length === 1) {
      return {
        accepted: [],
        setBack: [{ task: first.task, setback: this.#setback("red-together", first.task) }],
      };
    }
    const middle = Math.ceil(results.length / 2);
    const left = yield* this.#bisect(results.slice(0, middle), effect);
    const right = yield* this.#bisect(results.slice(middle), effect, left.setBack.length === 0);
    return {
      accepted: [...left.accepted, ...right.accepted],
      setBack: [...left.setBack, ...right.setBack],
    };
  }

  #setback(kind: Setback["kind"], task: string): Setback {
    return { kind, detail: `${task}: ${kind}`, carry: this.newCommit(), failing: [] };
  }

  #conflicts(result: Result, others: readonly Result[]): boolean {
    return this.#unseen(result, others).some((other) =>
      this.#scenario.conflict(result.task, result.number, other.task),
    );
  }

  #isRed(results: readonly Result[]): boolean {
    const all = [...this.landed.map((each) => each.result), ...results];
    return results.some((result) =>
      this.#unseen(result, all).some((other) =>
        this.#scenario.isRedTogether(result.task, result.number, other.task),
      ),
    );
  }

  /** Those that weren't there when the work on the result began. */
  #unseen(result: Result, others: readonly Result[]): readonly Result[] {
    const seen = new Set(this.landed.slice(0, result.base).map((each) => each.result));
    return others.filter((other) => other !== result && !seen.has(other));
  }
}
