const LONGEST_COMPLAINT = 1_000;

/** A complaint that repeats what somebody gave us repeats it only in part. */
export function bounded(text: string): string {
  return text.length <= LONGEST_COMPLAINT ? text : `${text.slice(0, LONGEST_COMPLAINT)}…`;
}
