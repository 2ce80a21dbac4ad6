import { dirname, join } from "node:path";
import { append, remove, wasEmpty } from "../../install/json-text.ts";
import { closed, opened } from "../../install/made-text.ts";
import { parseWithComments, readHookSettings } from "../../install/hook-groups.ts";
import type { Program } from "../../install/installer.ts";
import { SettingsError } from "../../install/settings-file.ts";
import { MCP_SECONDS, type McpDescription } from "./mcp-servers.ts";
import { tomlBlock } from "./toml-block.ts";

/** How our MCP server gets into a file of the client and out of it again. null: there is no such file. */
export interface McpFile {
  with(text: string | null, program: Program): string;
  /** The same bytes as before. */
  without(text: string): string | null;
  has(text: string): boolean;
}

const NAME = "loop";

export function mcpFileOf(mcp: McpDescription): McpFile {
  return mcp.form === "toml" ? tomlFile() : jsonFile(mcp);
}

/** What to add to such a file by hand. */
export function mcpByHand(mcp: McpDescription, program: Program): readonly string[] {
  if (mcp.form === "toml") return mcpTable(program);
  return [JSON.stringify({ [mcp.under]: { [NAME]: mcpEntry(mcp, program) } })];
}

/** The command that a client starts as its MCP server. */
function commandOf({ node, hook }: Program): readonly [string, ...string[]] {
  return [node, join(dirname(hook), "cli.js"), "mcp"];
}

/** What a client's settings have under the name of our server. */
function mcpEntry(mcp: McpDescription & { readonly form: "json" }, program: Program): object {
  const [command, ...args] = commandOf(program);
  return mcp.isCommandList === true
    ? { command: [command, ...args], ...mcp.entry }
    : { command, args, ...mcp.entry };
}

function mcpTable(program: Program): readonly string[] {
  const [command, ...args] = commandOf(program);
  return [
    `[mcp_servers.${NAME}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    // Codex starts its servers with few variables.
    'env_vars = ["XDG_STATE_HOME"]',
    'default_tools_approval_mode = "approve"',
    `tool_timeout_sec = ${MCP_SECONDS}`,
  ];
}

function isOurCommand(words: readonly unknown[]): boolean {
  return words.at(-1) === "mcp" && /[\\/]cli\.js$/.test(String(words.at(-2)));
}

function jsonFile(mcp: McpDescription & { readonly form: "json" }): McpFile {
  const { under } = mcp;
  /** The servers that are there. */
  const serversIn = (text: string): { readonly [name: string]: unknown } | undefined => {
    const servers = readHookSettings(text, parseWithComments)[under];
    if (servers !== undefined && (typeof servers !== "object" || servers === null || Array.isArray(servers)))
      throw new SettingsError(`its "${under}" is not an object`);
    return servers as { readonly [name: string]: unknown } | undefined;
  };
  const has = (text: string): boolean => {
    const { command, args } = (serversIn(text)?.[NAME] ?? {}) as { command?: unknown; args?: unknown };
    return isOurCommand([command, args ?? []].flat());
  };
  const without = (text: string): string => {
    if (!has(text)) return text;
    const isAlone = Object.keys(serversIn(text) ?? {}).length === 1 && !wasEmpty(text, [under]);
    return remove(text, isAlone ? [under] : [under, NAME]);
  };
  return {
    has,
    without: (text) => (has(text) ? closed(without(text)) : text),
    with(text, program) {
      const entry = mcpEntry(mcp, program);
      const present = opened(text);
      if (JSON.stringify(serversIn(present)?.[NAME]) === JSON.stringify(entry)) return present;
      const bare = without(present);
      const servers = serversIn(bare);
      if (servers?.[NAME] !== undefined)
        throw new SettingsError(`it has another MCP server named "${NAME}", which has to go first`);
      return servers === undefined
        ? append(bare, [], under, { [NAME]: entry })
        : append(bare, [under], NAME, entry);
    },
  };
}

function tomlFile(): McpFile {
  const isOurs = (table: readonly string[]): boolean => {
    const [header = "", ...lines] = table;
    const args = lines.find((line) => line.startsWith("args = ")) ?? "";
    return header.trim() === `[mcp_servers.${NAME}]` && /cli\.js["'], *["']mcp["']\]\s*$/.test(args);
  };
  const block = tomlBlock("MCP tools", isOurs);
  return {
    has: (text) => block.linesIn(text).length > 0,
    without: (text) => block.without(text),
    with(text, program) {
      const isTaken = new RegExp(`^\\s*\\[mcp_servers\\.["']?${NAME}["']?\\]`, "m").test(
        block.without(text ?? "") ?? "",
      );
      if (isTaken)
        throw new SettingsError(`it has another MCP server named "${NAME}", which has to go first`);
      return block.with(text, mcpTable(program));
    },
  };
}
