import { join } from "node:path";
import { KEY, MODEL, PACKAGES, proxied, startChat, writeJson } from "./chat-clients.ts";
import { CLI } from "../world.ts";
import type { HostedClient } from "./hosted-client.ts";

/** `droid exec` asks its maker for a conversation that it should continue; over the protocol for editors it doesn't. */
const GOING_ON =
  'printf %s "$1" | "$2" "$3" speak-acp --permission-mode=allow --conversation="$4" -- droid exec --output-format acp';

export const droidClient: HostedClient = {
  id: "droid",
  bin: join(PACKAGES, "@factory", "cli-linux-x64", "bin"),
  folder: ".factory",
  startModel: (moves) =>
    startChat(moves, {
      write: (path, text) => ({ name: "Create", input: { file_path: path, content: text } }),
      run: (command) => ({
        name: "Execute",
        input: { command, riskLevel: "low", riskLevelReason: "Scripted", summary: "Scripted", timeout: 60 },
      }),
    }),
  environment(home, model) {
    writeJson(join(home, ".factory", "settings.json"), {
      model: "custom:scripted-0",
      customModels: [
        {
          model: MODEL,
          id: "custom:scripted-0",
          index: 0,
          displayName: "Scripted",
          baseUrl: `${model.url}/v1`,
          apiKey: KEY,
          provider: "generic-chat-completion-api",
          maxOutputTokens: 4000,
        },
      ],
      enableDroidShield: false,
      cloudSessionSync: false,
    });
    return {
      ...proxied(home, model),
      FACTORY_API_KEY: "fk-fake",
      FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
    };
  },
  command: (prompt, conversation) =>
    conversation === null
      ? ["droid", "exec", "--skip-permissions-unsafe", "-m", "custom:scripted-0", prompt]
      : ["sh", "-c", GOING_ON, "sh", prompt, process.execPath, CLI, conversation],
  takesPrompts: false,
  isOwnRecord: (path) => /sessions\/|logs\/|cache/.test(path),
  mostHolds: null,
  hookLimit: { file: ".factory/settings.json", written: (seconds) => `"timeout": ${seconds}` },
};
