/** Several reasons within one sentence, although some of them are sentences themselves: `one; two`. */
export function joined(reasons: readonly string[]): string {
  return reasons.map((each) => each.replace(/(?<=[^.])\.$/, "")).join("; ");
}
