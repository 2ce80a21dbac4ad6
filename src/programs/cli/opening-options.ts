import type { Command } from "commander";
import { Option } from "commander";
import { EXIT_RULES, MODES, SHAPES } from "../../core/loop/loop.ts";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import { UserError } from "../../core/user-error.ts";
import type { Context } from "./context.ts";
import { expectSpec, readText } from "./read-text.ts";
import {
  checkTimeoutOption,
  collect,
  noProgressLimitOption,
  parseAmount,
  parseAmountOrNone,
  parseBreaker,
  parseCount,
  parseCountOrNone,
  parseDuration,
} from "./options.ts";

/** The options for opening a loop, shared by all commands that do. */
export function addOpeningOptions(command: Command): Command {
  command
    .optionsGroup("Spec and checks:")
    .option("-f, --file <path>", "read the spec from a file, or from standard input with -")
    .option(
      "-c, --criterion <name=command>",
      "something that must be true at the end, and the command that checks it (repeatable)",
      collect,
    )
    .option("-s, --step <name>", "a planned step (repeatable)", collect)
    .option(
      "--must-not <rule>",
      "path:GLOB must stay unchanged, run:COMMAND must keep passing (repeatable)",
      collect,
    )
    .option(
      "--protect <glob>",
      "files whose change voids the evidence until a person approves it (repeatable)",
      collect,
    )
    .option(
      "--holdout-from <dir>",
      "hold out tests: the agent never sees them, and they run before it completes",
    )
    .option("--here", "allow a loop in your home folder or in /")
    // This is always on now, but scripts may still pass the flag.
    .addOption(new Option("--red-first").hideHelp())
    .addOption(checkTimeoutOption())
    .option(
      "--pass-env <name>",
      "pass this variable to the checks although it looks like a secret (repeatable)",
      collect,
    )
    .optionsGroup("Limits:")
    .option("--budget <dollars>", "pause when this much is spent (default 25), or none", parseAmountOrNone)
    .option(
      "--iterations <n>",
      "pause after this many iterations, of a plan after this many attempts at a task (default 10), or none",
      parseCountOrNone,
    )
    .option("--max-tokens <n>", "pause after this many tokens", parseCount)
    .option("--max-minutes <n>", "pause after this many minutes of work", parseAmount)
    .option(
      "--stuck-limit <n>",
      "pause when the same criterion stays unmet this often (default 5, 0 = off)",
      parseBreaker,
    )
    .option(
      "--same-error-limit <n>",
      "pause when the same error comes back this often (default 3, 0 = off)",
      parseBreaker,
    )
    .option(
      "--same-file-limit <n>",
      "pause when a file is edited back and forth this often (default 5, 0 = off)",
      parseBreaker,
    )
    .addOption(noProgressLimitOption())
    .option("--ttl <time>", "pause as stale after this much silence (default 2h)", parseDuration)
    .optionsGroup("How it asks and ends:")
    .addOption(new Option("--exit-rule <rule>", "what ends the loop").choices(EXIT_RULES).default("criteria"))
    .addOption(
      new Option("--mode <mode>", "whose tags end a loop of rule signal").choices(MODES).default("loop"),
    )
    .addOption(
      new Option("--shape <shape>", "how much it asks you, instead of what the score suggests").choices(
        SHAPES,
      ),
    );
  return addLooseningOptions(command.optionsGroup("Proof:")).optionsGroup("Options:");
}

/** What only a person may use in a session. */
function addLooseningOptions(command: Command): Command {
  return command
    .option(
      "--not-yet <name>",
      "this criterion's check may be missing now; the work will create it (repeatable)",
      collect,
    )
    .option(
      "--once <name>",
      "this criterion's check has side effects; run it once, at the very end (repeatable)",
      collect,
    )
    .option("--may-change <glob>", "tests or settings that the spec wants changed (repeatable)", collect)
    .addOption(
      new Option(
        "--proof <mode>",
        "how much proof to ask for beyond the checks (default standard): strict holds on weak evidence, off skips proofs",
      ).choices(PROOF_MODES),
    );
}

/** The spec as words, or from a file. */
export function specOf(context: Context, words: string, file: string | undefined): string {
  if (file === undefined) {
    expectSpec(context, words);
    return words;
  }
  if (words !== "") throw new UserError("Give the spec as words or with --file, not both.");
  return readText(context, file);
}
