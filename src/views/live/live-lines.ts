import { elapsedMs, isWorkflow, topFrame, type Loop } from "../../core/loop/loop.ts";
import { stageOf } from "../../core/stages/stages.ts";
import type { LiveNote, LiveViewState } from "../news/live-state.ts";
import { costAmongOthers, costText } from "../cost.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { durationText } from "../../system/text/quantities.ts";
import type { Terminal, Style } from "../terminal/terminal.ts";
import { standardOf, type Criterion, type CriterionStatus } from "../../core/loop/criterion.ts";
import { fitted, padded, displayWidth } from "../../system/text/display-width.ts";
import { knownText, MARKS, rowOf } from "../criterion.ts";
import { MARK_STYLES, nameWidthOf } from "../terminal/criterion-lines.ts";

/** Says that a loop is abandoned, and what to do. */
export const RUN_IS_GONE = "its run is gone: loop continue";

const TEXT_LIMIT = 400;
/** Show how long something takes once it takes this long. */
const NOTABLE_MS = 5_000;
/** With fewer lines than this, show only the essentials. */
const TIGHT = 8;

export function liveLines(
  state: LiveViewState,
  width: number,
  rows: number,
  now: number,
  paint: Terminal["paint"] = (_, text) => text,
): readonly string[] {
  const room = Math.max(1, rows - 1);
  const head = headLines(state, width, now);
  const step = stepLine(state.loop, width);
  const present = nowLines(state, width, now);
  const said = saidLines(state, width);
  const isTight = room < TIGHT;
  const above: readonly StyledLine[] = isTight ? head : [[], ...head, step];
  const below: readonly StyledLine[] = isTight ? present : [...present, ...said];
  const criteria = liveCriteria(state, width, room - above.length - below.length, now);
  return [...above, ...criteria, ...below].slice(0, room).map((line) => painted(line, width, paint));
}

/** `● active`, or what comes of it after Ctrl-C. */
export function phaseSpan({ loop, isPausing = false }: Pick<LiveViewState, "loop" | "isPausing">): Span {
  const isOn = loop.phase === "active";
  return isOn && isPausing ? ["yellow", "● pausing after this iteration"] : ["cyan", `● ${loop.phase}`];
}

function headLines(state: LiveViewState, width: number, now: number): readonly StyledLine[] {
  const { loop, agent, note } = state;
  const { iteration, iterationLimit } = topFrame(loop);
  const spend = { ...loop.spend, usd: spentBy({ loop, note }) };
  const parts: readonly Span[] = [
    phaseSpan(state),
    [
      null,
      isWorkflow(loop) ? `stage ${stageOf(loop) ?? ""}` : `iteration ${iteration}/${iterationLimit ?? "∞"}`,
    ],
    ...(loop.frames.length > 1 ? [[null, `${loop.frames.length} frames deep`] as const] : []),
    [null, costAmongOthers(costText({ ...loop, spend }))],
    [null, wholeSeconds(elapsedMs(loop, now))],
    ...(agent === null ? [] : [["dim", agentText(agent, loop)] as const]),
  ];
  return flowed(parts, width);
}

/** What the journal has charged, and the cost of the turn that runs as long as that isn't among it. */
export function spentBy({ loop, note }: Pick<LiveViewState, "loop" | "note">): number {
  const turn = loop.driven?.turn ?? null;
  const isOpen = turn !== null && note?.turn === turn.id && !turn.charged;
  return loop.spend.usd + (isOpen ? (note.turnUsd ?? 0) : 0);
}

function agentText(agent: string, { driven }: Loop): string {
  const model = driven?.model ?? null;
  return `${oneLine(agent, 40)}${model === null ? "" : ` (${oneLine(model, 60)})`}`;
}

function stepLine(loop: Loop, width: number): StyledLine {
  const { steps, spec } = topFrame(loop);
  const current = steps.findIndex((step) => !step.done);
  const step = steps[current];
  if (step === undefined) return labelled("spec", oneLine(spec, TEXT_LIMIT), "", width);
  return labelled("step", `${current + 1}/${steps.length} ${oneLine(step.name, TEXT_LIMIT)}`, "", width);
}

function nowLines({ note, abandoned }: LiveViewState, width: number, now: number): readonly StyledLine[] {
  const present = (text: string, end = ""): readonly StyledLine[] => [
    labelled("now", oneLine(text, TEXT_LIMIT), end, width),
  ];
  if (abandoned) return present(`nothing, ${RUN_IS_GONE}`);
  if (note === null) return [];
  const taken = now - note.since < NOTABLE_MS ? "" : `  ${wholeSeconds(now - note.since)}`;
  return present(doingText(note, now), note.doing.type === "waiting" ? "" : taken);
}

