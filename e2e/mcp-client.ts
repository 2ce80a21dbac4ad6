import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { copilotAgent, qwenCodeAgent } from "./agents/acp.ts";
import type { ScriptedAgent } from "./agents/agent.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { codexAgent } from "./agents/codex.ts";
import { geminiCliAgent } from "./agents/gemini-cli.ts";
import { opencodeAgent } from "./agents/opencode.ts";
import { CLI } from "./world.ts";

/** A real client with our MCP server in its settings, as `loop install --mcp` or its own command writes it. */
export interface McpClient {
  readonly agent: ScriptedAgent;
  /** What the client calls one of our tools. */
  tool(name: string): string;
  /** As in `loop install ID --mcp`. */
  readonly host: string;
  /** The client's own command that adds the server, where `loop install` adds the hooks alone. */
  readonly adding?: readonly [string, ...string[]];
  /** What it needs besides; returns variables. */
  setUp?(home: string): { readonly [name: string]: string };
  /** One headless prompt. */
  readonly argv: readonly [string, ...string[]];
}

export const codexMcp: McpClient = {
  agent: codexAgent,
  host: "codex",
  tool: (name) => `mcp__loop/${name}`,
  setUp(home) {
    appendFileSync(
      join(home, ".codex", "config.toml"),
      `
# The state home of these tests lies in /tmp.
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
`,
    );
    // Its sandbox needs a helper beside its settings, and makes none in a temporary folder.
    const TMPDIR = join(home, "tmp");
    mkdirSync(TMPDIR);
    return { TMPDIR };
  },
  argv: ["codex", "exec", "--json", "--skip-git-repo-check", "-s", "workspace-write", "--", "Do the work."],
};

export const geminiMcp: McpClient = {
  agent: geminiCliAgent,
  host: "gemini-cli",
  tool: (name) => `mcp_loop_${name}`,
  setUp: () => ({ GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  argv: ["gemini", "--prompt=Do the work.", "--output-format=json"],
};

export const qwenMcp: McpClient = {
  agent: qwenCodeAgent,
  host: "qwen-code",
  tool: (name) => `mcp__loop__${name}`,
  argv: ["qwen", "--prompt=Do the work."],
};

export const copilotMcp: McpClient = {
  agent: copilotAgent,
  host: "copilot",
  tool: (name) => `loop-${name}`,
  argv: ["copilot", "--prompt=Do the work.", "--allow-tool=loop"],
};

export const opencodeMcp: McpClient = {
  agent: opencodeAgent,
  host: "opencode",
  tool: (name) => `loop_${name}`,
  argv: ["opencode", "run", "--format=json", "Do the work."],
};

export const claudeMcp: McpClient = {
  agent: claudeCodeAgent,
  host: "claude-code",
  adding: ["claude", "mcp", "add", "--scope", "user", "loop", "--", process.execPath, CLI, "mcp"],
  tool: (name) => `mcp__loop__${name}`,
  argv: ["claude", "--permission-mode=acceptEdits", "--allowedTools=mcp__loop", "-p", "Do the work."],
};
