import { objectionsTo } from "../../../../views/gate-words.ts";
import type { WorkflowTask } from "../../../../views/plan.ts";
import { RestsOn, TaskGlyph } from "../plan/task-state.tsx";
import { counted } from "../shown/words.ts";
import type { Workflow } from "./gate.ts";
import { reviewed } from "./reviewed.ts";

/** What the tasks of a plan came to, riskiest first, with the lines that each changed. */
export function Tasks({ workflow }: { readonly workflow: Workflow }) {
  const rows = new Map(reviewed.value?.tasks.map((each, index) => [each.id, { ...each, index }]));
  const tasks = workflow.tasks.toSorted(
    (one, other) =>
      (rows.get(one.id)?.index ?? 0) - (rows.get(other.id)?.index ?? 0) ||
      weightOf(one) - weightOf(other) ||
      other.setbacks - one.setbacks,
  );
  return (
    <section aria-labelledby="tasks">
      <div class="head">
        <h2 id="tasks">Tasks</h2>
        <span class="n">{orderWords(tasks)}</span>
      </div>
      <table class="tasks">
        <tbody>
          {tasks.map((task) => {
            const { lines = null, risks = null } = rows.get(task.id) ?? {};
            const against = objectionsTo(task, workflow.judgement);
            return (
              <tr key={task.id}>
                <td>
                  <TaskGlyph task={task} judgement={workflow.judgement} />
                </td>
                <td class="mono nowrap">{task.id}</td>
                <td>
                  <span class="s">{task.subject}</span>
                  <span class={`d ${isShown(task) ? "dim" : "c-amber"}`}>
                    {(risks ?? [shownWords(task)]).join("; ")}
                  </span>
                  {against.map((words) => (
                    <span key={words} class="d c-red">
                      The gate speaks against it: {words}
                    </span>
                  ))}
                  <RestsOn task={task} tasks={workflow.tasks} />
                </td>
                <td class="nowrap">
                  {lines !== null ? (
                    <>
                      <span class="c-green">+{lines.added}</span> <span class="c-red">−{lines.removed}</span>
                    </>
                  ) : (
                    risks !== null && task.state === "done" && <span class="dim">no change</span>
                  )}
                </td>
                <td class="mono dim">
                  {risks !== null && lines === null ? "" : (task.commit?.slice(0, 8) ?? "")}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const WEIGHTS = { unverified: 0, weak: 1, verified: 2 } as const;

function weightOf({ confidence }: WorkflowTask): number {
  return confidence === null ? -1 : WEIGHTS[confidence];
}

function isShown({ state, confidence }: WorkflowTask): boolean {
  return state !== "done" || confidence === "verified";
}

/** Why the tasks are in this order; empty where nothing sets one before another. */
function orderWords(tasks: readonly WorkflowTask[]): string {
  const isUnfinished = tasks.some(({ confidence }) => confidence === null);
  const isRisky = tasks.some(
    ({ confidence, setbacks }) => confidence !== null && (confidence !== "verified" || setbacks > 0),
  );
  if (isUnfinished) return isRisky ? "unfinished first, then the riskiest" : "unfinished first";
  return isRisky ? "riskiest first" : "";
}

/** `verified, 1 setback`. */
function shownWords({ state, confidence, setbacks }: WorkflowTask): string {
  return [
    ...(state === "done" ? [confidence ?? "unverified"] : []),
    ...(setbacks > 0 ? [counted(setbacks, "setback")] : []),
  ].join(", ");
}
