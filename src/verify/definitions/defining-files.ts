/** What is known about a project's files at one moment: now or at the opening. Never throws. */
export interface DefiningFiles {
  /** All files that may count, relative to the project's root, with slashes. Ignored ones need not be listed. */
  readonly paths: readonly string[];
  /** Null if it is missing, not a file, too large or unreadable. Also called for files that aren't listed. */
  read(path: string): Promise<string | null>;
  /** The digest of a whole file of any size; null when it is missing. */
  digest(path: string): Promise<string | null>;
}
