import { isMissingPermission } from "./missing-permission.ts";

const LONGEST_NAME = 120;

/** Why an agent cannot go on, as the pause keeps it: the check that is in its way first, where it named one. */
export function blockedDetail(check: string | null, reason: string): string {
  // The flags that the machine names there are for a person to copy; an agent's are quoted.
  if (check === null) return isMissingPermission(reason) ? `"${reason}"` : reason;
  const name = check.length > LONGEST_NAME ? `${check.slice(0, LONGEST_NAME - 1)}…` : check;
  return `check "${name}": ${reason}`;
}
