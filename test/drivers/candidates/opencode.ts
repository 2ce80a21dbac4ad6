import { opencode } from "../../../src/agents/drivers/opencode/driver.ts";
import { EXIT_0, EXIT_1, KILLED, type Candidate } from "../conformance.ts";

const work = (name: string, lastMessage: string | null, usd: number | null, more: object = {}) => ({
  file: `opencode/${name}.jsonl`,
  ending: EXIT_0,
  expect: { trouble: null, lastMessage, bill: { usd }, ...more },
});

const failure = (name: string, kind: string, more: object = {}) => ({
  file: `opencode/${name}.jsonl`,
  ending: EXIT_1,
  expect: { trouble: { kind }, lastMessage: null, ...more },
});

export const opencodeCandidate: Candidate = {
  driver: opencode,
  takes: ["args", "model", "permissionMode"],
  permissionMode: "auto",
  specimens: [
    work("finished", "All done.", 0.01824, { toolUses: 3 }),
    work("edits", "Edited.", 0.0228, { toolUses: 3 }),
    work("patch", "Patched.", null, { toolUses: 1 }),
    work("no-price", "Free.", null),
    work("resumed", "Second.", 0.00456),
    work("subagent", "Main answer.", 0.00912, { toolUses: 1 }),
    // The sixth line ends a summary of the conversation, and could as well end the turn.
    { ...work("summed-up", "Final.", 0.03912), falseEnds: [6] },
    work("too-long-summed-up", "After.", 0.00912),
    work("timed-out-command", "Slow.", 0.00912, { toolUses: 1 }),
    work("cut-short", "Half", 0.000105),
    work("outside", null, 0.00456, { toolUses: 0 }),
    work("denied", "Writing.", 0.00456, {
      denials: [{ tool: "write", rule: "edit" }],
    }),
    work("denied-two", null, 0.000105),
    work("denied-by-rule", "Could not.", 0.00912),
    failure("overloaded", "transient"),
    failure("unavailable", "transient"),
    failure("unreachable", "transient"),
    failure("no-such-model", "blocking"),
    failure("unauthorized", "blocking"),
    failure("unpaid", "blocking"),
    failure("unpaid-quota", "blocking"),
    failure("rate-limit", "usage-limit"),
    failure("rate-limit-bare", "usage-limit"),
    failure("rate-limit-ms", "usage-limit"),
    failure("too-long", "lost-conversation"),
    failure("bad-request", "unknown"),
    failure("unknown-model", "unknown"),
    failure("broken-off", "unknown", { lastMessage: "Half" }),
    { ...failure("killed", "interrupted", { lastMessage: "Sleeping." }), ending: KILLED },
  ],
};
