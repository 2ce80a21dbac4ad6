import { closeSync } from "node:fs";
import { isatty } from "node:tty";

const STANDARD_STREAMS = [0, 1, 2];

/**
 * At its end, Node restores the settings of the terminal that it was started in, and aborts if that terminal was closed meanwhile.
 * It leaves alone what is closed.
 */
export function endWithoutTerminal(): void {
  const terminals = STANDARD_STREAMS.filter(isatty);
  process.once("exit", () => {
    for (const each of terminals) if (!isatty(each)) closeQuietly(each);
  });
}

function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // it is closed already
  }
}
