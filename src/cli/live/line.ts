import type { Style, Terminal } from "../terminal.ts";
import { displayWidth, fitted, padded } from "../../text/display-width.ts";

/** A piece of a line, and how it is painted. */
export type Span = readonly [style: Style | null, text: string];
export type Line = readonly Span[];

const SEPARATOR: Span = ["dim", " · "];
const INDENT: Span = [null, "  "];
const LABEL_WIDTH = 4;

function widthOf(line: Line): number {
  return line.reduce((sum, [, text]) => sum + displayWidth(text), 0);
}

/** Parts one after the other, on as many lines as they take. */
export function flowed(parts: readonly Span[], width: number): readonly Line[] {
  const lines: Line[] = [];
  for (const part of parts) {
    const last = lines.pop();
    const joined: Line = last === undefined ? [part] : [...last, SEPARATOR, part];
    if (last === undefined || widthOf(joined) <= width) lines.push(joined);
    else lines.push(last, [INDENT, part]);
  }
  return lines;
}

/** `label  text end`: where there is little room the text is cut, and its end stays. */
export function labelled(label: string, text: string, end: string, width: number): Line {
  const beginning: Line = [INDENT, ["dim", padded(label, LABEL_WIDTH)], INDENT];
  const room = width - widthOf(beginning) - displayWidth(end);
  return [...beginning, [null, fitted(text, room)], ["dim", end]];
}

export function painted(line: Line, width: number, paint: Terminal["paint"]): string {
  let left = width;
  let result = "";
  for (const [style, text] of line) {
    const shown = fitted(text, left);
    left -= displayWidth(shown);
    result += style === null || shown === "" ? shown : paint(style, shown);
  }
  return result;
}
