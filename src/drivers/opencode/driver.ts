import type { Driver } from "../driver.ts";
import { launchOf } from "./command.ts";
import { readEvents } from "./stream.ts";

/** opencode: `opencode run --format=json`. */
export const opencode: Driver = {
  id: "opencode",
  title: "opencode",
  program: "opencode",
  keepsConversations: true,
  command: launchOf,
  readStream: readEvents,
};
