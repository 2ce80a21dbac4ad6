import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChatCompletions, type ClientTools } from "../agents/chat-completions-server.ts";
import type { Move, ScriptedModel } from "../agents/agent.ts";

export const PACKAGES = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");
export const BIN = join(PACKAGES, ".bin");
/** Some clients need a newer Node than the tests. */
export const NODE_22 = join(PACKAGES, "node22", "bin");
export const MODEL = "scripted-model";
export const KEY = "fake-for-the-scripted-model";

export async function startChat(moves: readonly Move[], tools: ClientTools): Promise<ScriptedModel> {
  return startChatCompletions(moves, {
    usage: { input: 1000, output: 100 },
    tools,
    failureHeaders: { "retry-after-ms": "1" },
  });
}

/** Whatever is meant for elsewhere comes to the server too, which refuses it and remembers. */
export function proxied(home: string, model: ScriptedModel): { readonly [name: string]: string } {
  return { HTTP_PROXY: model.url, HTTPS_PROXY: model.url, NO_PROXY: "127.0.0.1", TMPDIR: home };
}

export function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
