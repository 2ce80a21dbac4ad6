import { Option, type Command } from "commander";
import {
  addCriterion,
  amendCriterion,
  attest,
  disclaim,
  removeCriterion,
} from "../../../engine/lifecycle/amend.ts";
import { startPreflight } from "../../../engine/opening/background-preflight.ts";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { definitionsOfChecks } from "../../../engine/lifecycle/approve.ts";
import { definitionLines } from "../../../verify/definitions/definition.ts";
import { checkNotices } from "../../../engine/opening/clear-spec.ts";
import { proposeChecks } from "../../../engine/opening/propose-checks.ts";
import { statusOfLoop } from "../../../engine/lifecycle/status.ts";
import { UserError } from "../../../core/user-error.ts";
import type { Check, Criterion, VerificationType } from "../../../core/loop/criterion.ts";
import { VERIFICATION_TYPES, strengthOf } from "../../../core/loop/criterion.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { attestationText, criterionRow, detailText } from "../../../views/criterion.ts";
import { printJson, type Context } from "../context.ts";
import { criterionText } from "../../../engine/opening/given-criteria.ts";
import { criterionLine, nameWidthOf } from "../../../views/terminal/criterion-lines.ts";
import type { AskedCriterion } from "../../../engine/opening/asked-loop.ts";
import { lookLater } from "../../../engine/opening/preflight.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { lookView } from "../opener.ts";
import { checkTimeoutOption, collect } from "../options.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

interface CheckFlags extends Flags {
  readonly check?: string;
  readonly checkTimeout: number;
  readonly passEnv?: readonly string[];
}

const WIDEST_NAME = 60;
const LOOP = ["--loop <id>", "which loop, if several are open"] as const;

