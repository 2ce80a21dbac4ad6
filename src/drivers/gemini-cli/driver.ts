import type { Driver } from "../driver.ts";
import { launchOf } from "./command.ts";
import { readStream } from "./stream.ts";

export const geminiCli: Driver = {
  id: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  keepsConversations: true,
  command: launchOf,
  readStream,
};
