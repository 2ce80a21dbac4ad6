/** What the player of a rehearsal prints, one JSON object a line. */
export type PlayerMessage =
  | { readonly type: "conversation"; readonly id: string }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "used"; readonly tool: string; readonly detail: string }
  | { readonly type: "edited"; readonly path: string }
  | { readonly type: "failed"; readonly output: string }
  /** Up to here. */
  | ({ readonly type: "billed" } & PlayedCost)
  /** The turn came to the end that its script has for it. */
  | ({
      readonly type: "ended";
      readonly message: string | null;
      readonly trouble: ScriptedTrouble | null;
    } & PlayedCost);

export interface PlayedCost {
  readonly usd: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly model: string | null;
}

/** How a script lets a turn end in trouble. */
export type ScriptedTrouble =
  /** Without a time, nobody knows when the limit is over. */
  | {
      readonly kind: "usage-limit";
      readonly resetsInMs?: number | undefined;
      readonly detail?: string | undefined;
    }
  | {
      readonly kind: "transient" | "blocking" | "budget" | "lost-conversation" | "unknown";
      readonly detail?: string | undefined;
    }
  /** Something was not allowed, and the turn ended in its own time, as with a real agent that nobody can ask. */
  | { readonly kind: "permission"; readonly tool: string; readonly rule: string };
