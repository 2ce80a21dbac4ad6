import type { WorkflowStatus, WorkflowTask } from "../../../../views/plan.ts";
import type { AttemptView } from "../../../../views/story/plan-story.ts";
import { taskWaitsUntil } from "../../../../views/standing.ts";
import { setbackWords, waitsWords } from "./task-state.tsx";
import { Accepted, Failed, Refused } from "../shown/glyphs.tsx";

export function Lane({
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

export function Diamond({ at, isAccepted }: { readonly at: number; readonly isAccepted: boolean }) {
  return (
    <span style={{ position: "absolute", left: `calc(${at / 10}% - 8px)`, top: "5px" }}>
      {isAccepted ? <Accepted label="merged" /> : <Refused label="refused" />}
    </span>
  );
}

const BAR: { readonly [state: string]: { readonly [name: string]: string } } = {
  integrated: { background: "var(--green-mark)", border: "1px solid var(--green)" },
  weak: {
    background: "linear-gradient(0deg, var(--amber) 50%, var(--bg) 50%)",
    border: "1px solid var(--amber)",
  },
  unverified: { background: "var(--bg)", border: "1px dashed var(--ink-2)" },
  finished: { background: "var(--green-bg)", border: "1px dashed var(--green)" },
  running: {
    background: "repeating-linear-gradient(120deg, var(--blue) 0 2px, transparent 2px 6px)",
    border: "1px solid var(--blue)",
  },
  "set-back": { background: "var(--bg)", border: "1px solid var(--red)" },
  waiting: { background: "var(--bg)", borderBlock: "2px solid var(--amber)" },
};

/** An attempt whose agent met a usage limit is drawn in two parts: it worked, and it waits. */
function partsOf(
  attempt: AttemptView,
  task: WorkflowTask,
): readonly (AttemptView & { readonly look: string })[] {
  const since = attempt.endedAt === null && taskWaitsUntil(task) !== null ? task.live?.since : undefined;
  if (since === undefined) return [{ ...attempt, look: barOf(attempt, task) }];
  return [
    { ...attempt, endedAt: since, look: "running" },
    { ...attempt, startedAt: since, claims: [], look: "waiting" },
  ];
}

/** What was merged looks as strong as what shows it. */
function barOf({ state }: AttemptView, { confidence }: WorkflowTask): string {
  return state === "integrated" && confidence !== "verified" ? (confidence ?? "unverified") : state;
}

/** Of a thousand, what a letter of a label takes. */
const LETTER = 13;

/** Left of the first bar, or right of the last one and its mark, wherever the label fits; null: nowhere. */
function placeOf(label: string, start: number, end: number): { readonly [side: string]: string } | null {
  const width = label.length * LETTER + 15;
  if (start >= width) return { right: `calc(${100 - start / 10}% + 6px)` };
  return 1_000 - end >= width + 20 ? { left: `calc(${end / 10}% + 14px)` } : null;
}

/** A task's attempts: a bar each, with its setback in words and its merges. */
export function Bars({
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
  const [setback] = attempts.flatMap((each) => each.setback ?? []);
  const label = setback === undefined ? "" : setbackWords(setback);
  const starts = attempts.map(({ startedAt }) => x(Date.parse(startedAt)));
  const ends = attempts.map(({ endedAt }) => x(endedAt === null ? to : Date.parse(endedAt)));
  const place = label === "" ? null : placeOf(label, Math.min(...starts), Math.max(...ends));
  return (
    <Lane ticks={ticks} x={x}>
      {attempts.length === 0 && task.waitsFor.length > 0 && (
        <span class="dim" style={{ position: "absolute", right: "8px", top: "4px", fontSize: "12px" }}>
          {waitsWords(task)}
        </span>
      )}
      {place !== null && (
        <span class="c-red b nowrap" style={{ position: "absolute", ...place, top: "4px", fontSize: "12px" }}>
          {label}
        </span>
      )}
      {attempts
        .flatMap((each) => partsOf(each, task))
        .map((attempt) => {
          const start = x(Date.parse(attempt.startedAt));
          const width = x(attempt.endedAt === null ? to : Date.parse(attempt.endedAt)) - start;
          return (
            <span key={`${attempt.number} ${attempt.look}`}>
              <span
                style={{
                  position: "absolute",
                  left: `${start / 10}%`,
                  width: `max(6px, ${width / 10}%)`,
                  top: "7px",
                  height: "13px",
                  borderRadius: "3px",
                  ...BAR[attempt.look],
                }}
              >
                {attempt.look === "waiting" && (
                  <span class="limit c-amber" aria-hidden="true">
                    usage limit
                  </span>
                )}
                <span class="sr">
                  attempt {attempt.number},{" "}
                  {attempt.look === "waiting" ? "waits for a usage limit" : attempt.state}
                  {attempt.state === "integrated" && task.confidence !== "verified"
                    ? `, ${task.confidence ?? "unverified"}`
                    : ""}
                </span>
              </span>
              {(attempt.claims ?? []).map(({ at, held }, index) =>
                held ? null : (
                  <span
                    key={index}
                    style={{
                      position: "absolute",
                      left: `calc(${x(Date.parse(at)) / 10}% - 8px)`,
                      top: "5px",
                    }}
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
