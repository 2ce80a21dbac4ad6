/** `fence` begins or ends `code`; what a `quote` or a `comment` says is not the plan's own word. */
export interface MarkdownLine {
  readonly number: number;
  readonly kind: "prose" | "fence" | "code" | "quote" | "comment";
  readonly text: string;
}

export interface MarkdownLines {
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
