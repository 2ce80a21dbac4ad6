import { costAmongOthers } from "../cost.ts";
import type { StatusView } from "../status.ts";
import { counted } from "../../system/text/quantities.ts";
import { mergedWords } from "../gate-words.ts";
import { isFalseClaim, isUncheckedClaim, type IterationView } from "./iterations.ts";
import { planMarkdown } from "./markdown-plan.ts";
import { cell, code, fenced } from "./markdown-text.ts";
import { proofAgainst } from "./proof-against.ts";

/** A loop's story for the text of a pull request: the claims beside what was shown. */
export function storyMarkdown(view: StatusView): string {
  return [
    `### ${headOf(view)}`,
    "",
    cell(view.spec ?? view.id, 500),
    "",
    ...summary(view),
    ...(view.workflow === null ? ledger(view) : planMarkdown(view.workflow)),
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
    ...(workflow === null ? [counted(iteration ?? iterations.length, "iteration")] : [mergedWords(workflow)]),
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
    ({ kind, result }) =>
      `${{ stands: "✓", fails: "✗", open: "○" }[result]} ${kind === "judge" ? "original tests" : kind}`,
  );
  return `| ${labelOf(each, counted)} | ${claim} | ${results.map((result) => `${result} |`).join(" ")} ${proofs.join(", ")} |`;
}

function contradictions({ iterations, root }: StatusView): readonly string[] {
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
      against(each),
      "",
      // Where the project lies is nobody's business elsewhere.
      ...fenced(root === null ? output : output.replaceAll(`${root}/`, "")),
      "</details>",
      "",
    ];
  });
}

function against(each: IterationView): string {
  const { contradiction } = each;
  if (contradiction === null) return "";
  const name = contradiction.name === null ? "" : `“${contradiction.name}” `;
  return cell(proofAgainst(each) ?? `${name}${contradiction.sentence}`, 300);
}
