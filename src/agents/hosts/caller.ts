import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { AGENTS_WITHOUT_HOOKS, HOSTS } from "./hosts.ts";

/** Who runs the program: a person in a terminal, or an agent in one of its sessions. */
export type Caller =
  | { readonly kind: "person" }
  | { readonly kind: "agent"; readonly host: string; readonly session: SessionId | null };

/** By the name of its program, or of the package that an interpreter runs. */
const PROGRAMS: { readonly [name: string]: string } = {
  claude: "claude-code",
  "claude-code": "claude-code",
  codex: "codex",
  gemini: "gemini-cli",
  "gemini-cli": "gemini-cli",
  qwen: "qwen-code",
  "qwen-code": "qwen-code",
  opencode: "opencode",
  "opencode-ai": "opencode",
  "cursor-agent": "cursor",
};
const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*)$/;

/** The agent whose program a command runs; null: none that is known. */
export function agentProgram([first = "", second = ""]: readonly string[]): string | null {
  const [program = ""] = namesIn(first).slice(-1);
  const names = INTERPRETER.test(program) ? namesIn(second) : [program];
  return (
    names
      .map((name) => (Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined))
      .find((id) => id !== undefined) ?? null
  );
}

function namesIn(path: string): readonly string[] {
  return path.split("/").map((name) => name.replace(/\.(?:[cm]?js|exe)$/, ""));
}

export function callerOf(env: NodeJS.ProcessEnv): Caller {
  // An agent that we drive ourselves: its session is the run.
  const session = parseSessionId(env["LOOP_SESSION"]);
  if (session !== null) return { kind: "agent", host: "loop", session };
  for (const { id, marks } of [...HOSTS, ...AGENTS_WITHOUT_HOOKS]) {
    const found = marks.find(({ mark }) => !["", "0", undefined].includes(env[mark]));
    if (found === undefined) continue;
    return {
      kind: "agent",
      host: id,
      session: found.session === undefined ? null : parseSessionId(env[found.session]),
    };
  }
  // Anything a check starts isn't a person either: an agent may have written it.
  const [run] = (env["LOOP_RUN_ID"] ?? "").split(" ");
  return run === undefined || run === ""
    ? { kind: "person" }
    : { kind: "agent", host: "loop", session: parseSessionId(run) };
}
