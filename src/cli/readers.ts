import { writeSync } from "node:fs";

let areNeeded = true;

/** Whoever reads us may stop reading (`loop log | head`): then there is nobody to go on for, and that is no error. */
export function endWithReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!areNeeded) return;
      if (error.code === "EPIPE") process.exit(0);
      complain(`loop: the output cannot be written (${error.code ?? "unknown"}).\n`);
      process.exit(1);
    });
  }
}

/** Work that matters more than who watches it: a closed pipe or terminal does not end it. */
export function goOnWithoutReaders(): void {
  areNeeded = false;
}

/** Past the streams, of which one has just failed. */
function complain(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // nobody can be told
  }
}
