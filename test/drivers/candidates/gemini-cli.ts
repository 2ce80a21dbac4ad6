import { geminiCli } from "../../../src/agents/drivers/gemini-cli/driver.ts";
import { EXIT_0, EXIT_1, KILLED, type Candidate } from "../conformance.ts";

const work = (name: string, lastMessage: string | null, input: number, more: object = {}) => ({
  file: `gemini-cli/${name}.jsonl`,
  ending: EXIT_0,
  expect: {
    trouble: null,
    lastMessage,
    bill: { usd: null, usage: [{ model: "gemini-2.5-flash", usage: { input } }] },
    ...more,
  },
});

const failure = (name: string, kind: string, more: object = {}) => ({
  file: `gemini-cli/${name}.jsonl`,
  ending: EXIT_1,
  expect: { trouble: { kind }, lastMessage: null, ...more },
});

export const geminiCliCandidate: Candidate = {
  driver: geminiCli,
  takes: ["args", "model", "permissionMode"],
  permissionMode: "yolo",
  specimens: [
    work("finished", "All is done here.", 6500, { toolUses: 6, denials: [] }),
    work("resumed", "I went on.", 1000),
    work("stopped-loop", null, 4000),
    work("turn-limit", null, 2000),
    work("plan-mode", "Only planned.", 2000, {
      denials: [{ tool: "write_file", rule: "--permission-mode auto_edit" }],
    }),
    work("denied", "I was not allowed to.", 4000, { toolUses: 0 }),
    work("denied-shell", "I wrote it.", 3000, { toolUses: 1 }),
    failure("empty-answer", "transient"),
    failure("internal-error", "transient"),
    failure("no-network", "transient"),
    failure("overloaded", "transient"),
    failure("forbidden", "blocking"),
    failure("invalid-key", "blocking"),
    failure("unauthenticated", "blocking"),
    failure("unknown-model", "blocking"),
    failure("daily-quota", "usage-limit"),
    failure("quota", "usage-limit"),
    failure("quota-resets-after", "usage-limit"),
    failure("quota-with-delay", "usage-limit", { bill: { usage: [{ usage: { input: 1000 } }] } }),
    failure("too-long", "lost-conversation"),
    { ...failure("asked-to-end", "interrupted"), ending: EXIT_0 },
    { ...failure("killed", "interrupted"), ending: KILLED },
  ],
};
