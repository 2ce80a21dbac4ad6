/**
 * What our helper prints while it speaks with an agent, one JSON object a line: the agent's messages as they came, and what we
 * answered. The agent's own output never reaches ours, so it cannot make such a line.
 */
export type AcpLine =
  /** The session is open, and the turn begins. */
  | {
      readonly type: "opened";
      readonly session: string;
      readonly agent: string;
      readonly model: string | null;
    }
  /** The `update` of a `session/update`. */
  | { readonly type: "update"; readonly update: object }
  /** The agent asked for a permission. */
  | { readonly type: "answered"; readonly call: object; readonly allowed: boolean }
  /** The result of `session/prompt`. */
  | { readonly type: "ended"; readonly result: unknown }
  | {
      readonly type: "failed";
      readonly step: Step;
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    }
  /** The agent's process ended before the turn did. */
  | {
      readonly type: "gone";
      readonly step: Step;
      readonly code: number | null;
      readonly signal: string | null;
    };

/** Where in the dialogue: before the session, while an old one is loaded, its settings, or the turn itself. */
export type Step = "start" | "open" | "resume" | "set" | "prompt";
