import { displayWidth } from "./display-width.ts";

/** The text in lines that fit, broken between words; a word that is longer than a line stays whole. What follows is indented. */
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
