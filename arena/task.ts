import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

export type Runner = "node" | "vitest" | "pytest";

export type Files = ReadonlyMap<string, string>;

/** A small project with something to do. */
export interface Assignment {
  readonly name: string;
  readonly ecosystem: string;
  readonly spec: string;
  readonly check: string;
  /** Makes what git ignores, before the loop is opened and after the source is changed. */
  readonly setup?: string;
  readonly project: Files;
  readonly mayChange?: readonly string[];
  /** The folder of tests that no agent sees, where there is one. */
  readonly holdout: string | null;
}

/** `task.json`: what nobody can read off the files. */
interface Description {
  readonly spec: string;
  readonly check: string;
  readonly setup?: string;
  readonly mayChange?: readonly string[];
  /** A bug has a wrong source, a feature has none yet, and an output is as the tests say until the spec changes it. */
  readonly kind: "bug" | "feature" | "output";
  readonly source: string;
  /** Where a tidy person would move the source. */
  readonly moved?: string;
  /** What `setup` makes of the source. */
  readonly built?: string;
  readonly tests: string;
  /** A test file that passes from the start. */
  readonly otherTests?: string;
  readonly failing: readonly string[];
  /** Expectations, and what they'd be if the bug were right. */
  readonly wrongly?: readonly (readonly [from: string, to: string])[];
}

/** One whose tests are written in a dialect that agents know how to change, and the files that do it. */
export interface Task extends Assignment, Description {
  readonly runner: Runner;
  readonly solution: Files;
  /** Other files over the project, by the name of their folder: `hard-coded`, `helper-emptied`, … */
  overlay(name: string): Files | null;
}

const RUNNERS: readonly Runner[] = ["node", "vitest", "pytest"];

const ECOSYSTEM_OF: { readonly [runner in Runner]: string } = {
  node: "node:test",
  vitest: "vitest",
  pytest: "pytest",
};

export function loadTasks(folder: string): readonly Task[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => loadTask(folder, name));
}

function loadTask(tasks: string, name: string): Task {
  const folder = join(tasks, name);
  const description = JSON.parse(readFileSync(join(folder, "task.json"), "utf8")) as Description;
  const runner = RUNNERS.find((each) => name.startsWith(`${each}-`));
  if (runner === undefined) throw new Error(`${name}: no runner's name begins it`);
  const overlays = new Set(readdirSync(folder));
  return {
    ...description,
    name,
    runner,
    ecosystem: ECOSYSTEM_OF[runner],
    project: filesBelow(join(folder, "project")),
    solution: filesBelow(join(folder, "solution")),
    overlay: (overlay) => (overlays.has(overlay) ? filesBelow(join(folder, overlay)) : null),
    holdout: overlays.has("holdout") ? resolve(folder, "holdout") : null,
  };
}

function filesBelow(folder: string): Files {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}

/** A file as it is at the opening; every task has those that it names. */
export function textOf(task: Task, path: string): string {
  const text = task.project.get(path);
  if (text === undefined) throw new Error(`${task.name} has no ${path}`);
  return text;
}

/** The source as the reference solution has it. */
export function solvedSource(task: Task): string {
  const text = task.solution.get(task.source);
  if (text === undefined) throw new Error(`${task.name}: the solution has no ${task.source}`);
  return text;
}
