/** Told while files are looked at, for those who wait. */
export interface TreeWatch {
  /** So many files of so many were looked at. */
  readonly reads: (done: number, all: number) => void;
  /** The look is over. `notes`: what whoever relies on it should know, in a few words each. */
  readonly ends: (root: string, notes: readonly string[]) => void;
}

export const NOBODY_WAITS: TreeWatch = { reads: () => undefined, ends: () => undefined };
