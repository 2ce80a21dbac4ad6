import { styleText } from "node:util";

/** Output for people and scripts, with colour only on a terminal. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly width: number;
  /** Whether what is shown can be written over. */
  readonly canRewrite: boolean;
  /** A line; what is printed as it is, ends where it says. */
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly printAsIs: (text: string) => void;
  readonly complainAsIs: (text: string) => void;
  readonly paint: (style: Style, text: string) => string;
}

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** Only what is needed here, so a test can listen instead. */
export interface Streams {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export function createTerminal(env: NodeJS.ProcessEnv, { stdin, stdout, stderr }: Streams): Terminal {
  const isShown = stdout.isTTY === true;
  const canRewrite = isShown && env["TERM"] !== "dumb";
  const hasColour = canRewrite && env["NO_COLOR"] === undefined;
  return {
    isInteractive: isShown && stdin.isTTY === true,
    width: isShown ? Math.max(40, Math.min(stdout.columns || 120, 120)) : 160,
    canRewrite,
    print: (text) => void stdout.write(`${text}\n`),
    complain: (text) => void stderr.write(`${text}\n`),
    printAsIs: (text) => void stdout.write(text),
    complainAsIs: (text) => void stderr.write(text),
    paint: (style, text) => (hasColour ? styleText(style, text) : text),
  };
}
