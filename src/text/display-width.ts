import stringWidth from "string-width";

const GRAPHEMES = new Intl.Segmenter();

/** Columns that a text takes on a terminal. What paints it takes none. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** The beginning that fits; what is left out is told by an ellipsis. For text without escape sequences. */
export function fitted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
