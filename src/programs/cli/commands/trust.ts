import type { Command } from "commander";
import { diffLines } from "../../../agents/hosts/install/text-diff.ts";
import { approvableIn, approve, changedTexts } from "../../../engine/lifecycle/approve.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { approveAll, findStrangers } from "../../../engine/lifecycle/trust.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";
import { isAgreed } from "../questions/choose.ts";

interface Flags {
  readonly loop?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addTrust(program: Command, context: Context): void {
  program
    .command("trust")
    .description(
      "Shows every command in loop.config.json and in loops that were not opened on this machine, then asks whether to approve them. None of them runs before you do.",
    )
    .argument("[loop]", "only this loop")
    .option("-y, --yes", "approve everything shown without asking")
    .option("--json", "print what needs approval as JSON, and approve nothing")
    .addHelpText("after", "\nExamples:\n  $ loop trust\n  $ loop trust fix-the-tests-3k2f --yes")
    .action(async (loop: string | undefined, flags: Flags) => trust(context, loop, flags));

  program
    .command("approve")
    .description(
      "Shows what changed in protected files, tests and check definitions, then asks whether to accept it. From then on, the loop compares with the accepted files.",
    )
    .option("--loop <id>", "which loop, if several are open")
    .option("-y, --yes", "accept everything shown without asking")
    .option("--json", "print the changes as JSON, and accept nothing")
    .addHelpText("after", "\nExamples:\n  $ loop approve\n  $ loop approve --yes")
    .action(async (flags: Flags) => showAndApprove(context, flags));
}

async function trust(context: Context, loop: string | undefined, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const { untrusted: things, unusable } = await findStrangers(machine, loop);
  if (flags.json) {
    return printJson(context, {
      untrusted: things.map(({ what, commands }) => ({ what, commands })),
      unusable,
    });
  }
  for (const reason of unusable) terminal.complain(`loop: ${reason}`);
  if (unusable.length > 0) context.endWith(1);
  if (things.length === 0) return terminal.print("Nothing needs approval.");
  for (const { what, spec, commands } of things) {
    terminal.print(`${terminal.paint("bold", what)} asks for:`);
    for (const command of commands) terminal.print(`  ${command}`);
    if (commands.length === 0) terminal.print("  nothing");
    if (spec !== null) terminal.print(terminal.paint("dim", `  It says about itself: ${oneLine(spec, 200)}`));
  }
  if (!(await isAgreed(context, flags, "Approve all of this?"))) {
    context.endWith(1);
    return terminal.print("Nothing was approved.");
  }
  await approveAll(machine, things);
  context.answers.forget();
  return terminal.print("Approved on this machine.");
}

async function showAndApprove(context: Context, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const chosen = await chooseLoop(machine, flags.loop);
  const found = await approvableIn(machine, chosen);
  const changes = found?.changes ?? [];
  if (flags.json) return printJson(context, { changes });
  if (found === null)
    return terminal.print(
      "Nothing to approve: everything that decides the checks is unchanged since the opening.",
    );
  if (changes.length === 0)
    terminal.print(
      "The files are as they were when you trusted this loop here, but differ from what the loop recorded.",
    );
  const texts = await changedTexts(machine, chosen, found);
  for (const { path, change } of changes) {
    terminal.print(`  ${change}  ${printable(path)}`);
    for (const line of shownDiff(terminal, texts.get(path))) terminal.print(line);
  }
  if (!(await isAgreed(context, flags, "Accept these changes?")))
    return terminal.print("Nothing was accepted.");
  await approve(machine, chosen, found);
  const { attemptOf } = chosen.live.loop;
  return terminal.print(
    attemptOf === null
      ? "Accepted; run the checks again with: loop check"
      : `Accepted; resume the plan with: loop continue --loop ${attemptOf.loop}`,
  );
}

const MOST_LINES = 200;
/** Comparing longer texts line by line takes long, and nobody reads it. */
const LONGEST_TEXT = 200_000;

function shownDiff(
  terminal: Context["terminal"],
  text: { readonly before: string; readonly now: string } | undefined,
): readonly string[] {
  if (text === undefined || text.before.length + text.now.length > LONGEST_TEXT) return [];
  const lines = diffLines(text.before, text.now).map(({ sign, text: line }) => {
    const shown = `    ${sign} ${printable(line)}`;
    return sign === "+" || sign === "-" ? terminal.paint(sign === "+" ? "green" : "red", shown) : shown;
  });
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES), `    … and ${lines.length - MOST_LINES} more lines`];
}
