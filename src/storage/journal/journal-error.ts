export type JournalErrorCode =
  /** No file: it was deleted and is not written back. */
  | "missing"
  /** There already is one, and it is not replaced. */
  | "exists"
  /** Bytes that our writers never leave behind. Reported, never repaired. */
  | "corrupt"
  /** A later version of the program wrote it. */
  | "newer"
  /** Its file cannot be opened, or a link leads to it. */
  | "unreadable"
  /** Nothing can be added to it now: a full disk, missing permissions. */
  | "unwritable";

export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;

  constructor(code: JournalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
