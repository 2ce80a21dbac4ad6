import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { codexAgent } from "../agents/codex.ts";
import type { HostedClient } from "./hosted-client.ts";

export const codexClient: HostedClient = {
  id: "codex",
  bin: codexAgent.bin,
  folder: ".codex",
  startModel: (moves) => codexAgent.startModel(moves),
  environment: (home, model) => codexAgent.environment(home, model),
  command: (prompt, conversation) => [
    "codex",
    "exec",
    ...(conversation === null ? [] : ["resume", conversation]),
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ],
  afterInstall: trustHooks,
  takesPrompts: true,
  isOwnRecord: (path) => /sessions\/|config\.toml$|\.sqlite|log/.test(path),
  mostHolds: null,
  inTerminal: {
    command: ["codex", "--dangerously-bypass-approvals-and-sandbox"],
    ready: /^› Ask Codex/m,
    asks: [
      { question: /Trust this folder\?/, keys: ["Enter"] },
      { question: /1\. Try new model/, keys: ["Escape"] },
    ],
    shows: ["end"],
  },
  hookLimit: { file: ".codex/hooks.json", written: (seconds) => `"timeout": ${seconds}` },
};

interface ListedHook {
  readonly key: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** What its user does with `/hooks`, as the client itself does it then. */
async function trustHooks(world: {
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
}): Promise<void> {
  const hooks = await listHooks(world);
  const state = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
  await askServer(world, "config/batchWrite", {
    edits: [{ keyPath: "hooks.state", value: state, mergeStrategy: "upsert" }],
  });
}

export async function listHooks(world: {
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
}): Promise<readonly ListedHook[]> {
  const { data } = (await askServer(world, "hooks/list", { cwds: [world.project] })) as {
    data: readonly { readonly hooks: readonly ListedHook[] }[];
  };
  return data.flatMap(({ hooks }) => hooks);
}

async function askServer(
  { env, project }: { readonly env: NodeJS.ProcessEnv; readonly project: string },
  method: string,
  params: object,
): Promise<unknown> {
  const child = spawn("codex", ["app-server"], { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] });
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    send({
      id: 1,
      method: "initialize",
      params: { clientInfo: { name: "test", title: "test", version: "1" } },
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line) as { id?: number; result?: unknown; error?: unknown };
      if (message.id === 1) {
        send({ method: "initialized" });
        send({ id: 2, method, params });
      }
      if (message.id !== 2) continue;
      if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
      return message.result;
    }
    throw new Error("codex app-server ended");
  } finally {
    child.kill();
  }
}

export const CODEX_HOOKS = join(".codex", "hooks.json");
