/** What is known of a project's files at one moment: now, or at the opening. Nothing here throws. */
export interface DefiningFiles {
  /** All files that may count, relative to the project's root, with slashes. Ignored ones need not be listed. */
  readonly paths: readonly string[];
  /** Null for what is missing, not a file, too large or unreadable. Asked for files that are not listed too. */
  read(path: string): Promise<string | null>;
  /** The digest of a whole file of any size; null when it is missing. */
  digest(path: string): Promise<string | null>;
}
