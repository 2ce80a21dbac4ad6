/** What went wrong in an agent's turn, by what can be done about it. */
export type Trouble =
  /** The account's limit. With a known reset it is waited for. */
  | { readonly kind: "usage-limit"; readonly detail: string; readonly resetsAt: number | null }
  /** The network, a time-out, an overloaded service: worth one more try. */
  | { readonly kind: "transient"; readonly detail: string }
  /** Only a person can help: a login, a permission, a program that is missing, an unpaid bill. */
  | { readonly kind: "blocking"; readonly detail: string }
  /** It was ended at a limit: by itself, at the budget that it was given, or by us. */
  | { readonly kind: "budget"; readonly detail: string }
  /** The conversation cannot be gone on with: it is unknown to the agent, or too long. A new one can. */
  | { readonly kind: "lost-conversation"; readonly detail: string }
  /** It was ended before it was done, by us or by somebody else. */
  | { readonly kind: "interrupted"; readonly detail: string }
  | { readonly kind: "unknown"; readonly detail: string };

/** A turn that came to its end is judged by the checks; so is one that was ended at a limit, which may have been just done. */
export function isJudged(outcome: Trouble["kind"] | "finished"): outcome is "finished" | "budget" {
  return outcome === "finished" || outcome === "budget";
}
