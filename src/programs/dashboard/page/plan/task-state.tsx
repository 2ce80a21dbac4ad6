import { againWords, failedTimes, objectionsTo } from "../../../../views/gate-words.ts";
import type { WorkflowStatus, WorkflowTask } from "../../../../views/plan.ts";
import { isWaiting, taskWaitsUntil } from "../../../../views/standing.ts";
import type { StatusView } from "../../../../views/status.ts";
import { now } from "../data/state.ts";
import { AtWork, Contradicts, Cut, Failed, NotAsked, Seal, Waits } from "../shown/glyphs.tsx";
import { clock } from "../shown/words.ts";

/** What the gate speaks against has no plain seal, whatever its own check said. */
export function TaskGlyph({
  task,
  judgement,
}: {
  readonly task: WorkflowTask;
  readonly judgement: WorkflowStatus["judgement"];
}) {
  if (task.state === "done" && objectionsTo(task, judgement).length > 0)
    return <Contradicts label="the gate speaks against it" />;
  switch (task.state) {
    case "done":
      return <Seal confidence={task.confidence} />;
    case "running":
    case "merging":
      if (isWaiting(taskWaitsUntil(task), now.value)) return <Waits label="waits for a usage limit" />;
      return <AtWork label={task.state === "running" ? "at work" : "is merged"} />;
    case "given-up":
      return <Failed label="given up" />;
    case "skipped":
      return <Cut label="left out" />;
    case "stopped":
      return <Waits label="stopped" />;
    case "blocked":
    case "ready":
      if (hasFailed(task)) return <Failed label="failed" />;
      return <NotAsked label={task.state === "ready" ? "ready" : "waits"} />;
  }
}

/** It was tried, and no attempt is under way. */
function hasFailed({ state, setback }: WorkflowTask): boolean {
  return state === "ready" && setback !== null;
}

/** What failed is not the same as what has not begun. */
export function stateWords(task: WorkflowTask, phase: StatusView["phase"]): string {
  const until = taskWaitsUntil(task);
  if (isWaiting(until, now.value)) return `waits for a usage limit until ${clock(until)}`;
  return hasFailed(task)
    ? `${task.stuckCount > 0 ? failedTimes(task) : "set back"}${againWords(phase)}`
    : (task.confidence ?? STATES[task.state] ?? task.state);
}

const STATES: { readonly [state: string]: string } = {
  running: "at work",
  merging: "merged right now",
  ready: "not begun",
  blocked: "waits for others",
  "given-up": "given up",
  skipped: "left out",
};

/** Merged, although no check shows it. */
export function isUnshown({ state, confidence }: WorkflowTask): boolean {
  return state === "done" && (confidence ?? "unverified") === "unverified";
}

/** All tasks that come before it. */
function below(task: WorkflowTask, tasks: readonly WorkflowTask[]): readonly WorkflowTask[] {
  const found = new Set<WorkflowTask>();
  const add = ({ blockedBy }: WorkflowTask): void => {
    for (const each of tasks)
      if (blockedBy.includes(each.id) && !found.has(each)) {
        found.add(each);
        add(each);
      }
  };
  add(task);
  return [...found];
}

/** Which unshown work a task rests on, and what rests on it if it is unshown itself. */
export function RestsOn({
  task,
  tasks,
}: {
  readonly task: WorkflowTask;
  readonly tasks: readonly WorkflowTask[];
}) {
  const under = below(task, tasks).filter(isUnshown);
  const above = isUnshown(task) ? tasks.filter((each) => below(each, tasks).includes(task)) : [];
  const ids = (some: readonly WorkflowTask[]): string => some.map(({ id }) => id).join(", ");
  return (
    <>
      {under.length > 0 && <p class="c-amber">Rests on {ids(under)}, which no check shows.</p>}
      {above.length > 0 && (
        <p class="c-amber">
          {ids(above)} {above.length === 1 ? "rests" : "rest"} on it.
        </p>
      )}
    </>
  );
}

const SETBACKS: { readonly [kind: string]: string } = {
  failed: "failed",
  conflict: "conflict",
  "red-together": "fails together",
  lost: "lost",
  setup: "setup failed",
};

/** Why an attempt paused, which is what it failed by. */
const PAUSES: { readonly [reason: string]: string } = {
  "same-error": "same error each time",
  stuck: "nothing more was met",
  "no-progress": "nothing changed",
  thrashing: "same file over and over",
  stale: "silent for too long",
  iterations: "iterations used up",
  budget: "out of money",
  blocked: "blocked",
  "must-not": "broke a must-not",
};

/** What set an attempt back, in a few words. */
export function setbackWords({ kind, detail }: NonNullable<WorkflowTask["setback"]>): string {
  const [, reason = ""] = kind === "failed" ? (/^It paused: ([\w-]+)/.exec(detail) ?? []) : [];
  return PAUSES[reason] ?? SETBACKS[kind] ?? kind;
}

/** `waits for T-005; T-006 is done`. */
export function waitsWords({ waitsFor, blockedBy }: WorkflowTask): string {
  const done = blockedBy.filter((id) => !waitsFor.includes(id));
  const rest = done.length === 0 ? "" : `; ${done.join(", ")} ${done.length === 1 ? "is" : "are"} done`;
  return `waits for ${waitsFor.join(", ")}${rest}`;
}
