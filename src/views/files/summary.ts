import { standardOf } from "../../core/loop/criterion.ts";
import { begunIteration, elapsedMs, isWorkflow, topFrame, type Loop } from "../../core/loop/loop.ts";
import { durationText } from "../../system/text/quantities.ts";
import { changesByKind, confidenceText } from "../completion.ts";
import { fileList } from "../file-list.ts";
import { MARKS, rowOf } from "../criterion.ts";
import type { IterationRow } from "./iterations.ts";
import { costText, dollars } from "../cost.ts";
import { resumeCommand } from "../next-action.ts";
import { setbackText, workflowStatus, type WorkflowStatus } from "../plan.ts";
import type { JudgementStatus } from "../review.ts";
import { codeCell, codeSpan, quoted, tableCell } from "./markdown.ts";

const MOST_FILES = 20;

const KINDS = { source: "Source", tests: "Tests", definitions: "Definitions of checks", deleted: "Deleted" };

/** `summary.md`: what a run leaves for a person to read later. */
export function summaryView(loop: Loop, rows: readonly IterationRow[]): string {
  const { spec, criteria, steps, iterationLimit } = topFrame(loop);
  const standard = standardOf(loop);
  const parts = [
    `# ${headline(loop)}`,
    quoted(spec),
    [
      `- Loop: \`${loop.id}\``,
      isWorkflow(loop)
        ? `- Attempts: ${loop.workflow?.attempts.length ?? 0}`
        : `- Iterations: ${begunIteration(loop)} of ${iterationLimit ?? "∞"}`,
      `- Cost: ${costText(loop)}, ${loop.spend.tokens} tokens`,
      `- Time: ${durationText(elapsedMs(loop, loop.updatedAt))}`,
      ...(loop.driven === null
        ? []
        : [
            `- Agent: ${tableCell(loop.driven.driver, 40)}${loop.driven.model === null ? "" : ` (${tableCell(loop.driven.model, 60)})`}`,
          ]),
      ...(loop.phase === "completed" ? [`- Confidence: ${tableCell(confidenceText(loop), 400)}`] : []),
      ...(loop.phase === "paused" ? [`- Resume: \`${resumeCommand(loop)}\``] : []),
    ].join("\n"),
  ];
  if (criteria.length > 0) {
    const lines = criteria.map((each) => {
      const { name, status, command, shown, notes } = rowOf(each, standard);
      const check = command === null ? "no check" : codeCell(command, 100);
      // Lists what was shown, so the rest is marked as not shown.
      const mark = status === "met" ? MARKS.met : MARKS.unmet;
      return `| ${mark} | ${tableCell(name, 120)} | ${check} | ${tableCell([shown ?? "not shown", ...notes].join(", "), 240)} |`;
    });
    parts.push(
      ["## Criteria", "", "| | criterion | check | shown |", "|---|---|---|---|", ...lines].join("\n"),
    );
  }
  const changes = changesByKind(loop.phase === "completed" ? loop.changed : null);
  if (changes.length > 0) {
    const lines = changes.map(
      ({ kind, files }) => `- ${KINDS[kind]}: ${fileList(files, MOST_FILES, (file) => codeSpan(file, 120))}`,
    );
    parts.push(["## Changed since the opening", "", ...lines].join("\n"));
  }
  if (steps.length > 0) {
    const lines = steps.map((step) => `- [${step.done ? "x" : " "}] ${tableCell(step.name, 200)}`);
    parts.push(["## Steps", "", ...lines].join("\n"));
  }
  if (loop.words.length > 0) {
    const lines = loop.words.map(
      ({ text, task }) => `- ${task === null ? "" : `${task}: `}${tableCell(text, 400)}`,
    );
    parts.push(["## Told by a person", "", ...lines].join("\n"));
  }
  const plan = workflowStatus(loop);
  if (plan !== null) parts.push(planSection(plan));
  if (plan?.judgement != null) parts.push(...judgementSections(plan.judgement));
  if (rows.length > 0) {
    const lines = rows.map(
      (row) =>
        `| ${row.iteration} | ${row.status}${row.reason === null ? "" : ` (${row.reason})`} | ${row.cost === null ? "unknown" : dollars(row.cost)} | ${tableCell(row.said ?? "", 160)} |`,
    );
    parts.push(
      ["## Iterations", "", "| # | status | cost | the agent's words |", "|---|---|---|---|", ...lines].join(
        "\n",
      ),
    );
  }
  return `${parts.join("\n\n")}\n`;
}

/** The tasks of a plan, and where their work is. */
function planSection({ tasks, delivery }: WorkflowStatus): string {
  const lines = tasks.map((task) => {
    const { id, subject, state, confidence, doubts, commit, attempts, setback, givenUp, skipped } = task;
    const isShown = state === "done" && confidence !== "unverified";
    const mark = isShown
      ? MARKS.met
      : state === "skipped"
        ? "–"
        : state === "given-up"
          ? MARKS.unmet
          : MARKS.unverified;
    const why =
      (skipped === null ? null : `left out: ${skipped}`) ??
      givenUp ??
      (setback === null ? [confidence ?? state, ...doubts.slice(0, 1)].join(": ") : setbackText(setback));
    const where = commit === null ? "" : codeCell(commit.slice(0, 12), 12);
    return `| ${mark} | ${id} | ${tableCell(subject, 120)} | ${attempts} | ${tableCell(why, 240)} | ${where} |`;
  });
  const head = ["## Tasks", "", "| | task | subject | attempts | | commit |", "|---|---|---|---|---|---|"];
  return [...head, ...lines, ...(delivery === null ? [] : ["", tableCell(delivery, 600)])].join("\n");
}

/** What reviewers found and what became of it, and the gate. */
function judgementSections({ findings, gate }: JudgementStatus): readonly string[] {
  const found = findings.map(({ severity, file, line, problem, resolution, task }) => {
    const place = `${file}${line === null ? "" : `:${line}`}`;
    return `| ${severity} | ${codeCell(place, 120)} | ${tableCell(problem, 240)} | ${[resolution ?? "open", task ?? ""].join(" ").trim()} |`;
  });
  const items = (gate?.items ?? []).map(
    ({ name, state, detail }) =>
      `| ${GATE_MARKS[state]} | ${tableCell(name, 80)} | ${tableCell(detail ?? "", 240)} |`,
  );
  const survivors = (gate?.survivors ?? []).map(
    ({ file, line, change }) => `- ${codeSpan(`${file}:${line}`, 120)}: ${tableCell(change, 80)}`,
  );
  return [
    ...(found.length === 0
      ? []
      : [["## Findings", "", "| | where | problem | became |", "|---|---|---|---|", ...found].join("\n")]),
    ...(items.length === 0 ? [] : [["## Gate", "", "| | | |", "|---|---|---|", ...items].join("\n")]),
    ...(survivors.length === 0 ? [] : [["## Faults that no check notices", "", ...survivors].join("\n")]),
  ];
}

const GATE_MARKS = { met: MARKS.met, weak: MARKS.unverified, open: MARKS.unmet } as const;

function headline(loop: Loop): string {
  switch (loop.phase) {
    case "active":
      return "Active";
    case "paused":
      return `Paused: ${loop.reason}${loop.detail === null ? "" : ` (${tableCell(loop.detail, 200)})`}`;
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
