const running = new Set<number>();
let listening = false;

/** Sees to it that a process group does not outlive this process when it exits in the middle; returns the release. */
export function endWithUs(groupLeader: number): () => void {
  if (!listening) process.on("exit", endAll);
  listening = true;
  running.add(groupLeader);
  return () => running.delete(groupLeader);
}

// Nothing can be waited for any more at this point.
function endAll(): void {
  for (const groupLeader of running) {
    try {
      process.kill(process.platform === "win32" ? groupLeader : -groupLeader, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  }
}
