import { onWorker } from "../plan.ts";
import { costAmongOthers } from "../cost.ts";
import type { StatusView } from "../status.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { counted } from "../../system/text/quantities.ts";
import { isFalseClaim, isUncheckedClaim, type IterationView } from "./iterations.ts";

const LONGEST = 200;
const MOST_LINES = 20;

/** A loop's story for the text of a pull request: the claims beside what was shown. */
export function storyMarkdown(view: StatusView): string {
  return [
    `### ${headOf(view)}`,
    "",
    cell(view.spec ?? view.id, 500),
    "",
    ...summary(view),
    ...(view.workflow === null ? ledger(view) : tasks(view)),
    ...contradictions(view),
  ]
    .join("\n")
    .trimEnd();
}

const WORDS = { verified: "Verified", weak: "Weak evidence", unverified: "Unverified" } as const;

function headOf({ phase, confidence, reason, workflow }: StatusView): string {
  if (phase === "completed" && confidence !== null)
    return workflow?.verdict == null
      ? WORDS[confidence]
      : `${workflow.verdict.verdict}: ${WORDS[confidence].toLowerCase()}`;
  return phase === "paused" ? `Paused: ${reason ?? ""}` : (phase ?? "Unknown");
}

function summary({ iteration, iterations, cost, why, needs, workflow }: StatusView): readonly string[] {
  const notHeld = iterations.filter(isFalseClaim).length;
  const facts = [
    ...(workflow === null
      ? [counted(iteration ?? iterations.length, "iteration")]
      : [`${workflow.counts.done} of ${counted(workflow.tasks.length, "task")} merged`]),
    ...(notHeld === 0 ? [] : [`${counted(notHeld, "claim")} did not hold`]),
    costAmongOthers(cost ?? "unknown"),
  ];
  return [
    `${facts.join(", ")}.`,
    "",
    ...(why ?? []).map((each) => `- ${cell(each)}`),
    ...(needs === null
      ? []
      : [`- **Needs you:** ${cell(needs.sentence)}`, ...needs.commands.map((each) => `  - ${code(each)}`)]),
    ...((why ?? []).length > 0 || needs !== null ? [""] : []),
  ];
}

function ledger({ iteration, iterations, criteria }: StatusView): readonly string[] {
  const names = criteria.map(({ name }) => name);
  return [
    `| iteration | it said | ${names.map((name) => `${cell(name)} |`).join(" ")} proofs |`,
    `|---|---|${names.map(() => "---|").join("")}---|`,
    ...iterations.map((each) => row(each, names, iteration)),
    "",
  ];
}

/** What was checked after the last counted iteration is no further one. */
function labelOf({ iteration, depth, onlyChecked }: IterationView, counted: number | null): string {
  if (onlyChecked === true) return "then";
  return depth === 1 && counted !== null && iteration > counted ? "then" : `${iteration}`;
}

function row(each: IterationView, names: readonly string[], counted: number | null): string {
  const claim = !each.claimed
    ? "not yet"
    : isFalseClaim(each)
      ? "~~done~~"
      : each.dispute !== undefined
        ? "done, with changed tests"
        : isUncheckedClaim(each)
          ? "done, not checked"
          : "done";
  const results = names.map((name) => {
    const ran = each.checks.findLast((check) => check.name === name);
    if (ran === undefined) return "·";
    const tests = ran.tests === null ? "" : ` ${ran.tests.passed}/${ran.tests.executed}`;
    return `${ran.passed ? "✓" : "✗"}${tests}`;
  });
  const proofs = each.proofs.map(
    ({ kind, result }) => `${{ stands: "✓", fails: "✗", open: "○" }[result]} ${kind}`,
  );
  return `| ${labelOf(each, counted)} | ${claim} | ${results.map((result) => `${result} |`).join(" ")} ${proofs.join(", ")} |`;
}

function tasks({ workflow }: StatusView): readonly string[] {
  return [
    "| task | | evidence | attempts |",
    "|---|---|---|---|",
    ...(workflow?.tasks ?? []).map(
      ({ id, subject, state, confidence, attempts, worker }) =>
        `| ${cell(id)} | ${cell(subject)} | ${confidence ?? state} | ${attempts}${worker === null ? "" : ` (${cell(onWorker(worker))})`} |`,
    ),
    "",
  ];
}

function contradictions({ iterations }: StatusView): readonly string[] {
  const told = iterations.filter(
    (each) => isFalseClaim(each) || each.dispute === "undecided" || each.contradiction?.by === "must-not",
  );
  return told.flatMap((each) => {
    const what = isFalseClaim(each)
      ? "a claim that did not hold"
      : each.dispute === "undecided"
        ? "a claim with changed tests, which you decide on"
        : "it did what it must not";
    const proof = each.proofs.find(({ result, ran }) => result === "fails" && ran !== undefined);
    const output = each.checks.find(({ passed }) => !passed)?.output ?? proof?.ran?.output ?? "";
    return [
      `<details><summary>Iteration ${each.iteration}: ${what}</summary>`,
      "",
      ...(each.said === null ? [] : [`> ${cell(each.said, 400)}`, ""]),
      [each.contradiction?.name, each.contradiction?.sentence]
        .flatMap((part) => (part == null ? [] : [cell(part)]))
        .join(": "),
      "",
      ...fenced(output),
      "</details>",
      "",
    ];
  });
}

/** Text of others must neither become markup nor leave its cell. */
function cell(text: string, longest = LONGEST): string {
  return oneLine(text, longest).replace(/[\\`*_{}[\]<>()#+!|~@-]/g, "\\$&");
}

function code(text: string): string {
  return `\`${oneLine(text, LONGEST).replaceAll("`", "'")}\``;
}

/** The fence is longer than any in the text. */
function fenced(output: string): readonly string[] {
  const lines = output
    .trimEnd()
    .split("\n")
    .slice(-MOST_LINES)
    .map((line) => oneLine(line, LONGEST));
  if (lines.join("") === "") return [];
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = "`".repeat(longest + 1);
  return [fence, ...lines, fence, ""];
}
