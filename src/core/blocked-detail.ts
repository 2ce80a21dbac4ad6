import { isMissingPermission } from "./missing-permission.ts";

const LONGEST_NAME = 120;

/** Why an agent is blocked, as the pause records it: first the check in its way, if it named one. */
export function blockedDetail(check: string | null, reason: string): string {
  // A person copies the flags that the machine puts there, so an agent's own words are quoted.
  if (check === null) return isMissingPermission(reason) ? `"${reason}"` : reason;
  const name = check.length > LONGEST_NAME ? `${check.slice(0, LONGEST_NAME - 1)}…` : check;
  return `check "${name}": ${reason}`;
}
