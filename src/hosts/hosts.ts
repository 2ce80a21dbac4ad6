import { claudeCode } from "./claude-code/host.ts";
import type { EnvironmentMark, Host } from "./host.ts";
import type { Payload } from "./payload.ts";

/** Every host there is; a new one is a folder beside `claude-code` and a line here. */
export const HOSTS: readonly Host[] = [claudeCode];

/** Whose form others copy, so that it is the best guess where a host says nothing about itself. */
export const DEFAULT_HOST: Host = claudeCode;

/** Agents that do not call us through hooks, known by their shells all the same. */
export const AGENTS_WITHOUT_HOOKS: readonly {
  readonly id: string;
  readonly marks: readonly EnvironmentMark[];
}[] = [
  { id: "gemini-cli", marks: [{ mark: "GEMINI_CLI", session: "GEMINI_SESSION_ID" }] },
  { id: "qwen-code", marks: [{ mark: "QWEN_CODE" }] },
  { id: "opencode", marks: [{ mark: "OPENCODE" }] },
  { id: "codex", marks: [{ mark: "CODEX_SANDBOX" }, { mark: "CODEX_THREAD_ID" }] },
  { id: "cursor", marks: [{ mark: "CURSOR_AGENT" }] },
];

export function findHost(id: string | null | undefined): Host | null {
  return HOSTS.find((host) => host.id === id) ?? null;
}

/** Who calls: what the payload shows comes before what the settings say. */
export function recogniseHost(payload: Payload, named: string | null, hosts = HOSTS): Host {
  const found = hosts.find((host) => host.recognises(payload)) ?? hosts.find(({ id }) => id === named);
  return found ?? DEFAULT_HOST;
}
