import { displayWidth } from "./display-width.ts";

/** Wraps text between words; a word longer than a line stays whole. Further lines are indented. */
export function wrapped(text: string, width: number, indent: string): string {
  if (displayWidth(text) <= width) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join("\n");
}
