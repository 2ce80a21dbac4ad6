import type { Criterion, CriterionStatus } from "../../core/loop/criterion.ts";
import { standardOf } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { fitted, padded } from "../../system/text/display-width.ts";
import { knownText, MARKS, rowOf } from "../criterion-row.ts";
import { MARK_STYLES, nameWidthOf } from "../terminal/criterion-line.ts";
import type { StyledLine, Span } from "./styled-line.ts";
import type { LiveViewState } from "./live-view-state.ts";

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
export function liveCriteria(
  state: LiveViewState,
  width: number,
  room: number,
  now: number,
): readonly StyledLine[] {
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
