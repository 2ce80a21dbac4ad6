const LONGEST_NAME = 120;

/** Why an agent cannot go on, as the pause keeps it: the check that is in its way first, where it named one. */
export function blockedDetail(check: string | null, reason: string): string {
  if (check === null) return reason;
  const name = check.length > LONGEST_NAME ? `${check.slice(0, LONGEST_NAME - 1)}…` : check;
  return `check "${name}": ${reason}`;
}
