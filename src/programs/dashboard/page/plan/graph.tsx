import type { StatusView } from "../../../../views/status.ts";
import type { WorkflowStatus } from "../../../../views/plan.ts";
import { choose } from "./chosen-task.ts";
import { NODE, layoutOf } from "./layout.ts";
import { stateWords, TaskGlyph } from "./task-state.tsx";
import { counted } from "../shown/words.ts";

/** More than these aren't drawn one by one. */
export const MANY = 60;

/** Tasks by wave, and what each waits for. */
export function Graph({
  workflow,
  phase,
  chosen,
}: {
  readonly workflow: WorkflowStatus;
  readonly phase: StatusView["phase"];
  readonly chosen: string | null;
}) {
  if (workflow.tasks.length > MANY) return <Dense workflow={workflow} />;
  const { placed, edges, width, height, waves } = layoutOf(workflow.tasks);
  const reviews = new Map((workflow.judgement?.waves ?? []).map((review) => [review.wave, review.score]));
  return (
    <div class="graph" tabIndex={0} role="region" aria-label="tasks by wave">
      <svg
        width={width}
        height={height}
        role="group"
        aria-label={`${counted(workflow.tasks.length, "task")} in ${counted(waves, "wave")}`}
      >
        {Array.from({ length: waves }, (_, index) => (
          <text key={index} x={index * NODE.stepX} y="14">
            <tspan class="wave">Wave {index + 1}</tspan>
            {reviews.get(index + 1) != null && (
              <tspan class="note"> review {reviews.get(index + 1)}/10</tspan>
            )}
          </text>
        ))}
        {edges.map(({ from, to, isLong }, index) => {
          const [x1, y1, x2, y2] = [
            from.x + NODE.width,
            from.y + NODE.height / 2,
            to.x,
            to.y + NODE.height / 2,
          ];
          const middle = (x1 + x2) / 2;
          return (
            <path
              key={index}
              class={`edge${isLong ? " long" : ""}`}
              d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
            />
          );
        })}
        {placed.map(({ task, x, y }) => (
          <g
            key={task.id}
            class={`node ${task.state}${task.id === chosen ? " on" : ""}`}
            transform={`translate(${x} ${y})`}
            tabIndex={0}
            role="button"
            aria-label={`${task.id} ${task.subject}, ${stateWords(task, phase)}`}
            onClick={() => choose(task.id)}
            onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && choose(task.id)}
          >
            <rect width={NODE.width} height={NODE.height} rx="6" />
            <svg x="6" y="4" width="16" height="16">
              <TaskGlyph task={task} judgement={workflow.judgement} />
            </svg>
            <text x="28" y="16.5" class="mono">
              {task.id}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

function Dense({ workflow }: { readonly workflow: WorkflowStatus }) {
  const order = ["given-up", "running", "merging", "stopped", "done", "ready", "blocked", "skipped"];
  return (
    <div class="dense" tabIndex={0} role="region" aria-label="tasks by wave">
      {Array.from({ length: workflow.waves }, (_, index) => {
        const own = workflow.tasks
          .filter(({ wave }) => wave === index + 1)
          .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
        const done = own.filter(({ state }) => state === "done").length;
        return (
          <div key={index}>
            <p class="b">Wave {index + 1}</p>
            <p class="dim">
              {done} of {own.length}
            </p>
            <span class="cells">
              {own.map((task) => (
                <button
                  key={task.id}
                  class={`cell ${task.state === "done" && task.confidence !== "verified" ? (task.confidence ?? "") : task.state}`}
                  aria-label={`${task.id} ${task.state}`}
                  onClick={() => choose(task.id)}
                />
              ))}
            </span>
          </div>
        );
      })}
    </div>
  );
}
