/** The words of `loop` that an agent at work needs. The others are a person's, or open loops of their own. */
export const LOOP_WORDS = ["check", "done", "blocked", "status", "criteria", "step"] as const;
