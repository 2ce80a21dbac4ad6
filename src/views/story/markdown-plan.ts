import { gateSentence } from "../gate-words.ts";
import { groupedFindings, type Found, resolutionWords } from "../grouped-findings.ts";
import { onWorker, type WorkflowStatus } from "../plan.ts";
import { counted } from "../../system/text/quantities.ts";
import { cell } from "./markdown-text.ts";

/** A plan's tasks, which of their claims did not hold, and what reviewers and the gate said. */
export function planMarkdown(workflow: WorkflowStatus): readonly string[] {
  return [...tasks(workflow), ...caught(workflow), ...found(workflow), ...gate(workflow)];
}

function tasks({ tasks: all }: WorkflowStatus): readonly string[] {
  return [
    "| task | | evidence | attempts |",
    "|---|---|---|---|",
    ...all.map(
      ({ id, subject, state, confidence, attempts, worker }) =>
        `| ${cell(id)} | ${cell(subject)} | ${confidence ?? state} | ${attempts}${worker === null ? "" : ` (${cell(onWorker(worker))})`} |`,
    ),
    "",
  ];
}

function caught({ attempts }: WorkflowStatus): readonly string[] {
  const counts = new Map<string, number>();
  for (const { task, claims } of attempts) {
    const lies = (claims ?? []).filter(({ held }) => !held).length;
    if (lies > 0) counts.set(task, (counts.get(task) ?? 0) + lies);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all === 0) return [];
  const where = [...counts].map(([task, count]) => `${cell(task)}${count === 1 ? "" : ` ${count} times`}`);
  return [`${counted(all, "claim")} did not hold: ${where.join(", ")}.`, ""];
}

function found({ judgement, tasks: all }: WorkflowStatus): readonly string[] {
  const findings = groupedFindings(judgement?.findings ?? []);
  if (findings.length === 0) return [];
  const became = ({ resolution, task }: Found): string => {
    const fix = all.find(({ id }) => id === task);
    if (fix === undefined) return resolutionWords(resolution);
    return fix.state === "done"
      ? `put right by ${fix.id}, ${fix.confidence ?? "unverified"}`
      : `became ${fix.id}`;
  };
  return [
    "**What reviewers found**",
    "",
    ...findings.map((each) => {
      const { severity, file, line, problem } = each;
      const place = cell(`${file}${line === null ? "" : `:${line}`}`);
      return `- ${severity} ${place}: ${cell(problem, 300)} (${cell(became(each))})`;
    }),
    "",
  ];
}

function gate({ judgement }: WorkflowStatus): readonly string[] {
  const verdict = judgement?.gate ?? null;
  if (verdict === null) return [];
  return [`**Gate** ${verdict.passed ? "passed" : "shut"}: ${cell(gateSentence(verdict), 300)}.`, ""];
}
