import type { Loop } from "../../core/loop/loop.ts";
import { elapsedMs, isWorkflow, topFrame } from "../../core/loop/loop.ts";
import { stageOf } from "../../core/stages/stages.ts";
import type { LiveNote } from "../news/live-note.ts";
import { costText } from "../cost-text.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { durationText } from "../../system/text/quantities.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { liveCriteria } from "./live-criteria.ts";
import type { StyledLine, Span } from "./styled-line.ts";
import { flowed, labelled, painted } from "./styled-line.ts";
import type { LiveViewState } from "./live-view-state.ts";

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
    [null, costText({ ...loop, spend }).replace(/^unknown/, "cost unknown")],
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
