export type JournalErrorCode =
  /** No file: it was deleted, and is not written back. */
  | "missing"
  /** There is one already, and it is not replaced. */
  | "exists"
  /** Bytes that no writer of ours leaves behind. Reported, never repaired. */
  | "corrupt"
  /** A later version of the program wrote it. */
  | "newer"
  /** It cannot be reached: a full disk, a missing right. */
  | "unwritable";

export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;

  constructor(code: JournalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
