import { failingLine } from "../../core/output/failing-line.ts";
import { isNoise } from "../../core/output/line-kinds.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/** Text of others in Markdown, where it must not become markup. */

const LONGEST = 200;
const MOST_LINES = 20;

/** It doesn't leave its line or its cell. */
export function cell(text: string, longest = LONGEST): string {
  return oneLine(text, longest).replace(/[\\`*_{}[\]<>()#+!|~@-]/g, "\\$&");
}

export function code(text: string): string {
  return `\`${oneLine(text, LONGEST).replaceAll("`", "'")}\``;
}

/** Of a long output, what failed and its end, without frames and code. The fence is longer than any in the text. */
export function fenced(output: string): readonly string[] {
  const all = output.trimEnd().split("\n");
  const telling = all.filter((line) => !isNoise(line));
  const failing = failingLine(output);
  const lines = (
    all.length <= MOST_LINES
      ? all
      : [...(failing === null ? [] : [failing, "…"]), ...telling.slice(-(MOST_LINES - 2))]
  ).map((line) => oneLine(line, LONGEST));
  if (lines.join("") === "") return [];
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = "`".repeat(longest + 1);
  return [fence, ...lines, fence, ""];
}
