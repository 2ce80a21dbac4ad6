import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WorkflowStatus, WorkflowTask } from "../../../views/plan.ts";
import type { StatusView } from "../../../views/status.ts";
import type { AttemptView } from "../../../views/story/plan-story.ts";
import { Output } from "./code.tsx";
import type { Subject } from "./dialog.tsx";
import {
  Accepted,
  AtWork,
  Contradicts,
  Cut,
  Failed,
  NotAsked,
  Passed,
  Quote,
  Refused,
  Relation,
  Seal,
  Stands,
  Waits,
} from "./glyphs.tsx";
import { layoutOf, NODE } from "./layout.ts";
import { proofName } from "./legend.tsx";
import { isFalse, testsWords } from "./ledger.tsx";
import { Lead } from "./loop.tsx";
import { ask, exported, go, now, route } from "./state.ts";
import { clock, costWords, counted, dollars, duration, notHeldWords, period } from "./words.ts";

/** A plan: its graph, its attempts over time, and the chosen task, attempt by attempt. */

/** More than these aren't drawn one by one. */
const MANY = 60;
const MOST_ROWS = 40;

export function TaskGlyph({ task }: { readonly task: WorkflowTask }) {
  switch (task.state) {
    case "done":
      return <Seal confidence={task.confidence} />;
    case "running":
    case "merging":
      return <AtWork label={task.state === "running" ? "at work" : "is merged"} />;
    case "given-up":
      return <Failed label="given up" />;
    case "skipped":
      return <Cut label="left out" />;
    case "stopped":
      return <Waits label="stopped" />;
    case "blocked":
    case "ready":
      return <NotAsked label={task.state === "ready" ? "ready" : "waits"} />;
  }
}

function choose(task: string): void {
  if (exported !== null) chosenTask.value = task;
  else go(`${location.pathname}?task=${task}`);
}

const chosenTask = signal<string | null>(null);

function taskShown(workflow: WorkflowStatus): WorkflowTask | null {
  const wanted = chosenTask.value ?? route.value.task;
  const { tasks } = workflow;
  return (
    tasks.find(({ id }) => id === wanted) ??
    tasks.find(isUnshown) ??
    tasks.find(({ state, setbacks }) => setbacks > 0 && state !== "done" && state !== "given-up") ??
    tasks.find(({ state }) => state === "given-up") ??
    tasks.find(({ state }) => ["running", "merging", "stopped"].includes(state)) ??
    tasks.find(({ confidence }) => confidence === "weak") ??
    tasks.toSorted((one, other) => other.setbacks - one.setbacks).find(({ setbacks }) => setbacks > 0) ??
    tasks.find(({ attempts }) => attempts > 0) ??
    tasks[0] ??
    null
  );
}

