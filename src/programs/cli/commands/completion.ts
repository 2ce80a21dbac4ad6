import type { Command } from "commander";
import { Argument } from "commander";
import type { Machine } from "../../../storage/loops/machine.ts";
import { recentLoops } from "../../../engine/opening/recent-loops.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Candidate } from "../completion/candidates.ts";
import { candidates } from "../completion/candidates.ts";
import type { Shell } from "../completion/scripts.ts";
import { COMPLETION_SCRIPTS, SHELLS } from "../completion/scripts.ts";
import type { Context } from "../context.ts";

const DESCRIPTION_LIMIT = 100;
const LOOP_LIMIT = 40;

export function addCompletion(program: Command, { machine, terminal }: Context): void {
  program
    .command("completion")
    .description("Prints a script that completes commands, options, their values and loop ids in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
Examples:
  $ echo 'eval "$(loop completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(loop completion zsh)"' >> ~/.zshrc               after its compinit
  $ loop completion fish > ~/.config/fish/completions/loop.fish`,
    )
    .action((shell: Shell) => terminal.print(COMPLETION_SCRIPTS[shell].trimEnd()));

  program
    .command("complete", { hidden: true })
    .description("Lists what can come next, for the scripts of `loop completion`.")
    .argument("[words...]")
    .action(async (words: readonly string[]) => {
      for (const line of await linesFor(program, words, machine)) terminal.print(line);
    });
}

/** Nobody can act on an error in the middle of typing a line. */
async function linesFor(
  program: Command,
  words: readonly string[],
  machine: Machine,
): Promise<readonly string[]> {
  try {
    const found = await candidates(program, words, { loops: async () => loopCandidates(machine) });
    if (found.type === "files") return [":files"];
    return found.values.map(({ value, description }) =>
      description === "" ? value : `${value}\t${oneLine(description, DESCRIPTION_LIMIT)}`,
    );
  } catch {
    return [];
  }
}

async function loopCandidates(machine: Machine): Promise<readonly Candidate[]> {
  return (await recentLoops(machine, LOOP_LIMIT)).map(({ id, live: { loop } }) => ({
    value: id,
    description: `${loop.phase}: ${topFrame(loop).spec}`,
  }));
}
