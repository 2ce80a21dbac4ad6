import { describeCheck } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { describeMustNot } from "../core/loop.ts";
import { NO_CHECK } from "./criterion-row.ts";
import { shapeName } from "./shape-name.ts";
import { inMarkdown } from "./in-markdown.ts";

/** `shape/SHAPE.md`: what was agreed and how it will be verified. */
export function shapeView(loop: Loop): string {
  const [frame] = loop.frames;
  const mustNots = loop.mustNots.map((each) => `- ${inMarkdown(describeMustNot(each))}`);
  const protects = loop.protects.map((glob) => `- protected: ${inMarkdown(glob)}`);
  const checks = frame.criteria.map(({ name, check }) =>
    check === null
      ? `- ${inMarkdown(name)}: ${NO_CHECK}, needs an attestation`
      : `- ${inMarkdown(name)}: ${inMarkdown(describeCheck(check))} (within ${check.timeoutMs / 1000} s)`,
  );
  return [
    `# Shape: ${inMarkdown(frame.spec, 120)}`,
    "",
    "## Criteria",
    ...orNone(frame.criteria.map(({ name }) => `- ${inMarkdown(name)}`)),
    "",
    "## Must not",
    ...orNone([...mustNots, ...protects]),
    "",
    "## Verification plan",
    ...orNone(checks),
    "",
    "## Decisions",
    `- Shape: ${shapeName(loop.shape)}, spec ${loop.score.total}/10`,
    `- Exit rule: ${frame.exitRule}`,
    ...(loop.folder === "" ? [] : [`- Folder: ${inMarkdown(loop.folder)}`]),
    "",
  ].join("\n");
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["- none"] : lines;
}
