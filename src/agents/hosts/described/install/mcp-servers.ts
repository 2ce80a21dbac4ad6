/** Where a client looks for MCP servers: a file in its folder. */
export type McpDescription =
  /** `entry` is what it wants beside the command. */
  | {
      readonly form: "json";
      readonly file: string;
      /** The name of the object with all servers. */
      readonly under: string;
      readonly entry: object;
      /** The arguments are part of `command`. */
      readonly isCommandList?: true;
    }
  /** Tables of Codex. */
  | { readonly form: "toml"; readonly file: string };

/** A check may take long. */
export const MCP_SECONDS = 3600;
const timeout = MCP_SECONDS * 1000;

const GEMINI: McpDescription = {
  form: "json",
  file: "settings.json",
  under: "mcpServers",
  entry: { timeout, trust: true },
};

/** The clients that `loop mcp` was tried in, by their id. */
export const MCP_SERVERS: { readonly [id: string]: McpDescription } = {
  codex: { form: "toml", file: "config.toml" },
  "gemini-cli": GEMINI,
  "qwen-code": GEMINI,
  copilot: {
    form: "json",
    file: "mcp-config.json",
    under: "mcpServers",
    entry: { type: "local", tools: ["*"], timeout },
  },
  opencode: {
    form: "json",
    file: "opencode.json",
    under: "mcp",
    entry: { type: "local", enabled: true, timeout },
    isCommandList: true,
  },
};
