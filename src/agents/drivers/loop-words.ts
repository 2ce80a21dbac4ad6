/** The `loop` subcommands an agent needs at work. The others are for people, or open new loops. */
export const LOOP_WORDS = ["check", "done", "blocked", "status", "criteria", "step"] as const;
