import { oneLine } from "../../system/text/plain-text.ts";

/** Foreign text inside Markdown that people read as source: one line, without markup. */
export function inMarkdown(text: string, limit = 200): string {
  return oneLine(text, limit).replace(/[\\`*_[\]<>#|!]/g, "\\$&");
}

const ENTITIES: { readonly [mark: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Foreign text inside Markdown that is rendered as HTML: one line, without markup or tags. */
export function tableCell(text: string, limit: number): string {
  return oneLine(text, limit).replace(/[\\|`<>&*_[\]~]/g, (mark) => ENTITIES[mark] ?? `\\${mark}`);
}

/** A command as code in a table, where a bar has a meaning even in code. */
export function codeCell(text: string, limit: number): string {
  const line = oneLine(text, limit);
  // A code span in a table cannot contain a bar after a backslash.
  if (line.includes("\\|")) return `<code>${line.replace(/[^\w\s]/gu, asEntity)}</code>`;
  return codeSpan(line, limit).replaceAll("|", "\\|");
}

/** A code span, with a fence longer than any in the text. */
export function codeSpan(text: string, limit: number): string {
  const line = oneLine(text, limit);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const edge = longest === 0 ? "" : " ";
  return `${fence}${edge}${line}${edge}${fence}`;
}

function asEntity(mark: string): string {
  return `&#${mark.codePointAt(0)};`;
}

/** A text of several lines as a block quote. */
export function quoted(spec: string): string {
  const text = spec.length > 2_000 ? `${spec.slice(0, 2_000)}…` : spec;
  return text
    .split("\n")
    .map((line) => `> ${withoutBlockMark(tableCell(line, 2_000))}`)
    .join("\n");
}

/** Keeps a line from starting a heading, a list or a rule. */
function withoutBlockMark(line: string): string {
  return line.replace(/^([#+=-]|\d{1,9}(?=[.)]))/, (mark) => (/^\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}
