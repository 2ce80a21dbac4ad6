/** Where node and the program `loop` lie, absolute. */
interface McpProgram {
  readonly node: string;
  readonly cli: string;
}

/** The command that a client starts as its MCP server. */
function mcpCommand({ node, cli }: McpProgram): readonly [string, ...string[]] {
  return [node, cli, "mcp"];
}

/** How to add our MCP server to each client. A check may take long, so the limits are high. */
export function mcpSetup(program: McpProgram): string {
  const [command, ...args] = mcpCommand(program);
  const json = (value: object): string => JSON.stringify(value);
  return [
    "# Codex, in ~/.codex/config.toml",
    "[mcp_servers.loop]",
    `command = ${json([command]).slice(1, -1)}`,
    `args = ${json(args)}`,
    // Codex starts its servers with few variables.
    'env_vars = ["XDG_STATE_HOME"]',
    'default_tools_approval_mode = "approve"',
    "tool_timeout_sec = 3600",
    "",
    "# Gemini CLI, in ~/.gemini/settings.json, and Qwen Code, in ~/.qwen/settings.json",
    json({ mcpServers: { loop: { command, args, timeout: 3_600_000, trust: true } } }),
    "",
    "# Copilot CLI, in ~/.copilot/mcp-config.json",
    json({ mcpServers: { loop: { type: "local", command, args, tools: ["*"], timeout: 3_600_000 } } }),
    "",
    "# opencode, in ~/.config/opencode/opencode.json",
    json({
      mcp: { loop: { type: "local", command: [command, ...args], enabled: true, timeout: 3_600_000 } },
    }),
    "",
    "# Claude Code",
    `claude mcp add loop -- ${[command, ...args].map((word) => (/^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ")}`,
  ].join("\n");
}
