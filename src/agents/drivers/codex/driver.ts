import type { Driver } from "../driver.ts";
import { launchOf } from "./command.ts";
import { permits } from "./permissions.ts";
import { readEvents } from "./stream.ts";

/** OpenAI's Codex CLI: `codex exec --json`. */
export const codex: Driver = {
  id: "codex",
  title: "Codex",
  program: "codex",
  keepsConversations: true,
  capsItself: false,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: null,
  readStream: readEvents,
};
