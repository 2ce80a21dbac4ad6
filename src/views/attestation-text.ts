import type { Attestation } from "../core/criterion.ts";

/** Whose word it is, and how that speaker knows: `a person's observation`, `the agent's code review`. */
export function attestationText({ by, actor }: Pick<Attestation, "by" | "actor">): string {
  return `${actor === "person" ? "a person's" : "the agent's"} ${by}`;
}
