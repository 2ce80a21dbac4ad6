import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { copilotAgent, qwenCodeAgent } from "./agents/acp.ts";
import type { ScriptedAgent } from "./agents/agent.ts";
import { codexAgent } from "./agents/codex.ts";
import { geminiCliAgent } from "./agents/gemini-cli.ts";
import { opencodeAgent } from "./agents/opencode.ts";
import { CLI } from "./world.ts";

/** A real client with our MCP server in its settings, as `loop mcp --setup` says. */
export interface McpClient {
  readonly agent: ScriptedAgent;
  /** What the client calls one of our tools. */
  tool(name: string): string;
  /** Adds the server to its settings; returns variables that it needs. */
  setUp(home: string, env: { readonly [name: string]: string }): { readonly [name: string]: string };
  /** One headless prompt. */
  readonly argv: readonly [string, ...string[]];
}

const COMMAND = process.execPath;
const ARGS = [CLI, "mcp"];

function addToSettings(path: string, more: object): void {
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...more }));
}

export const codexMcp: McpClient = {
  agent: codexAgent,
  tool: (name) => `mcp__loop/${name}`,
  setUp(home) {
    appendFileSync(
      join(home, ".codex", "config.toml"),
      `
[mcp_servers.loop]
command = ${JSON.stringify(COMMAND)}
args = ${JSON.stringify(ARGS)}
env_vars = ["XDG_STATE_HOME"]
default_tools_approval_mode = "approve"

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
  tool: (name) => `mcp_loop_${name}`,
  setUp(home) {
    addToSettings(join(home, ".gemini", "settings.json"), {
      mcpServers: { loop: { command: COMMAND, args: ARGS, trust: true } },
    });
    return { GEMINI_CLI_TRUST_WORKSPACE: "true" };
  },
  argv: ["gemini", "--prompt=Do the work.", "--output-format=json"],
};

export const qwenMcp: McpClient = {
  agent: qwenCodeAgent,
  tool: (name) => `mcp__loop__${name}`,
  setUp(home) {
    addToSettings(join(home, ".qwen", "settings.json"), {
      mcpServers: { loop: { command: COMMAND, args: ARGS, trust: true } },
    });
    return {};
  },
  argv: ["qwen", "--prompt=Do the work."],
};

export const copilotMcp: McpClient = {
  agent: copilotAgent,
  tool: (name) => `loop-${name}`,
  setUp(home) {
    const path = join(home, ".copilot", "mcp-config.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      JSON.stringify({
        mcpServers: { loop: { type: "local", command: COMMAND, args: ARGS, tools: ["*"] } },
      }),
    );
    return {};
  },
  argv: ["copilot", "--prompt=Do the work.", "--allow-tool=loop"],
};

export const opencodeMcp: McpClient = {
  agent: opencodeAgent,
  tool: (name) => `loop_${name}`,
  setUp(_, { OPENCODE_CONFIG_CONTENT = "{}" }) {
    const mcp = { loop: { type: "local", command: [COMMAND, ...ARGS], enabled: true } };
    return {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...(JSON.parse(OPENCODE_CONFIG_CONTENT) as object), mcp }),
    };
  },
  argv: ["opencode", "run", "--format=json", "Do the work."],
};
