/** Progress of reading files, for whoever waits. */
export interface TreeWatch {
  /** How many of how many files were read. */
  readonly reads: (done: number, all: number) => void;
  /** The reading is done. `notes`: what its user should know, in a few words each. */
  readonly ends: (root: string, notes: readonly string[]) => void;
}

export const NOBODY_WAITS: TreeWatch = { reads: () => undefined, ends: () => undefined };