/** Merged, although no check shows it. */
function isUnshown({ state, confidence }: WorkflowTask): boolean {
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

/** Where the work is, and what speaks against taking it as it is. */
export function outcome(workflow: WorkflowStatus): string {
  const { delivery, verdict, tasks, counts } = workflow;
  const [where = `${counts.done} of ${tasks.length} tasks are merged`] =
    delivery === null ? [] : delivery.split(/\.(?: |$)/);
  const risk =
    verdict === null || verdict.verdict === "SHIP"
      ? ""
      : ` ${verdict.risk[0]?.toUpperCase() ?? ""}${verdict.risk.slice(1)}.`;
  return `${where}.${risk}`;
}

function sentence(view: StatusView, workflow: WorkflowStatus): string {
  const { counts, tasks, attempts } = workflow;
  const setbacks = attempts.filter(({ state }) => state === "set-back").length;
  if (view.phase === "completed") {
    return `${outcome(workflow)} ${costWords(view.cost)}.`;
  }
  const parts = [
    `${counts.done} of ${tasks.length} tasks merged`,
    ...(counts.running + counts.merging > 0 ? [`${counts.running + counts.merging} at work`] : []),
    ...(counts.ready + counts.blocked > 0 ? [`${counts.ready + counts.blocked} waiting`] : []),
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
      {workflow.reservedUsd > 0 ? `, ${dollars(Math.round(workflow.reservedUsd * 100) / 100)} reserved` : ""},
      of {dollars(budgetUsd)}{" "}
      <span class="bar wide" aria-hidden="true">
        <i style={{ width: share(costUsd) }} />
        <i class="res" style={{ width: share(workflow.reservedUsd) }} />
      </span>
    </p>
  );
}

function Graph({ workflow, chosen }: { readonly workflow: WorkflowStatus; readonly chosen: string | null }) {
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
            aria-label={`${task.id} ${task.subject}, ${task.confidence ?? task.state}`}
            onClick={() => choose(task.id)}
            onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && choose(task.id)}
          >
            <rect width={NODE.width} height={NODE.height} rx="6" />
            <svg x="6" y="4" width="16" height="16">
              <TaskGlyph task={task} />
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

const SETBACKS: { readonly [kind: string]: string } = {
  failed: "failed",
  conflict: "conflict",
  "red-together": "fails together",
  lost: "lost",
  setup: "setup failed",
};

function Gantt({
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
  const ticks = ticksOf(from, to);
  const told =
    tasks.length > MANY
      ? tasks.filter(({ state, setbacks }) => (state !== "done" && state !== "blocked" ? true : setbacks > 0))
      : tasks;
  const rows = told.slice(0, tasks.length > MANY ? MOST_ROWS : told.length);
  return (
    <>
      <table class="gantt">
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
                  <span class="c-blue b nowrap" style={{ position: "absolute", right: "0", top: "-18px" }}>
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
                  <TaskGlyph task={task} />
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
          <span class="cell done" /> attempt merged
        </span>
        <span>
          <span class="cell given-up" /> set back
        </span>
        <span>
          <span class="cell running" /> at work
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

function Lane({
  ticks,
  x,
  children,
}: {
  readonly ticks: readonly number[];
  readonly x: (at: number) => number;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div style={{ position: "relative", height: "27px" }}>
      {ticks.map((at) => (
        <span
          key={at}
          style={{
            position: "absolute",
            left: `${x(at) / 10}%`,
            top: "0",
            bottom: "0",
            borderLeft: "1px solid var(--line)",
          }}
        />
      ))}
      {children}
    </div>
  );
}

function Diamond({ at, isAccepted }: { readonly at: number; readonly isAccepted: boolean }) {
  return (
    <span style={{ position: "absolute", left: `calc(${at / 10}% - 8px)`, top: "5px" }}>
      {isAccepted ? <Accepted label="merged" /> : <Refused label="refused" />}
    </span>
  );
}

const BAR: { readonly [state: string]: { readonly [name: string]: string } } = {
  integrated: { background: "var(--green-mark)", border: "1px solid var(--green)" },
  finished: { background: "var(--green-bg)", border: "1px solid var(--green)" },
  running: {
    background: "repeating-linear-gradient(120deg, var(--blue) 0 2px, transparent 2px 6px)",
    border: "1px solid var(--blue)",
  },
  "set-back": { background: "var(--bg)", border: "1px solid var(--red)" },
};

/** `waits for T-005; T-006 is done`. */
function waitsWords({ waitsFor, blockedBy }: WorkflowTask): string {
  const done = blockedBy.filter((id) => !waitsFor.includes(id));
  const rest = done.length === 0 ? "" : `; ${done.join(", ")} ${done.length === 1 ? "is" : "are"} done`;
  return `waits for ${waitsFor.join(", ")}${rest}`;
}

function Bars({
  task,
  attempts,
  workflow,
  x,
  ticks,
  to,
}: {
  readonly task: WorkflowTask;
  readonly attempts: readonly AttemptView[];
  readonly workflow: WorkflowStatus;
  readonly x: (at: number) => number;
  readonly ticks: readonly number[];
  readonly to: number;
}) {
  const firstSetback = attempts.find((each) => each.setback !== null);
  return (
    <Lane ticks={ticks} x={x}>
      {attempts.length === 0 && task.waitsFor.length > 0 && (
        <span class="dim" style={{ position: "absolute", right: "8px", top: "4px", fontSize: "12px" }}>
          {waitsWords(task)}
        </span>
      )}
      {attempts.map((attempt) => {
        const start = x(Date.parse(attempt.startedAt));
        const end = x(attempt.endedAt === null ? to : Date.parse(attempt.endedAt));
        const setback = attempt.setback;
        return (
          <span key={attempt.number}>
            <span
              style={{
                position: "absolute",
                left: `${start / 10}%`,
                width: `max(6px, ${(end - start) / 10}%)`,
                top: "7px",
                height: "13px",
                borderRadius: "3px",
                ...BAR[attempt.state],
              }}
            >
              <span class="sr">
                attempt {attempt.number}, {attempt.state}
              </span>
            </span>
            {setback !== null && attempt === firstSetback && (
              <span
                class="c-red b nowrap"
                style={{
                  position: "absolute",
                  ...(start < 120
                    ? { left: `calc(${start / 10}% + 4px)` }
                    : { right: `calc(${100 - start / 10}% + 6px)` }),
                  top: "4px",
                  fontSize: "12px",
                }}
              >
                {SETBACKS[setback.kind]}
              </span>
            )}
            {(attempt.claims ?? []).map(({ at, held }, index) =>
              held ? null : (
                <span
                  key={index}
                  style={{ position: "absolute", left: `calc(${x(Date.parse(at)) / 10}% - 8px)`, top: "5px" }}
                >
                  <Failed label="claim did not hold" />
                </span>
              ),
            )}
          </span>
        );
      })}
      {workflow.merges.flatMap(({ endedAt, accepted, refused, merge }) =>
        endedAt === null
          ? []
          : [
              ...accepted
                .filter((each) => each.task === task.id)
                .map(() => <Diamond key={merge} at={x(Date.parse(endedAt))} isAccepted />),
              ...refused
                .filter((each) => each.task === task.id)
                .map(() => (
                  <Diamond key={`${merge} refused`} at={x(Date.parse(endedAt))} isAccepted={false} />
                )),
            ],
      )}
    </Lane>
  );
}

/** Earlier ones are folded. */
const MOST_OPEN = 2;

const stories = signal<ReadonlyMap<string, StatusView>>(new Map());

function Panel({
  task,
  workflow,
  seq,
}: {
  readonly task: WorkflowTask;
  readonly workflow: WorkflowStatus;
  readonly seq: number;
}) {
  const attempts = workflow.attempts.filter((each) => each.task === task.id);
  const [project] = (route.value.key ?? "").split("/");
  const wanted = attempts.map(({ loop }) => loop).join(" ");
  useEffect(() => {
    if (exported !== null) return;
    for (const { loop } of attempts)
      ask<{ readonly view: StatusView }>(`/api/loops/${project ?? ""}/${loop}`).then(
        ({ view }) => (stories.value = new Map([...stories.value, [loop, view]])),
        () => undefined,
      );
  }, [wanted, seq]);
  const early = attempts.slice(0, -MOST_OPEN);
  const shown = (attempt: AttemptView) => (
    <Attempt
      key={attempt.number}
      attempt={attempt}
      story={stories.value.get(attempt.loop) ?? null}
      workflow={workflow}
      task={task}
    />
  );
  return (
    <aside class="panel" aria-label={`task ${task.id}`}>
      <h2>
        <span class="mono dim">{task.id}</span> {task.subject}
      </h2>
      <p class="dim">
        <TaskGlyph task={task} /> {task.confidence ?? task.state}
        {task.commit === null ? (
          ""
        ) : (
          <>
            {", merged as "}
            <code>{task.commit.slice(0, 8)}</code>
          </>
        )}
        {task.costUsd === null ? "" : `, ${dollars(task.costUsd)}`}
      </p>
      {task.check !== null && <p class="mono dim">{task.check}</p>}
      {task.doubts.map((doubt) => (
        <p key={doubt} class="c-amber">
          {doubt}
        </p>
      ))}
      <RestsOn task={task} tasks={workflow.tasks} />
      {task.givenUp !== null && (
        <>
          <p class="c-red b">Given up</p>
          <Output text={task.givenUp} most={6} />
        </>
      )}
      {task.skipped !== null && <p class="dim">Left out: {task.skipped}</p>}
      {attempts.length === 0 && (
        <p class="dim">{task.waitsFor.length > 0 ? `It ${waitsWords(task)}.` : "Not begun."}</p>
      )}
      {early.length > 0 && (
        <details>
          <summary>
            {counted(early.length, "earlier attempt")} <span class="n">set back</span>
          </summary>
          {early.map(shown)}
        </details>
      )}
      {attempts.slice(-MOST_OPEN).map(shown)}
    </aside>
  );
}

function Attempt({
  attempt,
  story,
  workflow,
  task,
}: {
  readonly attempt: AttemptView;
  readonly story: StatusView | null;
  readonly workflow: WorkflowStatus;
  readonly task: WorkflowTask;
}) {
  const merge = workflow.merges.find(
    ({ accepted, refused, endedAt }) =>
      endedAt !== null &&
      (attempt.state === "integrated"
        ? accepted.some((each) => each.task === task.id)
        : refused.some((each) => each.task === task.id)) &&
      endedAt >= attempt.startedAt,
  );
  return (
    <>
      <h3>
        Attempt {attempt.number}{" "}
        <span class="dim" style={{ fontWeight: 400 }}>
          {period(attempt.startedAt, attempt.endedAt)}
          {attempt.costUsd === null ? "" : `, ${dollars(attempt.costUsd)}`}
          {attempt.reservedUsd === null ? "" : `, ${dollars(attempt.reservedUsd)} reserved`}
          {story === null ? "" : `, ${counted(story.iterations.length, "iteration")}`}
        </span>
      </h3>
      {attempt.state === "running" && task.live !== null && (
        <p class="c-blue">
          <AtWork />{" "}
          {task.live.tool === null ? (
            task.live.doing
          ) : (
            <code>{task.live.tool.detail || task.live.tool.name}</code>
          )}
          , {duration(now.value - Date.parse(task.live.since))}
        </p>
      )}
      {(story?.iterations ?? []).map((each) => (
        <div
          key={each.iteration}
          class={`step ${isFalse(each) ? "false" : each.verdict === "completed" && task.check !== null ? "done" : ""}`}
        >
          <Quote />
          <div class="x">
            {each.said === null ? <span class="dim">at work</span> : `“${each.said.trim()}”`}
          </div>
          {each.checks.map((check) => (
            <>
              {each.claimed ? <Relation agrees={check.passed} /> : <span />}
              <div class={`x ${check.passed ? "c-green" : "c-red"}`}>
                {check.passed ? <Passed /> : <Failed />} check {check.passed ? "passes" : "fails"},{" "}
                {testsWords(check)}
                {!check.passed && each.claimed && <Output text={check.output} most={8} />}
              </div>
            </>
          ))}
          {each.proofs
            .filter(({ result }) => result === "fails")
            .map((proof, index) => (
              <>
                <Relation key={index} agrees={false} />
                <div class="x c-red">
                  <b title={proofName(proof.kind).means}>{proofName(proof.kind).name}</b> {proof.detail}
                  {proof.ran !== undefined && <Output text={proof.ran.output} most={8} />}
                </div>
              </>
            ))}
          {each.proofs.some(({ result }) => result === "stands") && (
            <>
              <Relation agrees />
              <div class="x c-green">
                {each.proofs
                  .filter(({ result }) => result === "stands")
                  .map(({ kind }, index) => (
                    <span key={index} title={proofName(kind).means}>
                      <Stands /> {proofName(kind).name}{" "}
                    </span>
                  ))}
              </div>
            </>
          )}
        </div>
      ))}
      {attempt.setback !== null && (
        <div class="step false">
          <Relation agrees={false} />
          <div class="x">
            <b class="c-red">
              {merge === undefined
                ? (SETBACKS[attempt.setback.kind] ?? attempt.setback.kind)
                : `Merge ${merge.merge}: passes alone, ${SETBACKS[attempt.setback.kind] ?? ""}`}
            </b>
            <Output text={attempt.setback.detail} most={12} />
          </div>
        </div>
      )}
      {attempt.state === "integrated" && merge !== undefined && (
        <div class={`step ${task.check === null && merge.checks.length === 0 ? "" : "done"}`}>
          {task.check === null && merge.checks.length === 0 ? <span /> : <Relation agrees />}
          <div class="x">
            <b>Merge {merge.merge}</b>{" "}
            <span class={task.check === null && merge.checks.length === 0 ? "c-amber" : "c-green"}>
              {task.check === null && merge.checks.length === 0
                ? "accepted, and no check looked at it"
                : merge.checks.length === 0
                  ? "accepted; its checks had run on the same files"
                  : `passes with everything merged before it: ${counted(merge.checks.length, "check")}`}
            </span>
          </div>
        </div>
      )}
    </>
  );
}

/** How many claims of its attempts did not hold, by task. */
function NotHeld({ workflow }: { readonly workflow: WorkflowStatus }) {
  const counts = workflow.tasks.flatMap(({ id }) => {
    const claims = workflow.attempts.filter(({ task }) => task === id).flatMap((each) => each.claims ?? []);
    const count = claims.filter(({ held }) => !held).length;
    return count === 0 ? [] : [{ id, count }];
  });
  if (counts.length === 0) return null;
  return (
    <p class="not-held dim">
      <Contradicts /> {notHeldWords(counts.reduce((sum, { count }) => sum + count, 0))}:{" "}
      {counts.map(({ id, count }) => (
        <button key={id} class="plain" onClick={() => choose(id)}>
          <span class="mono">{id}</span>
          {count === 1 ? "" : ` ${count} times`}
        </button>
      ))}
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
          <Graph workflow={workflow} chosen={task?.id ?? null} />
          <Gantt view={view} workflow={workflow} chosen={task?.id ?? null} />
          <NotHeld workflow={workflow} />
          {workflow.tasks.some(({ state }) => state === "given-up") && (
            <p class="c-red">
              <Contradicts /> {counted(workflow.counts["given-up"], "task")} given up
            </p>
          )}
        </div>
        {task !== null && <Panel task={task} workflow={workflow} seq={view.seq} />}
      </div>
    </main>
  );
}
