const WHEN = "If a check contradicts the spec or cannot pass, don't change or delete it";
const COMMAND = "`loop blocked --check NAME REASON`";
const COMPARED =
  "Tests, scripts and configuration that decide a check are compared with their state at the start; new tests are welcome.";

/** Included wherever an agent in a session reads about its loop. Agents that may say "this cannot be done" cheat far less. */
export const WAY_OUT = `${WHEN}: run ${COMMAND}. ${COMPARED}`;

/** The same for a driven agent: not every agent may run commands, but each has a status block. */
export const WAY_OUT_OF_TURN = `${WHEN}: write BLOCKED: {"NAME": "REASON"} into the status block, or run ${COMMAND}. ${COMPARED}`;
