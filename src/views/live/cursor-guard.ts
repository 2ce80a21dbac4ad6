/** Gives the terminal its cursor back before anything ends or suspends the process. Returns a function that removes the guard. */
export function guardCursor(
  region: { readonly remove: () => void; readonly leave: () => void },
  goOn: () => void,
): () => void {
  const onExit = (): void => region.leave();
  const onQuit = (): void => {
    region.leave();
    lift();
    process.kill(process.pid, "SIGQUIT");
  };
  const onSuspend = (): void => {
    region.remove();
    process.kill(process.pid, "SIGSTOP");
  };
  const lift = (): void => {
    process.off("exit", onExit);
    process.off("SIGQUIT", onQuit);
    process.off("SIGTSTP", onSuspend);
    process.off("SIGCONT", goOn);
  };
  process.on("exit", onExit);
  process.on("SIGQUIT", onQuit);
  process.on("SIGTSTP", onSuspend);
  process.on("SIGCONT", goOn);
  return lift;
}
