import { standardOf } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { begunIteration, elapsedMs, topFrame } from "../core/loop.ts";
import { durationText } from "../text/duration.ts";
import { MARKS, rowOf } from "./criterion-row.ts";
import type { IterationRow } from "./iterations-view.ts";
import { costText, dollars, resumeCommand } from "./loop-lines.ts";
import { oneLine } from "../text/plain-text.ts";

/** `summary.md`: what a run leaves for whoever comes back to it. */
export function summaryView(loop: Loop, rows: readonly IterationRow[]): string {
  const { spec, criteria, steps, iterationLimit } = topFrame(loop);
  const standard = standardOf(loop);
  const parts = [
    `# ${headline(loop)}`,
    quoted(spec),
    [
      `- Loop: \`${loop.id}\``,
      `- Iterations: ${begunIteration(loop)} of ${iterationLimit ?? "∞"}`,
      `- Cost: ${costText(loop)}, ${loop.spend.tokens} tokens`,
      `- Time: ${durationText(elapsedMs(loop, loop.updatedAt))}`,
      ...(loop.driven === null
        ? []
        : [
            `- Agent: ${cell(loop.driven.driver, 40)}${loop.driven.model === null ? "" : ` (${cell(loop.driven.model, 60)})`}`,
          ]),
      ...(loop.phase === "paused" ? [`- Go on: \`${resumeCommand(loop)}\``] : []),
    ].join("\n"),
  ];
  if (criteria.length > 0) {
    const lines = criteria.map((each) => {
      const { name, status, command, shown } = rowOf(each, standard);
      const check = command === null ? "no check" : code(command, 100);
      // An account of what was shown: whatever was not is missing.
      const mark = status === "met" ? MARKS.met : MARKS.unmet;
      return `| ${mark} | ${cell(name, 120)} | ${check} | ${cell(shown ?? "not shown", 120)} |`;
    });
    parts.push(
      ["## Criteria", "", "| | criterion | check | shown |", "|---|---|---|---|", ...lines].join("\n"),
    );
  }
  if (steps.length > 0) {
    const lines = steps.map((step) => `- [${step.done ? "x" : " "}] ${cell(step.name, 200)}`);
    parts.push(["## Steps", "", ...lines].join("\n"));
  }
  if (rows.length > 0) {
    const lines = rows.map(
      (row) =>
        `| ${row.iteration} | ${row.status}${row.reason === null ? "" : ` (${row.reason})`} | ${row.cost === null ? "unknown" : dollars(row.cost)} | ${cell(row.said ?? "", 160)} |`,
    );
    parts.push(
      ["## Iterations", "", "| # | status | cost | the agent's words |", "|---|---|---|---|", ...lines].join(
        "\n",
      ),
    );
  }
  return `${parts.join("\n\n")}\n`;
}

function headline(loop: Loop): string {
  switch (loop.phase) {
    case "active":
      return "Active";
    case "paused":
      return `Paused: ${loop.reason}${loop.detail === null ? "" : ` (${cell(loop.detail, 200)})`}`;
    case "completed":
      return {
        verified: "Completed",
        weak: "Completed, some of it on weak evidence",
        unverified: "Finished, unverified",
      }[loop.confidence];
    case "cancelled":
      return "Cancelled";
  }
}

const ENTITIES: { readonly [mark: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text of others within a line: nothing in it is taken for Markdown or HTML. */
function cell(text: string, limit: number): string {
  return oneLine(text, limit).replace(/[\\|`<>&*_[\]~]/g, (mark) => ENTITIES[mark] ?? `\\${mark}`);
}

/** A command as code, in which only its own fence and a table's bar mean anything. */
function code(text: string, limit: number): string {
  const line = oneLine(text, limit);
  // No code span of a table can hold a bar behind a backslash.
  if (line.includes("\\|")) return `<code>${line.replace(/[^\w\s]/gu, asEntity)}</code>`;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const edge = longest === 0 ? "" : " ";
  return `${fence}${edge}${line.replaceAll("|", "\\|")}${edge}${fence}`;
}

function asEntity(mark: string): string {
  return `&#${mark.codePointAt(0)};`;
}

function quoted(spec: string): string {
  const text = spec.length > 2_000 ? `${spec.slice(0, 2_000)}…` : spec;
  return text
    .split("\n")
    .map((line) => `> ${withoutBlockMark(cell(line, 2_000))}`)
    .join("\n");
}

/** A line that would begin a heading, a list or a rule begins none. */
function withoutBlockMark(line: string): string {
  return line.replace(/^([#+=-]|\d{1,9}(?=[.)]))/, (mark) => (/^\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}
