import { commandDriver } from "../../../src/agents/drivers/command/driver.ts";
import { CUT_OFF, EXIT_0, KILLED, type Candidate } from "../conformance.ts";

export const commandCandidate: Candidate = {
  driver: commandDriver("my-agent --quiet"),
  takes: ["args"],
  plainText: true,
  specimens: [
    {
      file: "command/finished.txt",
      ending: EXIT_0,
      expect: {
        trouble: null,
        lastMessage:
          "I read src/cart.js.\n\n    indented\nFixed: the quantity is multiplied in.\n\nEXIT_SIGNAL: true",
        conversation: null,
        toolUses: null,
        bill: { usd: null, usage: [] },
      },
    },
    { file: "command/silent.txt", ending: EXIT_0, expect: { trouble: null, lastMessage: null } },
    {
      file: "command/failed.txt",
      ending: {
        type: "exited",
        code: 2,
        stderr: "usage: my-agent\nmy-agent: \u001b[31mno key\u001b[0m\n",
      },
      expect: {
        trouble: { kind: "unknown", detail: "the program failed (exit code 2): my-agent: no key" },
        lastMessage: "I began.",
      },
    },
    {
      file: "command/silent.txt",
      ending: { type: "exited", code: 127, stderr: "sh: 1: my-agent: not found\n" },
      expect: {
        trouble: {
          kind: "blocking",
          detail: "the program cannot be run (exit code 127): sh: 1: my-agent: not found",
        },
      },
    },
    {
      file: "command/silent.txt",
      ending: { type: "exited", code: 126, stderr: "" },
      expect: { trouble: { kind: "blocking", detail: "the program cannot be run (exit code 126)" } },
    },
    {
      file: "command/failed.txt",
      ending: { type: "exited", code: 75, stderr: "" },
      expect: { trouble: { kind: "transient", detail: "the program asks for a retry (exit code 75)" } },
    },
    {
      file: "command/failed.txt",
      ending: KILLED,
      expect: { trouble: { kind: "unknown", detail: "the program was ended by SIGKILL" } },
    },
    {
      file: "command/failed.txt",
      ending: CUT_OFF,
      expect: { trouble: { kind: "interrupted", detail: "it was stopped" } },
    },
  ],
};
