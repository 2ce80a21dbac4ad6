import type { Criterion } from "../../core/criterion.ts";
import { standardOf, statusOf } from "../../core/criterion.ts";
import { topFrame } from "../../core/loop.ts";
import { oneLine } from "../../text/plain-text.ts";
import { displayWidth, fitted, padded } from "../../text/display-width.ts";
import type { Line, Span } from "./line.ts";
import type { LiveState } from "./live-state.ts";

const MOST_ROWS = 12;
const WIDEST_NAME = 32;
const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

const MARKS = {
  met: ["green", "✓"],
  unmet: ["red", "✗"],
  unverified: [null, "○"],
} as const satisfies { readonly [status: string]: Span };

type Mark = keyof typeof MARKS | "running";

interface Row {
  readonly name: string;
  readonly mark: Mark;
  readonly detail: string;
}

/** What is shown first where not all have room. */
const URGENCY: readonly Mark[] = ["running", "unmet", "unverified", "met"];

/** The criteria, a line each; where they are too many, those that matter now and the number of the others. */
export function criterionRows(state: LiveState, width: number, room: number, now: number): readonly Line[] {
  const rows = topFrame(state.loop).criteria.map((each) => rowOf(state, each));
  const most = Math.min(room, MOST_ROWS);
  const shown = rows.length <= most ? rows : mostUrgent(rows, most - 1);
  const nameWidth = Math.min(
    WIDEST_NAME,
    Math.floor(width / 2),
    Math.max(0, ...shown.map(({ name }) => displayWidth(name))),
  );
  const spinner = SPINNER[Math.floor(now / 1000) % SPINNER.length] ?? "";
  const lines = shown.map(({ name, mark, detail }): Line => {
    const sign: Span = mark === "running" ? ["cyan", spinner] : MARKS[mark];
    return [[null, "  "], sign, [null, ` ${padded(fitted(name, nameWidth), nameWidth)}  `], ["dim", detail]];
  });
  if (shown.length === rows.length || most < 1) return lines;
  const met = rows.filter(({ mark }) => mark === "met").length;
  const rest = shown.length === 0 ? "" : `… ${rows.length - shown.length} more, `;
  return [...lines, [["dim", `  ${rest}${met} of ${rows.length} criteria met`]]];
}

function mostUrgent(rows: readonly Row[], count: number): readonly Row[] {
  const urgent = rows.toSorted((a, b) => URGENCY.indexOf(a.mark) - URGENCY.indexOf(b.mark));
  const chosen = new Set(urgent.slice(0, Math.max(0, count)));
  return rows.filter((row) => chosen.has(row));
}

function rowOf({ loop, note }: LiveState, criterion: Criterion): Row {
  const name = oneLine(criterion.name, 120);
  if (note?.doing.type === "checking" && note.doing.name === criterion.name)
    return { name, mark: "running", detail: "running" };
  const passed = note?.checked.findLast((each) => each.name === criterion.name)?.passed;
  if (passed !== undefined)
    return { name, mark: passed ? "met" : "unmet", detail: passed ? "passed" : "failed" };
  return { name, mark: statusOf(criterion, standardOf(loop)), detail: howKnown(criterion) };
}

function howKnown({ check, evidence, attestation }: Criterion): string {
  if (check !== null) return evidence === null ? "not run yet" : oneLine(evidence.ending, 120);
  return attestation === null ? "no check configured" : `attested by ${attestation.by}`;
}
