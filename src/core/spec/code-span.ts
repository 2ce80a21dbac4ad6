const CODE_SPAN = /`[^`\n]{1,200}`/g;

/** The spans in backticks, with their backticks. */
export function codeSpans(text: string): string[] {
  return text.match(CODE_SPAN) ?? [];
}

export function insideOf(span: string): string {
  return span.slice(1, -1).trim();
}

/** Blanks code out without moving any other character, so that a match can be quoted from the original. */
export function maskCode(text: string): string {
  return text.replace(CODE_SPAN, (span) => " ".repeat(span.length));
}
