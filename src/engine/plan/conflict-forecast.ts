import type { LoopId } from "../../core/loop/id.ts";
import { attemptsOf, isSettled, type Attempt, type Workflow } from "../../core/plan/workflow.ts";
import { changesOfCommits } from "../../worktrees/integration/commit-changes.ts";
import { foretellConflicts, type KeptCommitOf } from "../../worktrees/integration/foretell-conflicts.ts";
import type { Repository } from "../../worktrees/integration/repository.ts";
import { keptAttempt } from "../../worktrees/attempts/list-worktrees.ts";
import type { Plan, PlannedTask } from "../../core/plan/plan.ts";

/** Whether two tasks get into each other's way, as far as their attempts show it; null: they show nothing. */
export type Foreseen = (one: string, other: string) => boolean | null;

/** A merge of each with each takes milliseconds, but their number grows with the square. */
const MOST_FORETOLD = 12;

/**
 * What attempts show of the files that tasks touch: results that wait for their merge are merged with each other where nothing is kept,
 * and of all other tasks the files that their last attempt changed are compared. Worked out anew from refs by each process.
 */
export class ConflictForecast {
  readonly #repository: Repository;
  readonly #loop: LoopId;
  /** By `TASK/NUMBER`; null: nothing is kept of it. */
  readonly #changed = new Map<string, ReadonlySet<string> | null>();
  #told: { readonly about: string; readonly conflicts: Foreseen } = { about: "", conflicts: () => null };
  #seen = "";
  #foreseen: Foreseen = () => null;

  constructor(repository: Repository, loop: LoopId) {
    this.#repository = repository;
    this.#loop = loop;
  }

  /** Costs nothing while no attempt has begun or ended since. */
  async foresee(workflow: Workflow): Promise<Foreseen> {
    const { branch, attempts } = workflow;
    const seen = [branch?.tip, ...attempts.map(({ state }) => state.type)].join(" ");
    if (seen === this.#seen) return this.#foreseen;
    const files = await this.#lastFiles(workflow);
    const conflicts = await this.#conflicts(workflow);
    this.#seen = seen;
    this.#foreseen = (one, other) => conflicts(one, other) ?? shared(files.get(one), files.get(other));
    return this.#foreseen;
  }

  /** By task that isn't done: what its last attempt with anything to show changed. */
  async #lastFiles(workflow: Workflow): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const files = new Map<string, ReadonlySet<string>>();
    for (const { id } of workflow.plan.tasks) {
      if (isSettled(workflow, id)) continue;
      for (const attempt of attemptsOf(workflow, id)) {
        const changed = attempt.state.type === "running" ? null : await this.#changedBy(attempt);
        if (changed !== null && changed.size > 0) files.set(id, changed);
      }
    }
    return files;
  }

  async #changedBy({ task, number }: Attempt): Promise<ReadonlySet<string> | null> {
    const key = `${task}/${number}`;
    const known = this.#changed.get(key);
    if (known !== undefined) return known;
    const commit = await keptAttempt(this.#repository.root, { loop: this.#loop, task, number });
    const changes = commit === null ? null : await changesOfCommits(this.#repository.root, [commit]);
    const changed =
      commit === null || changes === null
        ? null
        : new Set((changes.get(commit) ?? []).map(({ path }) => path));
    this.#changed.set(key, changed);
    return changed;
  }

  /** Among results that wait for their merge; of others it knows nothing. */
  async #conflicts({ branch, attempts }: Workflow): Promise<Foreseen> {
    const waiting = attempts.flatMap(({ task, base, state }) =>
      state.type === "finished" && state.commit !== null && base !== null && state.commit !== base
        ? [{ task, base, commit: state.commit }]
        : [],
    );
    const results = waiting.slice(0, MOST_FORETOLD);
    if (branch === null || results.length < 2) return () => null;
    const about = [branch.tip, ...results.map(({ commit }) => commit)].join(" ");
    if (about !== this.#told.about)
      this.#told = { about, conflicts: await this.#foretell(branch.tip, results) };
    return this.#told.conflicts;
  }

  async #foretell(
    tip: string,
    results: readonly (KeptCommitOf & { readonly task: string })[],
  ): Promise<Foreseen> {
    const told = await foretellConflicts({ ...this.#repository, tip, results });
    if (told.type === "failed") return () => null;
    const taskOf = new Map(results.map(({ task, commit }) => [commit, task]));
    const pairs = new Set(told.pairs.map((pair) => pairOf(pair.map((commit) => taskOf.get(commit) ?? ""))));
    const known = new Set(results.map(({ task }) => task));
    return (one, other) => (known.has(one) && known.has(other) ? pairs.has(pairOf([one, other])) : null);
  }
}

function pairOf(tasks: readonly string[]): string {
  return tasks.toSorted().join(" ");
}

function shared(
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): boolean | null {
  if (one === undefined || other === undefined) return null;
  // That they touched other files so far doesn't say that they will.
  return [...one].some((path) => other.has(path)) ? true : null;
}

/** Whether two tasks say that they touch the same files: the same glob, or one inside the folder of the other. */
export function overlapIn({ tasks }: Plan): (one: string, other: string) => boolean {
  const files = new Map(tasks.map((task) => [task.id, task.files.map(fixedPart)]));
  return (one, other) => {
    const theirs = files.get(other) ?? [];
    return (files.get(one) ?? []).some((path) => theirs.some((each) => touches(path, each)));
  };
}

/** Whether a task may mean this path, as far as the fixed part of its globs says. */
export function mayTouch({ files }: Pick<PlannedTask, "files">, path: string): boolean {
  return files.some((glob) => isWithin(path, fixedPart(glob.replace(/^\.\//, ""))));
}

/** Whether a task speaks of this path: among its files, other than by a wildcard for everything, or in its own words. */
export function names(task: Pick<PlannedTask, "files" | "subject" | "description">, path: string): boolean {
  const files = task.files.filter((glob) => fixedPart(glob) !== "");
  return mayTouch({ files }, path) || `${task.subject}\n${task.description}`.includes(path);
}

/** The path before the first wildcard. */
function fixedPart(glob: string): string {
  return glob.replace(/[^/]*[*?[{].*$/, "");
}

function touches(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "" || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
