import { DESCRIPTIONS } from "./described/descriptions.ts";
import { mcpEntry, mcpTable } from "./described/install/mcp-file.ts";
import type { Program } from "./install/installer.ts";

/** How to add our MCP server to each client by hand. A check may take long, so the limits are high. */
export function mcpSetup(program: Program): string {
  const parts = DESCRIPTIONS.flatMap(({ title, id, install }) => {
    const { mcp, folder } = install;
    if (mcp === undefined) return [];
    const lines =
      mcp.form === "toml"
        ? mcpTable(program)
        : [JSON.stringify({ [mcp.under]: { loop: mcpEntry(mcp, program) } })];
    return [[`# ${title}, in ~/${folder}/${mcp.file}, or: loop install ${id} --mcp`, ...lines, ""]];
  });
  return [...parts.flat(), "# Claude Code", "claude mcp add loop -- loop mcp"].join("\n");
}
