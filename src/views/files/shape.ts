import { describeCheck } from "../../core/loop/criterion.ts";
import type { Loop, Shape } from "../../core/loop/loop.ts";
import { describeMustNot } from "../../core/loop/loop.ts";
import { statedConstraints } from "../../core/spec/stated-constraints.ts";
import { unwatchedLimits } from "../../core/stages/unwatched-limits.ts";
import { boundariesIn } from "../../core/stages/work-boundary.ts";
import type { IntentSummary, ShapedCriterion } from "../../core/stages/stages.ts";
import { NO_CHECK } from "../criterion.ts";
import { inMarkdown } from "./markdown.ts";

/** `shape/SHAPE.md`: what was agreed and how it will be verified. */
export function shapeView(loop: Loop): string {
  const [frame] = loop.frames;
  const mustNots = loop.mustNots.map((each) => `- ${inMarkdown(describeMustNot(each))}`);
  const protects = loop.protects.map((glob) => `- protected: ${inMarkdown(glob)}`);
  const boundaries = boundariesIn(frame.spec).map(
    (each) => `- watched at the gate: ${inMarkdown(each.words)}`,
  );
  const inSpec = statedConstraints(frame.spec).map(
    (each) => `- watched, as the spec says it: ${inMarkdown(each.words)}`,
  );
  const inWords = unwatchedLimits({ spec: frame.spec, mustNots: loop.mustNots }).map(
    (each) => `- in words, which no check watches: ${inMarkdown(each)}`,
  );
  const criteria = criteriaOf(loop);
  const { shape = null, intent = null } = loop.stages ?? {};
  return [
    `# Shape: ${inMarkdown(frame.spec, 120)}`,
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
    ...(shape === null ? [] : [`- Kind: ${shape.kind}`, `- Aspects: ${shape.aspects.join(", ") || "none"}`]),
    `- Shape: ${shapeName(loop.shape)}, spec ${loop.score.total}/10`,
    `- Exit rule: ${frame.exitRule}`,
    ...(loop.folder === "" ? [] : [`- Folder: ${inMarkdown(loop.folder)}`]),
    ...(shape?.decisions ?? []).map((decision) => `- ${inMarkdown(decision)}`),
    ...(intent?.echo == null ? [] : summaryLines(intent.echo)),
    "",
  ].join("\n");
}

/** In a workflow with a plan, the criteria are tasks; what was agreed stays here. */
function criteriaOf({ frames: [frame], stages }: Loop): readonly ShapedCriterion[] {
  const shaped = stages?.shape?.criteria ?? [];
  const others = frame.criteria.filter(({ name }) => !shaped.some((each) => each.name === name));
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

export function shapeName(shape: Shape): string {
  return {
    intent: "Intent",
    blocked: "Blocked",
    colleague: "Colleague",
    "tool-review": "Tool-review",
    tool: "Tool",
  }[shape];
}

/** What a loop of this shape does while it runs, for people who don't know the terms. */
export function shapeMeaning(shape: Shape): string {
  return {
    intent: "asks what you mean first",
    blocked: "asks what you mean first",
    colleague: "asks you after each iteration",
    "tool-review": "runs by itself and asks you at major steps",
    tool: "runs by itself and reports at the end",
  }[shape];
}
