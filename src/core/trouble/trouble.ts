/** What went wrong in an agent's turn, by what can be done about it. */
export type Trouble =
  /** The account's limit. If the reset is known, the run waits for it. */
  | { readonly kind: "usage-limit"; readonly detail: string; readonly resetsAt: number | null }
  /** The network, a timeout, an overloaded service: worth a retry. */
  | { readonly kind: "transient"; readonly detail: string }
  /** Only a person can help: a login, a permission, a program that is missing, an unpaid bill. */
  | { readonly kind: "blocking"; readonly detail: string }
  /** It ended at a limit: by itself at its budget, or by us. */
  | { readonly kind: "budget"; readonly detail: string }
  /** The agent cannot continue the conversation: it doesn't know it, or it is too long. A new one works. */
  | { readonly kind: "lost-conversation"; readonly detail: string }
  /** Something ended it before it was done: us or somebody else. */
  | { readonly kind: "interrupted"; readonly detail: string }
  | { readonly kind: "unknown"; readonly detail: string };

/** The checks judge a turn that ended by itself, and one ended at a limit, which may have just finished. */
export function isJudged(outcome: Trouble["kind"] | "finished"): outcome is "finished" | "budget" {
  return outcome === "finished" || outcome === "budget";
}
