import { joined } from "../core/joined.ts";
import { listed } from "../core/listed.ts";
import type { ChangedFiles } from "../core/loop/proof.ts";
import type { SetbackKind } from "../core/plan/workflow.ts";
import { counted } from "../system/text/quantities.ts";
import type { WorkflowTask } from "./plan.ts";

/** What is known of a task's work, for somebody who looks at it. */
export interface TaskResult extends Pick<WorkflowTask, "id" | "subject" | "state" | "confidence" | "doubts"> {
  readonly setbacks: readonly SetbackKind[];
  /** null: without git, or it changed nothing. */
  readonly commit: string | null;
  /** The command that shows what its last attempt left, where that isn't merged; null: nothing is kept. */
  readonly kept: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly added: number | null;
    readonly removed: number | null;
  }[];
  /** Files that it puts back to what they were before another task. */
  readonly reverts: readonly { readonly path: string; readonly of: string | null }[];
  /** What its attempt changed, by what it is; null where that isn't known. */
  readonly changed: ChangedFiles | null;
}

export interface ReviewedTask extends TaskResult {
  readonly lines: number;
  /** Why somebody should look at it, the most telling first. */
  readonly risks: readonly string[];
}

const MANY_LINES = 400;

/** The results of a plan, the riskiest first: what nothing shows, what undoes others, what changes its own tests, what was hard, what is large. */
export function reviewOrder(tasks: readonly TaskResult[]): readonly ReviewedTask[] {
  return tasks
    .map((task) => ({ ...task, lines: linesOf(task), risks: risksOf(task) }))
    .toSorted((one, other) => compare(weights(one), weights(other)));
}

function weights(task: ReviewedTask): readonly number[] {
  const { confidence, reverts, changed, setbacks, lines } = task;
  return [
    confidence === null ? 3 : { unverified: 2, weak: 1, verified: 0 }[confidence],
    reverts.length,
    deletedBy(changed).length,
    (changed?.definitions.length ?? 0) + (changed?.tests.length ?? 0),
    setbacks.length,
    lines,
  ];
}

/** The heavier one first; the first weight that differs decides. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((weight, index) => weight !== other[index]);
  return at === -1 ? 0 : (other[at] ?? 0) - (one[at] ?? 0);
}

function linesOf({ files }: TaskResult): number {
  return files.reduce((sum, { added, removed }) => sum + (added ?? 0) + (removed ?? 0), 0);
}

function deletedBy(changed: ChangedFiles | null): readonly string[] {
  return changed?.deleted ?? [];
}

function risksOf(task: TaskResult): readonly string[] {
  const { state, confidence, doubts, setbacks, reverts, changed } = task;
  const lines = linesOf(task);
  return [
    ...(confidence === null ? [NOT_DONE[state]] : []),
    ...(confidence === "unverified" ? [because("nothing shows that it is done", doubts)] : []),
    ...(confidence === "weak" ? [because("shown on weak evidence only", doubts)] : []),
    ...reverts.map(({ path, of }) => `puts ${path} back to what it was before ${of ?? "another task"}`),
    ...named("deletes", deletedBy(changed)),
    ...named("changes what its check means:", changed?.definitions ?? []),
    ...named("changes tests:", changed?.tests ?? []),
    ...(setbacks.length === 0 ? [] : [setbacksText(setbacks)]),
    ...(lines >= MANY_LINES ? [`${lines} lines`] : []),
  ];
}

function because(what: string, doubts: readonly string[]): string {
  return doubts.length === 0 ? what : `${what}: ${joined(doubts)}`;
}

/** `3 setbacks: failed 2 times, conflict`. */
function setbacksText(setbacks: readonly SetbackKind[]): string {
  const kinds = [...new Set(setbacks)].map((kind) => {
    const { length } = setbacks.filter((each) => each === kind);
    return length === 1 ? kind : `${kind} ${length} times`;
  });
  return `${counted(setbacks.length, "setback")}: ${kinds.join(", ")}`;
}

const NOT_DONE = {
  done: "nothing of it is on the branch",
  running: "still being worked on",
  stopped: "begun and stopped",
  merging: "not merged yet",
  ready: "not begun, or set back",
  blocked: "not begun: it waits for others",
  "given-up": "given up",
  skipped: "left out",
} as const satisfies { readonly [State in TaskResult["state"]]: string };

const MOST_NAMED = 4;

function named(what: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  return [`${what} ${listed(files, MOST_NAMED)}`];
}
