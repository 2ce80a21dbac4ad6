/** What still runs in a session while its agent stops. */
export interface BackgroundWork {
  /** Ids of the shells that run now, to recognize them at the next stop. */
  readonly shells: readonly string[];
  /** Something else that will wake the session up: a subagent, an alarm. */
  readonly isAwaited: boolean;
}

/**
 * Whether a stop is only a pause in the work. A shell counts once: one that already ran at the last stop is a server or a
 * watcher, and would keep the loop from ever deciding.
 */
export function isOnlyWaiting(
  { shells, isAwaited }: BackgroundWork,
  shellsBefore: readonly string[],
): boolean {
  return isAwaited || shells.some((id) => !shellsBefore.includes(id));
}
