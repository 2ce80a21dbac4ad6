let areNeeded = true;

/** Whoever reads us may stop reading (`loop log | head`): then there is nobody to go on for, and that is no error. */
export function endWithReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!areNeeded) return;
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
}

/** Work that matters more than who watches it: a closed pipe or terminal does not end it. */
export function goOnWithoutReaders(): void {
  areNeeded = false;
}
