import type { Command } from "commander";
import { draftConfig, writeConfig, type ConfigDraft } from "../../../engine/opening/init-config.ts";
import { padded } from "../../../system/text/display-width.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";
import { isAttended, printJson, type Context } from "../context.ts";
import { nameWidthOf } from "../../../views/terminal/criterion-lines.ts";
import { isAgreed } from "../questions/choose.ts";

interface Flags {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

const WIDEST_NAME = 48;

export function addInit(program: Command, context: Context): void {
  program
    .command("init")
    .description(
      "Shows a loop.config.json with the checks that this project's own tools suggest, and writes it if you say so. Every loop that is opened in the project is then held to them. Runs none of them.",
    )
    .option("-y, --yes", "write what is shown, without a question")
    .option("--force", "replace the loop.config.json that is there")
    .option("--json", "print it as JSON; written only with --yes")
    .addHelpText("after", "\nExamples:\n  $ loop init\n  $ loop init --yes\n  $ loop init --force --json")
    .action(async (flags: Flags) => init(context, flags));
}

async function init(context: Context, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const replaces = flags.force === true;
  const draft = await draftConfig(machine, replaces);
  if (!flags.json) show(context, draft);
  const isWanted = flags.yes === true || isAttended(context, flags);
  const writes = isWanted && (await isAgreed(context, flags, "Write loop.config.json?", "yes"));
  const { approved } = writes ? await writeConfig(machine, draft, replaces) : { approved: false };
  if (flags.json) {
    const { path, config, checks, obstacles } = draft;
    return printJson(context, { path, config, checks, obstacles, written: writes, approved });
  }
  return terminal.print(whatBecame(isWanted, writes, approved));
}

function show({ terminal }: Context, { path, above, text, checks, obstacles }: ConfigDraft): void {
  if (above !== null) terminal.print(`No tool is set up in this folder, so the file belongs in ${above}:`);
  terminal.print(terminal.paint("bold", printable(path)));
  terminal.printAsIs(printable(text));
  const width = nameWidthOf(checks, WIDEST_NAME);
  terminal.print("Based on:");
  for (const { name, source } of checks)
    terminal.print(`  ${padded(oneLine(name, width), width)}  ${terminal.paint("dim", oneLine(source, 80))}`);
  if (obstacles.length > 0) terminal.print("Not in it:");
  for (const obstacle of obstacles) terminal.print(`  ${obstacle}`);
}

function whatBecame(isWanted: boolean, writes: boolean, approved: boolean): string {
  if (!isWanted)
    return "Nothing was written, because there is no terminal to ask in; to write it: loop init --yes";
  if (!writes) return "Nothing was written.";
  if (approved)
    return "Written, and approved on this machine: loops that are opened here from now on use it.";
  return "Written. Nothing uses it before a person has approved it with: loop trust";
}
