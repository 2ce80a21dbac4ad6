import { rehearsalDriver } from "../../../src/agents/drivers/rehearsal/driver.ts";
import { EXIT_0, EXIT_1, KILLED, OVER_AT, type Candidate } from "../conformance.ts";

const FREE_USAGE = { cacheWrite: 0, cacheWrite1h: 0, cacheRead: 0, webSearches: 0, inUs: false, fast: false };

export const rehearsalCandidate: Candidate = {
  driver: rehearsalDriver({ script: "scripts/cart.json", player: ["node", "cli.js", "rehearse"] }),
  takes: [],
  specimens: [
    {
      file: "rehearsal/finished.jsonl",
      ending: EXIT_0,
      expect: {
        trouble: null,
        lastMessage: "The cart is mended.\n\nEXIT_SIGNAL: true",
        conversation: "play-1",
        toolUses: 5,
        bill: {
          usd: 0.13,
          usage: [{ model: "rehearsed-1", usage: { ...FREE_USAGE, input: 1001, output: 201 } }],
        },
        reportedUsd: null,
        denials: [],
      },
    },
    {
      // Killed after its last word, and before it was gone.
      file: "rehearsal/finished.jsonl",
      ending: KILLED,
      expect: { trouble: null, lastMessage: "The cart is mended.\n\nEXIT_SIGNAL: true" },
    },
    {
      file: "rehearsal/finished.jsonl",
      ending: EXIT_1,
      expect: {
        trouble: {
          kind: "unknown",
          detail: "the player failed after its turn (exit code 1): something broke",
        },
      },
    },
    {
      file: "rehearsal/usage-limit.jsonl",
      ending: EXIT_1,
      expect: {
        trouble: { kind: "usage-limit", detail: "You have hit your limit", resetsAt: OVER_AT + 500 },
        lastMessage: null,
        bill: { usd: 0.02, usage: [] },
      },
    },
    {
      file: "rehearsal/limit-without-reset.jsonl",
      ending: EXIT_1,
      expect: { trouble: { kind: "usage-limit", detail: "the script says usage-limit", resetsAt: null } },
    },
    {
      file: "rehearsal/denied.jsonl",
      ending: EXIT_0,
      expect: {
        trouble: null,
        lastMessage: "I was not allowed to run the tests.",
        denials: [{ tool: "Bash", rule: "Bash(npm test)" }],
        bill: { usd: null, usage: [{ model: null, usage: { ...FREE_USAGE, input: 10, output: 3 } }] },
      },
    },
    {
      file: "rehearsal/broken-off.jsonl",
      ending: { type: "exited", code: 3, stderr: "" },
      expect: {
        trouble: { kind: "unknown", detail: "the player ended in the middle of its turn (exit code 3)" },
        lastMessage: null,
        bill: { usd: 0.2, usage: [] },
      },
    },
    {
      file: "rehearsal/lost-conversation.jsonl",
      ending: EXIT_1,
      expect: { trouble: { kind: "lost-conversation", detail: "the script says lost-conversation" } },
    },
    {
      file: "rehearsal/bad-script.jsonl",
      ending: EXIT_1,
      expect: {
        trouble: {
          kind: "blocking",
          detail: "the script bad.json cannot be played: turns[0].do[0].text is missing",
        },
      },
    },
  ],
};
