import { failedWords, mergedWords } from "../../../../views/gate-words.ts";
import type { WorkflowStatus } from "../../../../views/plan.ts";
import { isWaiting, taskWaitsUntil } from "../../../../views/standing.ts";
import type { StatusView } from "../../../../views/status.ts";
import { now } from "../data/state.ts";
import type { Subject } from "../dialog/subject.ts";
import { Lead } from "../loop/lead.tsx";
import { CaughtClaims } from "./caught-claims.tsx";
import { taskShown } from "./chosen-task.ts";
import { Gantt } from "./gantt.tsx";
import { Graph } from "./graph.tsx";
import { outcome } from "./outcome.ts";
import { Panel } from "./panel.tsx";
import { Contradicts } from "../shown/glyphs.tsx";
import { costSentence, costWords, counted, dollars } from "../shown/words.ts";

/** A plan: its graph, its attempts over time, and the chosen task, attempt by attempt. */

function sentence(view: StatusView, workflow: WorkflowStatus): string {
  const { counts, attempts } = workflow;
  const waiting = workflow.tasks.filter((task) => isWaiting(taskWaitsUntil(task), now.value)).length;
  const busy = counts.running + counts.merging - waiting;
  const setbacks = attempts.filter(({ state }) => state === "set-back").length;
  if (view.phase === "completed") {
    return `${outcome(workflow)} ${costSentence(view.cost)}`;
  }
  const failed = failedWords(workflow, view.phase);
  const fresh = workflow.tasks.filter(
    ({ state, stuckCount }) => state === "blocked" || (state === "ready" && stuckCount === 0),
  ).length;
  const parts = [
    mergedWords(workflow),
    ...(busy > 0 ? [`${busy} at work`] : []),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "waits" : "wait"}`] : []),
    ...(counts.stopped > 0 ? [`${counts.stopped} stopped`] : []),
    ...(failed === null ? [] : [failed]),
    ...(fresh > 0 ? [`${fresh} not begun`] : []),
    ...(counts["given-up"] > 0 ? [`${counts["given-up"]} given up`] : []),
  ];
  return `${parts.join(", ")}.${setbacks === 0 ? "" : ` ${counted(setbacks, "setback")} caught before your branch.`}`;
}

function Money({ view, workflow }: { readonly view: StatusView; readonly workflow: WorkflowStatus }) {
  const { budgetUsd, costUsd } = view;
  if (budgetUsd === null || costUsd === null) return <p class="dim money">{costWords(view.cost)}</p>;
  const share = (usd: number): string => `${Math.min(100, (usd / budgetUsd) * 100)}%`;
  return (
    <p class="dim money">
      {dollars(Math.round(costUsd * 100) / 100)} spent
      {workflow.reservedUsd > 0
        ? `, ${dollars(Math.round(workflow.reservedUsd * 100) / 100)} reserved for attempts under way`
        : ""}
      , of {dollars(budgetUsd)}{" "}
      <span class="bar wide" aria-hidden="true">
        <i style={{ width: share(costUsd) }} />
        <i class="res" style={{ width: share(workflow.reservedUsd) }} />
      </span>
    </p>
  );
}

export function Plan({ view, subject }: { readonly view: StatusView; readonly subject: Subject }) {
  const { workflow } = view;
  if (workflow === null) return null;
  const task = taskShown(workflow);
  return (
    <main id="main">
      <Lead view={view} subject={subject}>
        {sentence(view, workflow)}
      </Lead>
      <Money view={view} workflow={workflow} />
      <div class="plan">
        <div>
          <Graph workflow={workflow} phase={view.phase} chosen={task?.id ?? null} />
          <Gantt view={view} workflow={workflow} chosen={task?.id ?? null} />
          <CaughtClaims workflow={workflow} />
          {workflow.tasks.some(({ state }) => state === "given-up") && (
            <p class="c-red">
              <Contradicts /> {counted(workflow.counts["given-up"], "task")} given up
            </p>
          )}
        </div>
        {task !== null && <Panel task={task} workflow={workflow} phase={view.phase} seq={view.seq} />}
      </div>
    </main>
  );
}
