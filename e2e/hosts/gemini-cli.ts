import { geminiCliAgent } from "../agents/gemini-cli.ts";
import type { HostedClient } from "./hosted-client.ts";

export const geminiCliClient: HostedClient = {
  id: "gemini-cli",
  bin: geminiCliAgent.bin,
  folder: ".gemini",
  startModel: (moves) => geminiCliAgent.startModel(moves),
  environment: (home, model) => ({
    ...geminiCliAgent.environment(home, model),
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  command: (prompt, conversation) => [
    "gemini",
    "--yolo",
    ...(conversation === null ? [] : ["--resume", conversation]),
    "-p",
    prompt,
  ],
  takesPrompts: true,
  isOwnRecord: (path) => /tmp\/|history/.test(path),
  mostHolds: null,
  inTerminal: {
    command: ["gemini", "--yolo"],
    ready: /Type your message/,
    asks: [],
    shows: ["hold", "end"],
  },
  hookLimit: { file: ".gemini/settings.json", written: (seconds) => `"timeout":${seconds * 1000}` },
};
