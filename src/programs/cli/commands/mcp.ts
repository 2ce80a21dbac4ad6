import { dirname, join } from "node:path";
import type { Command } from "commander";
import { mcpSetup } from "../../../agents/hosts/mcp-setup.ts";
import type { SessionId } from "../../../core/loop/id.ts";
import { serve } from "../../mcp/server.ts";
import type { Context } from "../context.ts";
import { parseSession } from "../options.ts";

export function addMcp(program: Command, { machine, terminal, cli }: Context): void {
  program
    .command("mcp")
    .description(
      "Serves the agent's own commands (status, check, done, blocked, step, task, met, start) as MCP tools on standard input and output, for agents whose shell is sandboxed or may not run loop. What loosens a loop is not among them.",
    )
    .option("--session <id>", "the session that calls, for clients that don't say", parseSession)
    .option("--setup", "print how to add it to each client, and end")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop mcp --setup\n  $ codex mcp add loop -- loop mcp\n  $ claude mcp add loop -- loop mcp",
    )
    .action(async (flags: { session?: SessionId; setup?: boolean }) => {
      if (flags.setup === true)
        return terminal.print(mcpSetup({ node: process.execPath, hook: join(dirname(cli), "hook.js") }));
      const { env, cwd } = machine;
      await serve({
        cli,
        cwd,
        env,
        input: process.stdin,
        output: process.stdout,
        session: flags.session ?? null,
      });
    });
}
