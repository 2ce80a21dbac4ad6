import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { UserError } from "../../../core/user-error.ts";
import type { Context } from "../context.ts";

export function addPlugin(program: Command, { cli, terminal }: Context): void {
  const plugin = program.command("plugin").description("Where Claude Code finds the plugin of this program.");
  plugin
    .command("path")
    .description(
      "Prints the folder that Claude Code takes as a marketplace. It holds one plugin, loop, of the same version as this program.",
    )
    .addHelpText(
      "after",
      '\nExample:\n  $ claude plugin marketplace add "$(loop plugin path)"\n  $ claude plugin install loop@loopwright',
    )
    .action(() => {
      const folder = dirname(cli);
      if (!existsSync(join(folder, ".claude-plugin", "marketplace.json")))
        throw new UserError(
          "This loop came with the plugin, and offers no plugin itself; ask the one on your PATH, or install it with: npm install -g loopwright",
        );
      terminal.print(folder);
    });
}
