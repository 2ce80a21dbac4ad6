import { acpDriver } from "../../../src/agents/drivers/acp/driver.ts";
import { expect } from "vitest";
import { CUT_OFF, EXIT_0, EXIT_1, OVER_AT, type Candidate } from "../conformance.ts";

const work = (name: string, more: object) => ({
  file: `acp/${name}.jsonl`,
  ending: EXIT_0,
  expect: { trouble: null, ...more },
});

const failure = (name: string, kind: string, more: object = {}) => ({
  file: `acp/${name}.jsonl`,
  ending: EXIT_1,
  expect: { trouble: { kind, ...more } },
});

const used = (model: string | null, input: number, output: number) => ({
  usd: null,
  usage: [{ model, usage: { input, output } }],
});

/** What our helper printed in turns with the real agents. */
export const acpCandidate: Candidate = {
  driver: acpDriver("some-agent --acp", ["node", "cli.js", "speak-acp"]),
  takes: ["args", "model", "permissionMode"],
  permissionMode: "yolo",
  specimens: [
    work("gemini-worked", { toolUses: 3, denials: [], bill: used("gemini-2.5-flash", 4000, 400) }),
    work("qwen-worked", { toolUses: 3, bill: used("gpt-5", 4000, 400) }),
    work("codex-worked", { bill: used("gpt-5.5", 4000, 400) }),
    work("copilot-denied", {
      toolUses: 2,
      denials: [{ tool: "ls nothing-there", rule: "execute(ls nothing-there)" }],
      bill: used(null, 3000, 300),
    }),
    // It tells the tokens of its last answer alone, and the dollars of all.
    work("opencode-worked", { toolUses: 2, bill: { usd: expect.closeTo(0.0135) as number } }),
    failure("gemini-overloaded", "transient"),
    failure("gemini-forgot", "lost-conversation"),
    failure("gemini-invalid-key", "blocking"),
    failure("gemini-limit", "usage-limit", { resetsAt: OVER_AT + 4_000 }),
    failure("gemini-too-long", "lost-conversation"),
    failure("opencode-limit", "usage-limit", { resetsAt: null }),
    failure("opencode-invalid-key", "blocking"),
    failure("opencode-overloaded", "transient"),
    // These two say a failure as if it were their answer.
    failure("copilot-overloaded", "transient"),
    failure("copilot-invalid-key", "blocking"),
    failure("copilot-limit", "usage-limit", { resetsAt: null }),
    failure("copilot-limit-midway", "usage-limit", { resetsAt: OVER_AT + 4_000 }),
    failure("copilot-too-long", "lost-conversation"),
    failure("codex-overloaded", "transient"),
    failure("codex-invalid-key", "blocking"),
    failure("codex-limit", "usage-limit", { resetsAt: OVER_AT + 4_000 }),
    failure("codex-too-long", "lost-conversation"),
    { ...failure("gemini-overloaded", "transient"), ending: CUT_OFF },
  ],
};
