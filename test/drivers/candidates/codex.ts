import { codex } from "../../../src/agents/drivers/codex/driver.ts";
import { CUT_OFF, EXIT_0, EXIT_1, KILLED, type Candidate } from "../conformance.ts";

const work = (name: string, more: object = {}) => ({
  file: `codex/${name}.jsonl`,
  ending: EXIT_0,
  expect: { trouble: null, lastMessage: "Done.", ...more },
});

const failure = (name: string, kind: string, more: object = {}) => ({
  file: `codex/${name}.jsonl`,
  ending: EXIT_1,
  expect: { trouble: { kind }, bill: { usd: null, usage: [] }, ...more },
});

export const codexCandidate: Candidate = {
  driver: codex,
  takes: ["args", "model", "permissionMode"],
  permissionMode: "read-only",
  specimens: [
    work("finished", { toolUses: 3 }),
    work("first", { toolUses: 1 }),
    work("resumed", { toolUses: 1 }),
    work("code-mode", { toolUses: 3 }),
    work("mcp", { toolUses: 3 }),
    work("read-only", { toolUses: 1 }),
    work("no-sandbox", { denials: [{ tool: "apply_patch", rule: "--permission-mode danger-full-access" }] }),
    failure("at-capacity", "transient"),
    failure("disconnected", "transient"),
    failure("high-demand", "transient"),
    failure("unavailable", "transient"),
    failure("context-window", "lost-conversation"),
    failure("quota", "blocking"),
    failure("unauthorized", "blocking"),
    failure("unknown-model", "blocking"),
    failure("rate-limit", "usage-limit"),
    failure("too-many-requests", "usage-limit", { trouble: { kind: "usage-limit", resetsAt: null } }),
    failure("usage-limit", "usage-limit"),
    failure("usage-limit-days", "usage-limit"),
    failure("refused-request", "unknown"),
    {
      file: "codex/killed.jsonl",
      ending: KILLED,
      expect: { trouble: { kind: "interrupted" }, lastMessage: null },
    },
    {
      file: "codex/unreachable.jsonl",
      ending: CUT_OFF,
      expect: { trouble: { kind: "interrupted" }, lastMessage: null },
    },
  ],
};
