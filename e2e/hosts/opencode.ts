import { opencodeAgent } from "../agents/opencode.ts";
import type { HostedClient } from "./hosted-client.ts";

export const opencodeClient: HostedClient = {
  id: "opencode",
  bin: opencodeAgent.bin,
  folder: ".config/opencode",
  startModel: (moves) => opencodeAgent.startModel(moves),
  environment: (home, model) => opencodeAgent.environment(home, model),
  command: (prompt, conversation) => [
    "opencode",
    "run",
    "--auto",
    ...(conversation === null ? [] : ["--session", conversation]),
    prompt,
  ],
  takesPrompts: true,
  isOwnRecord: () => false,
  mostHolds: null,
  hookLimit: { file: ".config/opencode/plugins/loop.js", written: (seconds) => `stop: ${seconds},` },
  inTerminal: {
    command: ["opencode"],
    ready: /Ask anything/,
    asks: [],
    shows: ["hold"],
  },
};
