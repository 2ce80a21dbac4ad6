import { listed } from "../../core/listed.ts";
import { elapsedMs, type Loop } from "../../core/loop/loop.ts";
import { running, taskState, waves, type Attempt, type Workflow } from "../../core/plan/workflow.ts";
import { displayWidth, fitted, padded } from "../../system/text/display-width.ts";
import { durationText } from "../../system/text/quantities.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { costAmongOthers, costText, dollars } from "../cost.ts";
import { onWorker, wavesText } from "../plan.ts";
import type { LinesOf } from "./live-region.ts";
import {
  doingText,
  phaseSpan,
  spentBy,
  wholeSeconds,
  flowed,
  painted,
  type Span,
  type StyledLine,
} from "./live-lines.ts";
import type { LivePlanState } from "../news/live-state.ts";

const WIDEST_NAME = 32;
const MOST_NAMED = 6;
const DOING_LIMIT = 300;
/** Below this, a task's subject is left out. */
const ROOM_FOR_SUBJECTS = 70;

/** How far the plan is, a line for each running task, the merge, and what waits. */
export const livePlanLines: LinesOf<LivePlanState> = (state, width, rows, now, paint = (_, text) => text) => {
  const { workflow } = state.loop;
  if (workflow === null) return [];
  const room = Math.max(1, rows - 1);
  const head: readonly StyledLine[] = [[], ...headLines(state, workflow, width, now)];
  const below = [
    ...mergeLine(workflow, now),
    ...waitingLine(workflow),
    ...limitLines(workflow, now),
    ...judgingLines(state.loop),
    ...gateLine(state, now),
  ];
  const atWork = running(workflow).map((attempt) => attemptLine(state, workflow, attempt, width, now));
  const fitting = Math.max(1, room - head.length - below.length);
  const shown = atWork.length > fitting ? atWork.slice(0, fitting - 1) : atWork;
  const more: readonly StyledLine[] =
    shown.length < atWork.length ? [[["dim", `  … ${atWork.length - shown.length} more`]]] : [];
  return [...head, ...shown, ...more, ...below].slice(0, room).map((line) => painted(line, width, paint));
};

function headLines(
  state: LivePlanState,
  workflow: Workflow,
  width: number,
  now: number,
): readonly StyledLine[] {
  const { loop, attempts } = state;
  const { tasks } = loop.frames[0];
  const done = tasks.filter(({ status }) => status === "completed").length;
  const atWork = new Set(running(workflow).map(({ task }) => task));
  const unbilled = [...attempts].reduce(
    (sum, [task, seen]) => sum + (atWork.has(task) ? spentBy(seen) : 0),
    0,
  );
  const spend = { ...loop.spend, usd: loop.spend.usd + unbilled };
  return flowed(
    [
      phaseSpan(state),
      [null, wavesText(workflow.wavesBegun, waves(workflow.plan).length)],
      [null, `${done}/${tasks.length} tasks`],
      [null, costAmongOthers(costText({ ...loop, spend }))],
      [null, wholeSeconds(elapsedMs(loop, now))],
    ],
    width,
  );
}

/** `▸ T-002 Add pears  Edit src/list.js  $0.02  12 s`: what it does is cut, the rest stays. */
function attemptLine(
  { attempts }: LivePlanState,
  { plan }: Workflow,
  { task, number, agent, worker, startedAt }: Attempt,
  width: number,
  now: number,
): StyledLine {
  const seen = attempts.get(task);
  const again = number > 1 ? ` (attempt ${number})` : "";
  const subject =
    width < ROOM_FOR_SUBJECTS ? "" : ` ${plan.tasks.find(({ id }) => id === task)?.subject ?? ""}`;
  const name = `${fitted(oneLine(`${task}${subject}`, 200), WIDEST_NAME - displayWidth(again))}${again}`;
  const beginning: readonly Span[] = [
    ["cyan", "  ▸ "],
    [null, width < ROOM_FOR_SUBJECTS ? name : padded(name, WIDEST_NAME)],
    [null, "  "],
  ];
  const cost = seen === undefined || spentBy(seen) === 0 ? "" : `  ${dollars(spentBy(seen))}`;
  const end = `${cost}  ${wholeSeconds(now - startedAt)}`;
  const used = beginning.reduce((sum, [, text]) => sum + displayWidth(text), 0);
  const room = Math.max(0, width - used - displayWidth(end));
  const what = seen?.note == null ? agent : doingText(seen.note, now);
  const doing = worker === undefined ? what : `${onWorker(worker)}: ${what}`;
  return [...beginning, ["dim", padded(fitted(oneLine(doing, DOING_LIMIT), room), room)], ["dim", end]];
}

function mergeLine({ merge }: Workflow, now: number): readonly StyledLine[] {
  if (merge === null) return [];
  const text = `merges ${listed(merge.tasks, MOST_NAMED)} and checks the result`;
  return [
    [
      ["green", "  ⇄ "],
      [null, text],
      ["dim", `  ${wholeSeconds(now - merge.startedAt)}`],
    ],
  ];
}

/** What comes next, and how much waits for others. */
function waitingLine(workflow: Workflow): readonly StyledLine[] {
  const of = (wanted: string): readonly string[] =>
    workflow.plan.tasks.filter((task) => taskState(workflow, task) === wanted).map(({ id }) => id);
  const queued = of("merging").filter((id) => workflow.merge?.tasks.includes(id) !== true);
  const ready = of("ready");
  const blocked = of("blocked").length;
  const parts = [
    ...(queued.length === 0 ? [] : [`to be merged: ${listed(queued, MOST_NAMED)}`]),
    ...(ready.length === 0 ? [] : [`ready: ${listed(ready, MOST_NAMED)}`]),
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
  ];
  return parts.length === 0 ? [] : [[["dim", `  ○ ${parts.join(" · ")}`]]];
}

/** What is asked; the answers are printed above. */
function judgingLines({ stages }: Loop): readonly StyledLine[] {
  return (stages?.questions ?? []).map(({ id, agent }) => [
    ["cyan", "  ? "],
    ["dim", `asks ${oneLine(agent, 40)}: ${oneLine(id, 40)}`],
  ]);
}

function gateLine({ gate }: LivePlanState, now: number): readonly StyledLine[] {
  if (gate === undefined) return [];
  return [
    [
      ["green", "  ◇ "],
      [null, `gate: ${gate.what}`],
      ["dim", `  ${wholeSeconds(now - gate.since)}`],
    ],
  ];
}

function limitLines({ waits }: Workflow, now: number): readonly StyledLine[] {
  return waits
    .filter(({ until }) => until > now)
    .map(({ agent, until }) => [
      ["yellow", `  ! ${oneLine(agent, 40)} waits ${durationText(until - now)} for a usage limit`],
    ]);
}
