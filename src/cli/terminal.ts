import { styleText } from "node:util";

/** Where people and scripts read. Colour only on a terminal. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly width: number;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly paint: (style: Style, text: string) => string;
}

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

export function createTerminal(env: NodeJS.ProcessEnv): Terminal {
  const hasColour = process.stdout.isTTY && env["NO_COLOR"] === undefined && env["TERM"] !== "dumb";
  return {
    isInteractive: process.stdout.isTTY && process.stdin.isTTY,
    width: process.stdout.isTTY ? Math.max(40, Math.min(process.stdout.columns, 120)) : 160,
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    paint: (style, text) => (hasColour ? styleText(style, text) : text),
  };
}
