/** What the player of a rehearsal prints, one JSON object per line. */
export type PlayerMessage =
  | { readonly type: "conversation"; readonly id: string }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "used"; readonly tool: string; readonly detail: string }
  | { readonly type: "edited"; readonly path: string }
  | { readonly type: "failed"; readonly output: string }
  /** Up to here. */
  | ({ readonly type: "billed" } & PlayedCost)
  /** The turn reached its scripted end. */
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

/** How a script makes a turn end in trouble. */
export type ScriptedTrouble =
  /** Without a time, the end of the limit is unknown. */
  | {
      readonly kind: "usage-limit";
      readonly resetsInMs?: number | undefined;
      readonly detail?: string | undefined;
    }
  | {
      readonly kind: "transient" | "blocking" | "budget" | "lost-conversation" | "unknown";
      readonly detail?: string | undefined;
    }
  /** Something was denied and the turn still ended by itself, as with a real headless agent. */
  | { readonly kind: "permission"; readonly tool: string; readonly rule: string };
