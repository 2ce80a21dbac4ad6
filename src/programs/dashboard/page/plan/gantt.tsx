import type { WorkflowStatus } from "../../../../views/plan.ts";
import type { StatusView } from "../../../../views/status.ts";
import { now } from "../data/state.ts";
import { Bars, Diamond, Lane } from "./bars.tsx";
import { choose } from "./chosen-task.ts";
import { MANY } from "./graph.tsx";
import { TaskGlyph } from "./task-state.tsx";
import { Accepted, Failed, Refused } from "../shown/glyphs.tsx";
import { clock, counted } from "../shown/words.ts";

const MOST_ROWS = 40;
/** Of a thousand: behind it, `now 21:43` has no other time beside it, unless the page is very narrow. */
const NOW_BEGINS = 800;

/** A row a task, over time; the merge queue is the last one. */
export function Gantt({
  view,
  workflow,
  chosen,
}: {
  readonly view: StatusView;
  readonly workflow: WorkflowStatus;
  readonly chosen: string | null;
}) {
  const { tasks, attempts, merges } = workflow;
  const begun = attempts.map(({ startedAt }) => Date.parse(startedAt));
  const from = Math.min(...begun, Date.parse(view.startedAt ?? ""));
  const isLive = view.phase === "active";
  const to = Math.max(
    from + 1_000,
    isLive
      ? now.value
      : Math.max(
          ...attempts.map(({ endedAt, startedAt }) => Date.parse(endedAt ?? startedAt)),
          ...merges.map(({ endedAt, startedAt }) => Date.parse(endedAt ?? startedAt)),
          from,
        ),
  );
  const x = (at: number): number => ((at - from) / (to - from)) * 1_000;
  // A line without its time would say nothing.
  const ticks = ticksOf(from, to).filter((at) => !isLive || x(at) < NOW_BEGINS);
  const told =
    tasks.length > MANY
      ? tasks.filter(({ state, setbacks }) => (state !== "done" && state !== "blocked" ? true : setbacks > 0))
      : tasks;
  const rows = told.slice(0, tasks.length > MANY ? MOST_ROWS : told.length);
  return (
    <>
      <table class={isLive ? "gantt live" : "gantt"}>
        <thead>
          <tr>
            <th scope="col">
              <span class="sr">task</span>
            </th>
            <td>
              <div style={{ position: "relative", height: "0", top: "8px" }}>
                {ticks.map((at) => (
                  <span
                    key={at}
                    style={{
                      position: "absolute",
                      left: `${x(at) / 10}%`,
                      top: "-18px",
                      transform: "translateX(-50%)",
                    }}
                  >
                    {clock(new Date(at).toISOString())}
                  </span>
                ))}
                {isLive && (
                  <span
                    class="now c-blue b nowrap"
                    style={{ position: "absolute", right: "0", top: "-18px" }}
                  >
                    now {clock(new Date(now.value).toISOString())}
                  </span>
                )}
              </div>
            </td>
          </tr>
        </thead>
        <tbody>
          {rows.map((task) => (
            <tr key={task.id} class={task.id === chosen ? "on" : ""}>
              <th scope="row">
                <button
                  onClick={() => choose(task.id)}
                  aria-current={task.id === chosen ? "true" : undefined}
                >
                  <TaskGlyph task={task} judgement={workflow.judgement} />
                  <span class="mono">{task.id}</span>
                  <span class="s">{task.subject}</span>
                </button>
              </th>
              <td>
                <Bars
                  task={task}
                  attempts={attempts.filter((each) => each.task === task.id)}
                  workflow={workflow}
                  x={x}
                  ticks={ticks}
                  to={to}
                />
              </td>
            </tr>
          ))}
          <tr class="queue">
            <th scope="row">
              <span style={{ paddingLeft: "24px" }}>Merge queue</span>{" "}
              <span class="dim">{`${counted(merges.length, "merge")}${merges.some(({ refused }) => refused.length > 0) ? `, ${merges.filter(({ refused }) => refused.length > 0).length} refused` : ""}`}</span>
            </th>
            <td>
              <Lane ticks={ticks} x={x}>
                <span
                  class="lane-line"
                  style={{
                    position: "absolute",
                    left: "0",
                    right: "0",
                    top: "13px",
                    borderTop: "1px solid var(--line-2)",
                  }}
                />
                {merges.map(
                  ({ merge, endedAt, refused }) =>
                    endedAt !== null && (
                      <Diamond key={merge} at={x(Date.parse(endedAt))} isAccepted={refused.length === 0} />
                    ),
                )}
              </Lane>
            </td>
          </tr>
        </tbody>
      </table>
      {told.length > rows.length && (
        <p class="dim">{told.length - rows.length} more tasks are not drawn; choose one above.</p>
      )}
      {tasks.length > MANY && <p class="dim">Tasks that are done or wait are counted above.</p>}
      <p class="legend" aria-hidden="true">
        <span>
          <span class="cell bar-merged" /> attempt merged
        </span>
        <span>
          <span class="cell bar-weak" /> merged on weak evidence
        </span>
        <span>
          <span class="cell unverified" /> merged, and no check shows it
        </span>
        <span>
          <span class="cell bar-set-back" /> set back
        </span>
        <span>
          <span class="cell running" /> at work
        </span>
        <span>
          <span class="cell waiting" /> waits for a usage limit
        </span>
        <span>
          <Failed /> a claim inside it did not hold
        </span>
        <span>
          <Accepted /> merge accepted
        </span>
        <span>
          <Refused /> refused
        </span>
      </p>
    </>
  );
}

function ticksOf(from: number, to: number): readonly number[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * 60_000);
  const step = steps.find((each) => (to - from) / each <= 6) ?? 480 * 60_000;
  const first = Math.ceil(from / step) * step;
  const ticks: number[] = [];
  for (let at = first; at < to - (to - from) * 0.08; at += step) ticks.push(at);
  return ticks;
}
