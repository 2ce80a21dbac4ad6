import type { Style, Terminal } from "../terminal/terminal.ts";
import { displayWidth, fitted, padded } from "../../system/text/display-width.ts";

/** A piece of a line and its style. */
export type Span = readonly [style: Style | null, text: string];
export type StyledLine = readonly Span[];

const SEPARATOR: Span = ["dim", " · "];
const INDENT: Span = [null, "  "];
const LABEL_WIDTH = 4;

function widthOf(line: StyledLine): number {
  return line.reduce((sum, [, text]) => sum + displayWidth(text), 0);
}

/** Joins parts, on as many lines as they need. */
export function flowed(parts: readonly Span[], width: number): readonly StyledLine[] {
  const lines: StyledLine[] = [];
  for (const part of parts) {
    const last = lines.pop();
    const joined: StyledLine = last === undefined ? [part] : [...last, SEPARATOR, part];
    if (last === undefined || widthOf(joined) <= width) lines.push(joined);
    else lines.push(last, [INDENT, part]);
  }
  return lines;
}

/** `label  text end`: cuts the text, never the end, when there is little room. */
export function labelled(label: string, text: string, end: string, width: number): StyledLine {
  const beginning: StyledLine = [INDENT, ["dim", padded(label, LABEL_WIDTH)], INDENT];
  const room = width - widthOf(beginning) - displayWidth(end);
  return [...beginning, [null, fitted(text, room)], ["dim", end]];
}

export function painted(line: StyledLine, width: number, paint: Terminal["paint"]): string {
  let left = width;
  let result = "";
  for (const [style, text] of line) {
    const shown = fitted(text, left);
    left -= displayWidth(shown);
    result += style === null || shown === "" ? shown : paint(style, shown);
  }
  return result;
}