/** What an agent, or the machine for it, does at the moment. */
export function doingText({ doing, tool }: LiveNote, now: number): string {
  switch (doing.type) {
    case "preparing":
      return "prepares the next turn";
    case "judging":
      return "looks at what was done";
    case "working":
      return tool === null ? "thinks" : `${tool.name} ${tool.detail}`;
    case "checking":
      return `checks ${doing.name}`;
    case "waiting":
      return `waits ${durationText(doing.until - now)} | ${doing.detail}`;
    case "asking":
      return "asks whether to go on, where it runs";
  }
}

function saidLines({ note }: LiveViewState, width: number): readonly StyledLine[] {
  if (note === null) return [];
  return [labelled("said", oneLine(note.said ?? "…", TEXT_LIMIT), "", width)];
}

export function wholeSeconds(ms: number): string {
  return durationText(Math.floor(ms / 1000) * 1000);
}

const MOST_ROWS = 12;
const WIDEST_NAME = 32;
const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

interface Row {
  readonly name: string;
  readonly state: CriterionStatus | "running";
  readonly detail: string;
}

/** What to show first when there isn't room for all. */
const URGENCY: readonly Row["state"][] = ["running", "unmet", "unverified", "met"];

/** The criteria, one line each. If there are too many: the ones that matter now, and a count of the rest. */
function liveCriteria(state: LiveViewState, width: number, room: number, now: number): readonly StyledLine[] {
  const rows = topFrame(state.loop).criteria.map((each) => liveRow(state, each));
  const most = Math.min(room, MOST_ROWS);
  const shown = rows.length <= most ? rows : mostUrgent(rows, most - 1);
  const nameWidth = nameWidthOf(shown, Math.min(WIDEST_NAME, Math.floor(width / 2)));
  const spinner = SPINNER[Math.floor(now / 1000) % SPINNER.length] ?? "";
  const lines = shown.map(({ name, state, detail }): StyledLine => {
    const mark: Span = state === "running" ? ["cyan", spinner] : [MARK_STYLES[state], MARKS[state]];
    return [[null, "  "], mark, [null, ` ${padded(fitted(name, nameWidth), nameWidth)}  `], ["dim", detail]];
  });
  if (shown.length === rows.length || most < 1) return lines;
  const met = rows.filter(({ state }) => state === "met").length;
  const rest = shown.length === 0 ? "" : `… ${rows.length - shown.length} more, `;
  return [...lines, [["dim", `  ${rest}${met} of ${rows.length} criteria met`]]];
}

function mostUrgent(rows: readonly Row[], count: number): readonly Row[] {
  const urgent = rows.toSorted((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
  const chosen = new Set(urgent.slice(0, Math.max(0, count)));
  return rows.filter((row) => chosen.has(row));
}

/** What a run sees right now takes precedence over the journal. */
function liveRow({ loop, note }: LiveViewState, criterion: Criterion): Row {
  const name = oneLine(criterion.name, 120);
  if (note?.doing.type === "checking" && note.doing.name === criterion.name)
    return { name, state: "running", detail: "running" };
  const passed = note?.checked.findLast((each) => each.name === criterion.name)?.passed;
  if (passed !== undefined)
    return { name, state: passed ? "met" : "unmet", detail: passed ? "passed" : "failed" };
  const row = rowOf(criterion, standardOf(loop));
  return { name, state: row.status, detail: [knownText(row), ...row.notes].join(", ") };
}

/** A piece of a line and its style. */
export type Span = readonly [style: Style | null, text: string];
export type StyledLine = readonly Span[];

const SEPARATOR: Span = ["dim", " · "];
const INDENT: Span = [null, "  "];
const LABEL_WIDTH = 4;

function widthOf(line: StyledLine): number {
  return line.reduce((sum, [, text]) => sum + displayWidth(text), 0);
}

/** Joins parts, on as many lines as they need. */
export function flowed(parts: readonly Span[], width: number): readonly StyledLine[] {
  const lines: StyledLine[] = [];
  for (const part of parts) {
    const last = lines.pop();
    const joined: StyledLine = last === undefined ? [part] : [...last, SEPARATOR, part];
    if (last === undefined || widthOf(joined) <= width) lines.push(joined);
    else lines.push(last, [INDENT, part]);
  }
  return lines;
}

/** `label  text end`: cuts the text, never the end, when there is little room. */
function labelled(label: string, text: string, end: string, width: number): StyledLine {
  const beginning: StyledLine = [INDENT, ["dim", padded(label, LABEL_WIDTH)], INDENT];
  const room = width - widthOf(beginning) - displayWidth(end);
  return [...beginning, [null, fitted(text, room)], ["dim", end]];
}

export function painted(line: StyledLine, width: number, paint: Terminal["paint"]): string {
  let left = width;
  let result = "";
  for (const [style, text] of line) {
    const shown = fitted(text, left);
    left -= displayWidth(shown);
    result += style === null || shown === "" ? shown : paint(style, shown);
  }
  return result;
}
