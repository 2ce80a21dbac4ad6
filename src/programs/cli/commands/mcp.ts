import { dirname, join } from "node:path";
import type { Command } from "commander";
import { INSTALLERS } from "../../../agents/hosts/installers.ts";
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
      if (flags.setup === true) return terminal.print(setup(cli));
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

/** How to add the server to each client by hand. */
function setup(cli: string): string {
  const program = { node: process.execPath, hook: join(dirname(cli), "hook.js") };
  const parts = INSTALLERS.map((installer) => installer.mcpByHand(program)).filter(
    ({ length }) => length > 0,
  );
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}
