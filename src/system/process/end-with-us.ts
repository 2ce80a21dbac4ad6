const running = new Set<number>();
let listening = false;

/** Ends a process group if this process exits in the middle; returns a function that releases it. */
export function endWithUs(groupLeader: number): () => void {
  if (!listening) process.on("exit", endAll);
  listening = true;
  running.add(groupLeader);
  return () => running.delete(groupLeader);
}

// It is too late to wait for anything.
function endAll(): void {
  for (const groupLeader of running) {
    try {
      process.kill(process.platform === "win32" ? groupLeader : -groupLeader, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  }
}
