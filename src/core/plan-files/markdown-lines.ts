import { isTaskId } from "../plan/plan.ts";

/** `fence` begins or ends `code`; what a `quote` or a `comment` says is not the plan's own word. */
export interface MarkdownLine {
  readonly number: number;
  readonly kind: "prose" | "fence" | "code" | "quote" | "comment";
  readonly text: string;
}

interface MarkdownLines {
  readonly lines: readonly MarkdownLine[];
  /** The fence that nobody closes, so that everything after it is code. */
  readonly openFence: number | null;
}

const FENCE = /^[ \t]*(?:[-*+][ \t]+)?(`{3,}|~{3,})([^\r\n]*)$/;

/** Tells prose from what is only shown. Line by line, since a plan may be megabytes long and a stranger's. */
export function markdownLines(text: string): MarkdownLines {
  const lines: MarkdownLine[] = [];
  let fence: { readonly mark: string; readonly line: number } | null = null;
  let isComment = false;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const number = index + 1;
    if (fence !== null) {
      const closes = isClosing(line, fence.mark);
      lines.push({ number, kind: closes ? "fence" : "code", text: line });
      if (closes) fence = null;
    } else if (isComment || line.trimStart().startsWith("<!--")) {
      isComment = !line.includes("-->");
      lines.push({ number, kind: "comment", text: line });
    } else {
      const mark = openingMark(line);
      if (mark !== null) fence = { mark, line: number };
      lines.push({ number, kind: mark === null ? proseOrQuote(line) : "fence", text: line });
    }
  }
  return { lines, openFence: fence?.line ?? null };
}

function openingMark(line: string): string | null {
  const [, mark, info = ""] = FENCE.exec(line) ?? [];
  return mark === undefined || (mark.startsWith("`") && info.includes("`")) ? null : mark;
}

function isClosing(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

function proseOrQuote(line: string): "prose" | "quote" {
  return line.trimStart().startsWith(">") ? "quote" : "prose";
}

/** A line that may begin a task: a heading, or an item of a checklist. */
export interface TaskHead {
  readonly kind: "heading" | "item";
  /** Of a heading its level, of an item its indentation. */
  readonly depth: number;
  readonly isDone: boolean;
  /** As it is written; null: it has none. What looks like one but isn't is named by the lint. */
  readonly id: string | null;
  readonly subject: string;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[([ xX]?)\](?:[ \t](.*))?$/;
const BOX = /^\[([ xX]?)\][ \t](.*)$/;

export function readTaskHead(line: string): TaskHead | null {
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const text = withoutClosing((heading[2] ?? "").trim());
    const [, mark = "", inside = text] = BOX.exec(text) ?? [];
    return {
      kind: "heading",
      depth: heading[1]?.length ?? 1,
      isDone: isChecked(mark),
      ...withId(inside.trim()),
    };
  }
  const item = ITEM.exec(line);
  if (item === null) return null;
  const [, indent = "", mark = "", text = ""] = item;
  return { kind: "item", depth: widthOf(indent), isDone: isChecked(mark), ...withId(text.trim()) };
}

/** How far a line is indented; a tab counts as four. */
export function indentOf(line: string): number {
  return widthOf(/^[ \t]*/.exec(line)?.[0] ?? "");
}

function widthOf(indent: string): number {
  return indent.replaceAll("\t", "    ").length;
}

function isChecked(mark: string): boolean {
  return mark.toLowerCase() === "x";
}

/** `## Title ##` */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "#") end -= 1;
  return end < text.length && /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

const FIRST_WORD = /^(?:task[ \t])?\[?([^\s:[\]]{1,80})\]?(.*)$/i;
/** What parts an id from its subject. */
const PARTED = /^[ \t]?:[ \t]*|^[ \t]+[–—-][ \t]+|^[.)][ \t]+/;
const MEANT_AS_ID = /^(?:T[-_.#]?\d\S*|[A-Za-z]+[-_#.]\d+[A-Za-z]?)$/i;

function withId(text: string): Pick<TaskHead, "id" | "subject"> {
  const plain = withoutEmphasis(text);
  const [, word = "", rest = ""] = FIRST_WORD.exec(plain) ?? [];
  const id = word.replace(/[.)]$/, "");
  const [parting] = PARTED.exec(rest) ?? [];
  if (parting !== undefined && (isTaskId(id) || MEANT_AS_ID.test(id)))
    return { id, subject: rest.slice(parting.length).trim() };
  // Other words of this form, such as UTF-8, begin many a sentence.
  const isOurs = isTaskId(id) && (/^T-/i.test(id) || rest.trim() === "");
  return isOurs ? { id, subject: rest.trim() } : { id: null, subject: plain };
}

/** `**T-001**: Subject` and `**T-001: Subject**` */
function withoutEmphasis(text: string): string {
  for (const mark of ["**", "__", "`"]) {
    if (!text.startsWith(mark)) continue;
    const end = text.indexOf(mark, mark.length);
    if (end !== -1 && /\d/.test(text.slice(0, end)))
      return `${text.slice(mark.length, end)}${text.slice(end + mark.length)}`;
  }
  return text;
}
