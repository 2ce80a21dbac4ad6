import type { Driver } from "../driver.ts";
import { launchOf } from "./command.ts";
import { permits } from "./permissions.ts";
import { readEvents } from "./stream.ts";

/** opencode: `opencode run --format=json`. */
export const opencode: Driver = {
  id: "opencode",
  title: "opencode",
  program: "opencode",
  keepsConversations: true,
  capsItself: false,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: "bash(npm test)",
  readStream: readEvents,
};
