/** Edits of JSON as text: what is not touched stays as it was written, to the byte. The text is valid JSON. */

export type Path = readonly (string | number)[];

interface Span {
  readonly start: number;
  readonly end: number;
  readonly children: readonly Child[];
}

/** A member of an object, or an item of an array. It starts where its key starts, if it has one. */
interface Child {
  readonly key: string | number;
  readonly start: number;
  readonly value: Span;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;
const SPACE = /\s*/y;

/** Adds a member at the end of an object, or an item at the end of an array (its key is then not written). */
export function append(text: string, container: Path, key: string | null, value: unknown): string {
  const span = spanAt(text, container).value;
  const last = span.children.at(-1);
  if (last !== undefined) {
    const gap = spaceBefore(text, last.start);
    const indent = gap.includes("\n") ? gap.slice(gap.lastIndexOf("\n") + 1) : null;
    const lead = indent === null ? gap : endOfLine(text) + indent;
    return splice(text, last.value.end, last.value.end, `,${lead}${render(text, key, value, indent)}`);
  }
  const [open, close] = text[span.start] === "{" ? ["{", "}"] : ["[", "]"];
  if (!text.trim().includes("\n") && container.length > 0)
    return splice(text, span.start, span.end, `${open}${render(text, key, value, null)}${close}`);
  const outer = indentOfLine(text, span.start);
  const inner = outer + indentUnit(text);
  const lines = [open, inner + render(text, key, value, inner), outer + close];
  return splice(text, span.start, span.end, lines.join(endOfLine(text)));
}

/** Removes a member or an item, with its comma. */
export function remove(text: string, path: Path): string {
  const parent = spanAt(text, path.slice(0, -1)).value;
  const index = parent.children.findLastIndex(({ key }) => key === path.at(-1));
  const child = parent.children[index];
  if (child === undefined) throw new Error(`nothing at ${path.join("/")}`);
  const previous = parent.children[index - 1];
  if (previous !== undefined) return splice(text, previous.value.end, child.value.end, "");
  const next = parent.children[index + 1];
  if (next !== undefined) return splice(text, child.start, next.start, "");
  return splice(text, parent.start + 1, parent.end - 1, "");
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** On lines of its own with an indent, on one line without. */
function render(text: string, key: string | null, value: unknown, indent: string | null): string {
  const name = key === null ? "" : `${JSON.stringify(key)}:`;
  if (indent === null) return name + JSON.stringify(value);
  const lines = JSON.stringify(value, null, indentUnit(text)).split("\n");
  return (name === "" ? "" : `${name} `) + lines.join(endOfLine(text) + indent);
}

function endOfLine(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function indentUnit(text: string): string {
  return /^[^\S\n]*[{[][^\S\n]*\n([ \t]+)/.exec(text)?.[1] ?? "  ";
}

function indentOfLine(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function spaceBefore(text: string, at: number): string {
  return /\s*$/.exec(text.slice(0, at))?.[0] ?? "";
}

/** Of members with the same key the last one counts, as it does for a parser. */
function spanAt(text: string, path: Path): Child {
  let child: Child = { key: "", start: 0, value: readValue(text, skipSpace(text, 0)) };
  for (const step of path) {
    const found = child.value.children.findLast(({ key }) => key === step);
    if (found === undefined) throw new Error(`nothing at ${path.join("/")}`);
    child = found;
  }
  return child;
}

function readValue(text: string, start: number): Span {
  const open = text[start];
  if (open === "{" || open === "[") return readContainer(text, start, open === "{" ? "}" : "]");
  return { start, end: match(text, start, open === '"' ? STRING : SCALAR), children: [] };
}

function readContainer(text: string, start: number, close: string): Span {
  const children: Child[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== close) {
    const begin = at;
    let key: string | number = children.length;
    if (close === "}") {
      const end = match(text, at, STRING);
      key = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const value = readValue(text, at);
    children.push({ key, start: begin, value });
    at = skipSpace(text, value.end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { start, end: at + 1, children };
}

function skipSpace(text: string, at: number): number {
  return match(text, at, SPACE);
}

function match(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw new Error(`not JSON at ${at}`);
  return at + found[0].length;
}
