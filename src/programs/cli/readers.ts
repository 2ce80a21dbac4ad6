import { writeSync } from "node:fs";

let areNeeded = true;

/** A reader may stop reading (`loop log | head`): then the program ends, without an error. */
export function endWithReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!areNeeded) return;
      if (error.code === "EPIPE") process.exit(0);
      complain(`loop: cannot write the output (${error.code ?? "unknown"}).\n`);
      process.exit(1);
    });
  }
}

/** For work that must outlive its reader: a closed pipe or terminal doesn't end it. */
export function goOnWithoutReaders(): void {
  areNeeded = false;
}

/** Writes directly, since one of the streams has just failed. */
function complain(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // there is nobody left to tell
  }
}
