import { claudeCode } from "../../../src/agents/drivers/claude-code/driver.ts";
import { EXIT_0, EXIT_1, KILLED, type Candidate } from "../conformance.ts";

const work = (name: string, lastMessage: string, usd: number, more: object = {}) => ({
  file: `claude-code/${name}.jsonl`,
  ending: EXIT_0,
  expect: { trouble: null, lastMessage, bill: { usd }, ...more },
});

const failure = (name: string, kind: string, more: object = {}) => ({
  file: `claude-code/${name}.jsonl`,
  ending: EXIT_1,
  expect: { trouble: { kind }, ...more },
});

const DONE = "All done.\n\nEXIT_SIGNAL: true";

export const claudeCodeCandidate: Candidate = {
  driver: claudeCode,
  takes: ["args", "model", "permissionMode", "budgetUsd"],
  permissionMode: "acceptEdits",
  specimens: [
    work("finished", DONE, 0.0339, { toolUses: 5, denials: [] }),
    work("resumed", "Done again.", 0.015, { toolUses: 1 }),
    work("subagent", "All done.", 0.03, { toolUses: 3 }),
    work("denied", "I was not allowed to.", 0.0225, { toolUses: 7 }),
    work("output-limit", "Long", 0.03),
    work("turn-limit", "One.", 0.0075),
    // Background work that ended after the turn called the model back.
    { ...work("background", "It is over.", 0.0225), falseEnds: [26, 27, 28] },
    failure("budget", "budget", { lastMessage: "One.", bill: { usd: 0.015 } }),
    failure("not-your-limit", "transient", { lastMessage: null }),
    failure("overloaded", "transient"),
    failure("unreachable", "transient", { lastMessage: null }),
    failure("invalid-key", "blocking", { lastMessage: null }),
    failure("no-credit", "blocking", { lastMessage: null }),
    failure("not-logged-in", "blocking", { lastMessage: null }),
    failure("refusal", "blocking"),
    failure("unknown-model", "blocking", { lastMessage: null }),
    failure("rate-limit", "usage-limit", { lastMessage: null }),
    failure("usage-limit", "usage-limit"),
    failure("too-long", "lost-conversation", { lastMessage: null }),
    failure("unknown-session", "lost-conversation", { lastMessage: null }),
    {
      ...failure("session-in-use", "lost-conversation", { lastMessage: null }),
      ending: { type: "exited", code: 1, stderr: "Error: Session ID talk-1 is already in use.\n" },
    },
    failure("bad-request", "unknown", { lastMessage: null }),
    { ...failure("interrupted", "interrupted"), ending: EXIT_0 },
    { ...failure("killed", "interrupted"), ending: KILLED },
  ],
};
