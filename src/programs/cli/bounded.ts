const LONGEST_COMPLAINT = 1_000;

/** Cuts an error message that quotes long input. */
export function bounded(text: string): string {
  return text.length <= LONGEST_COMPLAINT ? text : `${text.slice(0, LONGEST_COMPLAINT)}…`;
}
