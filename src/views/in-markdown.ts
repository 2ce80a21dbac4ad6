import { oneLine } from "../text/plain-text.ts";

/** Text of others inside Markdown that people read as it stands: one line, and nothing in it is markup. */
export function inMarkdown(text: string, limit = 200): string {
  return oneLine(text, limit).replace(/[\\`*_[\]<>#|!]/g, "\\$&");
}

const ENTITIES: { readonly [mark: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text of others inside Markdown that is shown as HTML: one line, and nothing in it is markup or a tag. */
export function tableCell(text: string, limit: number): string {
  return oneLine(text, limit).replace(/[\\|`<>&*_[\]~]/g, (mark) => ENTITIES[mark] ?? `\\${mark}`);
}

/** A command as code in a table, where a bar means something in code, too. */
export function codeCell(text: string, limit: number): string {
  const line = oneLine(text, limit);
  // No code span of a table can hold a bar behind a backslash.
  if (line.includes("\\|")) return `<code>${line.replace(/[^\w\s]/gu, asEntity)}</code>`;
  return codeSpan(line, limit).replaceAll("|", "\\|");
}

/** Code, in which only its own fence means anything. */
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

/** A text of several lines as a quotation. */
export function quoted(spec: string): string {
  const text = spec.length > 2_000 ? `${spec.slice(0, 2_000)}…` : spec;
  return text
    .split("\n")
    .map((line) => `> ${withoutBlockMark(tableCell(line, 2_000))}`)
    .join("\n");
}

/** A line that would begin a heading, a list or a rule begins none. */
function withoutBlockMark(line: string): string {
  return line.replace(/^([#+=-]|\d{1,9}(?=[.)]))/, (mark) => (/^\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}
