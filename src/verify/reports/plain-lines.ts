/** No line of a report is longer; a longer one counts as empty, so no pattern has to process it. */
const LONGEST_LINE = 1024;

// oxlint-disable-next-line no-control-regex -- what paints a terminal is exactly what is removed here
const PAINT = /\u001b\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\u001b\][^\u0007\u001b\n]{0,512}(?:\u0007|\u001b\\)/g;

const LEFT_OUT = /^\[… \d+ bytes left out …\]$/;

export function withoutPaint(output: string): string {
  return output.replace(PAINT, "");
}

/** The lines of an output without colours. A lone carriage return also ends a line, because progress bars overwrite theirs. */
export function linesOf(plain: string): readonly string[] {
  return plain.split(/\r\n|\n|\r/).map((line) => (line.length > LONGEST_LINE ? "" : line));
}

/** Whether the middle of the output was left out. Also true if a test prints such a line. */
export function isShortened(lines: readonly string[]): boolean {
  return lines.some((line) => LEFT_OUT.test(line));
}
