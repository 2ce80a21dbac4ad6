import type { SessionId } from "../core/id.ts";
import { parseSessionId } from "../core/id.ts";

/** Who runs the program: a person in a terminal, or an agent in one of its sessions. */
export type Caller =
  | { readonly kind: "person" }
  | { readonly kind: "agent"; readonly host: string; readonly session: SessionId | null };

/** The variables that a host sets in the shells of its agent. */
const MARKS: readonly { readonly host: string; readonly mark: string; readonly session?: string }[] = [
  { host: "claude-code", mark: "CLAUDECODE", session: "CLAUDE_CODE_SESSION_ID" },
  { host: "gemini-cli", mark: "GEMINI_CLI", session: "GEMINI_SESSION_ID" },
  { host: "qwen-code", mark: "QWEN_CODE" },
  { host: "opencode", mark: "OPENCODE" },
  { host: "codex", mark: "CODEX_SANDBOX" },
  { host: "codex", mark: "CODEX_THREAD_ID" },
  { host: "cursor", mark: "CURSOR_AGENT" },
];

export function callerOf(env: NodeJS.ProcessEnv): Caller {
  for (const { host, mark, session } of MARKS) {
    if (env[mark] === undefined || env[mark] === "" || env[mark] === "0") continue;
    return { kind: "agent", host, session: session === undefined ? null : parseSessionId(env[session]) };
  }
  return { kind: "person" };
}
