import { describeCheck } from "../../core/loop/criterion.ts";
import { describeMustNot } from "../../core/loop/loop.ts";
import { statedConstraints } from "../../core/spec/stated-constraints.ts";
import { unwatchedLimits, boundariesIn } from "../../core/stages/work-boundary.ts";
import type { IntentSummary, ShapedCriterion } from "../../core/stages/stages.ts";
import { NO_CHECK } from "../criterion.ts";
import { shapeName, type Agreed } from "../shape.ts";
import { inMarkdown } from "./markdown.ts";

/** `shape/SHAPE.md`: what was agreed and how it will be verified. */
export function shapeView(agreed: Agreed): string {
  const { spec } = agreed;
  const mustNots = agreed.mustNots.map((each) => `- ${inMarkdown(describeMustNot(each))}`);
  const protects = agreed.protects.map((glob) => `- protected: ${inMarkdown(glob)}`);
  const boundaries = boundariesIn(spec).map((each) => `- watched at the gate: ${inMarkdown(each.words)}`);
  const inSpec = statedConstraints(spec).map(
    (each) => `- watched, as the spec says it: ${inMarkdown(each.words)}`,
  );
  const inWords = unwatchedLimits(agreed).map(
    (each) => `- in words, which no check watches: ${inMarkdown(each)}`,
  );
  const criteria = criteriaOf(agreed);
  const { work, summary } = agreed;
  return [
    `# Shape: ${inMarkdown(spec, 120)}`,
    "",
    "## Criteria",
    ...orNone(criteria.map(({ name }) => `- ${inMarkdown(name)}`)),
    "",
    "## Must not",
    ...orNone([...mustNots, ...protects, ...boundaries, ...inSpec, ...inWords]),
    "",
    "## Verification plan",
    ...orNone(criteria.map(checkLine)),
    "",
    "## Decisions",
    ...(work === null ? [] : [`- Kind: ${work.kind}`, `- Aspects: ${work.aspects.join(", ") || "none"}`]),
    `- Shape: ${shapeName(agreed.shape)}, spec ${agreed.total}/10`,
    `- Exit rule: ${agreed.exitRule}`,
    ...(agreed.folder === "" ? [] : [`- Folder: ${inMarkdown(agreed.folder)}`]),
    ...(work?.decisions ?? []).map((decision) => `- ${inMarkdown(decision)}`),
    ...(summary === null ? [] : summaryLines(summary)),
    "",
  ].join("\n");
}

/** In a workflow with a plan, the criteria are tasks; what was agreed stays here. */
function criteriaOf({ work, criteria }: Agreed): readonly ShapedCriterion[] {
  const shaped = work?.criteria ?? [];
  const others = criteria.filter(({ name }) => !shaped.some((each) => each.name === name));
  return [...shaped, ...others.map(({ name, check }) => ({ name, check, proposed: null }))];
}

function checkLine({ name, check, proposed }: ShapedCriterion): string {
  if (check !== null)
    return `- ${inMarkdown(name)}: ${inMarkdown(describeCheck(check))} (within ${check.timeoutMs / 1000} s)`;
  if (proposed !== null)
    return `- ${inMarkdown(name)}: ${NO_CHECK}; proposed, not approved: ${inMarkdown(proposed)}`;
  return `- ${inMarkdown(name)}: ${NO_CHECK}, needs an attestation`;
}

function summaryLines({ deliverable, firstFact, hardestConstraint }: IntentSummary): readonly string[] {
  return [
    "",
    "## Understood",
    `- Deliverable: ${inMarkdown(deliverable)}`,
    `- First fact: ${inMarkdown(firstFact)}`,
    `- Hardest constraint: ${inMarkdown(hardestConstraint)}`,
  ];
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["- none"] : lines;
}