export function addCriteria(program: Command, context: Context): void {
  const { machine, terminal } = context;
  const warn = (name: string, check: Check | null): void => {
    for (const notice of checkNotices([{ name, check }])) terminal.complain(`loop: ${notice}`);
  };
  const criteria = program
    .command("criteria")
    .description("Shows the criteria of a loop and changes them while it runs.")
    .option(...LOOP)
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop criteria
  $ loop criteria add 'tests pass' --check 'npm test'
  $ loop criteria add 'lint clean=npm run lint'             the same, in one
  $ loop criteria add 'types hold' -- npx tsc --noEmit      (no shell)
  $ loop criteria met 'docs updated' --by observation --note 'read them'
  $ loop criteria show                                      what each check is defined by
  $ loop criteria discover`,
    )
    .action(async (flags: Flags) => show(context, flags));

  withCheck(
    criteria
      .command("add")
      .description(
        "Adds a criterion, and runs its check once. Without a check, a person or the agent has to attest it.",
      )
      .argument("<criterion>", "what must be true, or NAME=COMMAND as with -c")
      .argument("[argv...]", "after --: the check as a list of words, run without a shell"),
  ).action(async (text: string, argv: readonly string[], flags: CheckFlags, command: Command) => {
    const { name, check } = addedOf(context, text, flags, argv);
    const known = await chooseLoop(machine, which(command));
    const look = lookFor(context, known, { name, check });
    // An agent doesn't wait for it.
    const isAgents = callerNow(machine).kind === "agent";
    const loop = await addCriterion(machine, known, { name, check, look: isAgents ? lookAtNothing : look });
    if (isAgents) await startPreflight(machine, known, context.cli, name);
    warn(name, check);
    terminal.print(`Added "${oneLine(name, 80)}"; ${topFrame(loop).criteria.length} in all.`);
  });

  withCheck(
    criteria
      .command("check")
      .description("Changes or removes the check of a criterion. Only a person may do this.")
      .argument("<name>", "which criterion")
      .argument("[argv...]", "after --: the check as a list of words"),
  ).action(async (name: string, argv: readonly string[], flags: CheckFlags, command: Command) => {
    const check = checkOf(flags, argv);
    const known = await chooseLoop(machine, which(command));
    const look = lookFor(context, known, { name, check });
    await amendCriterion(machine, known, { name, check, look });
    warn(name, check);
    terminal.print(`Changed the check of "${oneLine(name, 80)}".`);
  });

  criteria
    .command("show")
    .description(
      "Shows what defines a check: the script it calls, its configuration, the test files. Runs nothing.",
    )
    .argument("[name]", "which criterion (default: every criterion with a check)")
    .option("--json", "print it as JSON")
    .action(async (name: string | undefined, _flags: Flags, command: Command) => {
      const { loop, json } = command.optsWithGlobals<Flags>();
      const meanings = await definitionsOfChecks(machine, await chooseLoop(machine, loop), name);
      if (json) return printJson(context, { checks: meanings });
      if (meanings.length === 0) return terminal.print("No criterion here has a check.");
      return terminal.print(meanings.flatMap(definitionLines).join("\n"));
    });

  criteria
    .command("remove")
    .description("Removes a criterion. Only a person may do this.")
    .argument("<name>", "which criterion")
    .option(...LOOP)
    .action(async (name: string, _flags: Flags, command: Command) => {
      await removeCriterion(machine, await chooseLoop(machine, which(command)), name);
      terminal.print(`Removed "${oneLine(name, 80)}".`);
    });

  criteria
    .command("met")
    .description("Attests a criterion that has no check, and says how you know.")
    .argument("<name>", "which criterion")
    .addOption(new Option("--by <type>", "how you know").choices(VERIFICATION_TYPES).makeOptionMandatory())
    .option("--note <text>", "what you saw")
    .option(...LOOP)
    .action(
      async (name: string, flags: Flags & { by: VerificationType; note?: string }, command: Command) => {
        const criterion = await attest(machine, await chooseLoop(machine, which(command)), name, {
          by: flags.by,
          note: flags.note ?? null,
        });
        terminal.print(attestedText(criterion));
      },
    );

  criteria
    .command("unmet")
    .description("Withdraws an attestation.")
    .argument("<name>", "which criterion")
    .option(...LOOP)
    .action(async (name: string, _flags: Flags, command: Command) => {
      await disclaim(await chooseLoop(machine, which(command)), name);
      terminal.print(`"${oneLine(name, 80)}" is unmet again.`);
    });

  criteria
    .command("discover")
    .description("Suggests checks based on the project's own tools. Runs nothing.")
    .action(async () => {
      const lines = await proposeChecks(machine);
      terminal.print(
        lines.length === 0
          ? "No known tool found in this project; add your own checks."
          : lines.join("\n").trim(),
      );
    });
}

function withCheck(command: Command): Command {
  return command
    .option("--check <command>", "the command that checks it")
    .addOption(checkTimeoutOption())
    .option("--pass-env <name>", "pass this variable although it looks like a secret (repeatable)", collect)
    .option(...LOOP);
}

async function lookAtNothing(): Promise<undefined> {
  return undefined;
}

/** The flag may come before or after the subcommand's name. */
function which(command: Command): string | undefined {
  return command.optsWithGlobals<Flags>().loop;
}

/** Runs a check that joins an open loop, and shows its result. */
function lookFor(
  { machine, terminal }: Context,
  known: KnownLoop,
  criterion: AskedCriterion,
): () => ReturnType<typeof lookLater> {
  const show = lookView(terminal, [criterion]);
  const tell = (sentence: string): void => terminal.complain(`loop: ${sentence}`);
  return async () => lookLater({ machine, tell, show }, known, criterion);
}

/** When the check is given separately, an `=` is part of the name. */
function addedOf(
  context: Context,
  text: string,
  flags: CheckFlags,
  argv: readonly string[],
): { readonly name: string; readonly check: Check | null } {
  const check = checkOf(flags, argv);
  if (check !== null) return { name: text, check };
  const read = criterionText(context.machine, text);
  if (read.kind === "words") return { name: read.text, check: null };
  const { line } = read;
  const rest = { timeoutMs: flags.checkTimeout, passEnv: flags.passEnv ?? [] };
  return {
    name: read.kind === "named" ? read.name : line,
    check: { command: { kind: "shell", line }, ...rest },
  };
}

function checkOf(flags: CheckFlags, argv: readonly string[]): Check | null {
  const rest = { timeoutMs: flags.checkTimeout, passEnv: flags.passEnv ?? [] };
  const [program, ...words] = argv;
  if (program !== undefined && flags.check !== undefined)
    throw new UserError("Give the check with --check or after --, not both.");
  if (program !== undefined) return { command: { kind: "argv", argv: [program, ...words] }, ...rest };
  if (flags.check === undefined) return null;
  if (flags.check.trim() === "") throw new UserError("The check is empty.");
  return { command: { kind: "shell", line: flags.check }, ...rest };
}

function attestedText({ name, check, attestation }: Criterion): string {
  const which = `"${oneLine(name, 80)}"`;
  if (check !== null) return `Recorded, but a check decides ${which}; run it with: loop check`;
  if (attestation === null || strengthOf(attestation) === "blocks")
    return `Recorded as an assumption: ${which} still blocks completion.`;
  if (strengthOf(attestation) === "enough") return `${which} is met.`;
  return `${which} is met, on weak evidence (${attestationText(attestation)}).`;
}

async function show(context: Context, flags: Flags): Promise<void> {
  const chosen = await chooseLoop(context.machine, flags.loop, { isRead: true });
  const view = await statusOfLoop(context.machine, chosen);
  if (flags.json) return printJson(context, { criteria: view.criteria });
  if (view.criteria.length === 0)
    return context.terminal.print(
      "No criteria yet; add one with: loop criteria add 'tests pass' --check 'npm test'",
    );
  const width = nameWidthOf(view.criteria, WIDEST_NAME);
  for (const row of view.criteria.map(criterionRow)) {
    const detail = detailText(row, context.machine.now());
    context.terminal.print(criterionLine(context.terminal, row, width, detail));
  }
  return undefined;
}
