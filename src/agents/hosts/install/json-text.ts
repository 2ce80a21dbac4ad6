import { parseTree, type Node } from "jsonc-parser";

/**
 * Edits JSON as text: everything untouched stays the same, byte for byte. The text is valid JSON. The parser only provides
 * positions; its own edits would reformat the lines they touch.
 */

export type Path = readonly (string | number)[];

/** A member of an object, or an item of an array. It starts where its key starts, if it has one. */
interface Child {
  readonly key: string | number;
  readonly start: number;
  readonly value: Node;
}

/** Adds a member at the end of an object, or an item at the end of an array (its key is then not written). */
export function append(text: string, container: Path, key: string | null, value: unknown): string {
  const node = nodeAt(text, container);
  const last = childrenOf(node).at(-1);
  if (last !== undefined) {
    const gap = spaceBefore(text, last.start);
    const indent = gap.includes("\n") ? gap.slice(gap.lastIndexOf("\n") + 1) : null;
    const lead = indent === null ? gap : endOfLine(text) + indent;
    return splice(text, endOf(last.value), endOf(last.value), `,${lead}${render(text, key, value, indent)}`);
  }
  const [open, close] = node.type === "object" ? ["{", "}"] : ["[", "]"];
  const rest = text.slice(node.offset + 1, endOf(node) - 1);
  // The whole text is never taken out, so there is nothing to remember of `{}`.
  const kept = container.length === 0 && rest === "" ? null : emptyLine(text) + rest;
  if (!text.trim().includes("\n") && container.length > 0)
    return splice(
      text,
      node.offset,
      endOf(node),
      `${open}${render(text, key, value, null)}${kept ?? ""}${close}`,
    );
  const outer = indentOfLine(text, node.offset);
  const inner = outer + indentUnit(text);
  const lines = [open, inner + render(text, key, value, inner)].join(endOfLine(text));
  return splice(text, node.offset, endOf(node), lines + (kept ?? endOfLine(text) + outer) + close);
}

/** Whether an object or an array was there, with nothing in it, before what is in it now was put there by `append`. */
export function wasEmpty(text: string, path: Path): boolean {
  return keptIn(text, nodeAt(text, path)) !== null;
}

/** What was in it, such as a comment; null: it was not there. Nobody ends an object with an empty line. */
function keptIn(text: string, node: Node): string | null {
  const last = childrenOf(node).at(-1);
  if (last === undefined) return null;
  const tail = text.slice(endOf(last.value), endOf(node) - 1);
  return tail.startsWith(emptyLine(text)) ? tail.slice(emptyLine(text).length) : null;
}

function emptyLine(text: string): string {
  return endOfLine(text).repeat(2);
}

/** Removes a member or an item, with its comma. */
export function remove(text: string, path: Path): string {
  const parent = nodeAt(text, path.slice(0, -1));
  const children = childrenOf(parent);
  const index = children.findLastIndex(({ key }) => key === path.at(-1));
  const child = children[index];
  if (child === undefined) throw new Error(`nothing at ${path.join("/")}`);
  const previous = children[index - 1];
  if (previous !== undefined) return splice(text, endOf(previous.value), endOf(child.value), "");
  const next = children[index + 1];
  if (next !== undefined) return splice(text, child.start, next.start, "");
  return splice(text, parent.offset + 1, endOf(parent) - 1, keptIn(text, parent) ?? "");
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** On separate lines with an indent, on one line without. */
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

/** Of members with the same key, the last one counts, as for a parser. */
function nodeAt(text: string, path: Path): Node {
  let node = parseTree(text);
  for (const step of path) node = childrenOf(node).findLast(({ key }) => key === step)?.value;
  if (node === undefined) throw new Error(`nothing at ${path.join("/")}`);
  return node;
}

function childrenOf(node: Node | undefined): readonly Child[] {
  return (node?.children ?? []).flatMap((child, index): readonly Child[] => {
    if (node?.type === "array") return [{ key: index, start: child.offset, value: child }];
    const [key, value] = child.children ?? [];
    return value === undefined ? [] : [{ key: key?.value as string, start: child.offset, value }];
  });
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
