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
  // An agent that we drive ourselves: its session is the run.
  const session = parseSessionId(env["LOOP_SESSION"]);
  if (session !== null) return { kind: "agent", host: "loop", session };
  for (const { host, mark, session: named } of MARKS) {
    if (env[mark] === undefined || env[mark] === "" || env[mark] === "0") continue;
    return { kind: "agent", host, session: named === undefined ? null : parseSessionId(env[named]) };
  }
  // Whatever a check starts, which an agent may have written, is no person either.
  const [run] = (env["LOOP_RUN_ID"] ?? "").split(" ");
  return run === undefined || run === ""
    ? { kind: "person" }
    : { kind: "agent", host: "loop", session: parseSessionId(run) };
}
