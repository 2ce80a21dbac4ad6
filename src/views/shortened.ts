import { keptPart } from "../core/output/failure-block.ts";

const OUTPUT_LIMIT = 3_000;
const NAMES_LIMIT = 1_500;

/** As many names as fit, and how many more there are. */
export function nameList(names: readonly string[]): string {
  let text = "";
  for (const [index, name] of names.entries()) {
    const longer = text === "" ? shortName(name) : `${text}, ${shortName(name)}`;
    if (longer.length > NAMES_LIMIT) return `${text} and ${names.length - index} more`;
    text = longer;
  }
  return text;
}

/** Names may be pages long and contain line breaks; in a list each is one line. */
export function shortName(name: string): string {
  const line = name.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** The part of an output that says what went wrong. */
export function usefulPart(output: string): string {
  return output.length > OUTPUT_LIMIT ? `…${keptPart(output, OUTPUT_LIMIT)}` : output;
}
