import type { Driver } from "../driver.ts";
import { launchOf } from "./command.ts";
import { permits } from "./permissions.ts";
import { readStream } from "./stream.ts";

export const geminiCli: Driver = {
  id: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  keepsConversations: true,
  capsItself: false,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: "run_shell_command(npm test)",
  readStream,
};
