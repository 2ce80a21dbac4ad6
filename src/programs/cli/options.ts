import { InvalidArgumentError, Option, type Command } from "commander";
import { CHECK_TIERS, DEFAULT_TIMEOUT_MS } from "../../core/loop/criterion.ts";
import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { isCheckPattern } from "../../core/questions/allowed-checks.ts";
import { EXIT_RULES, MODES, SHAPES } from "../../core/loop/loop.ts";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import { UserError } from "../../core/user-error.ts";
import { durationMs } from "../../system/text/quantities.ts";
import type { Context } from "./context.ts";
import { expectSpec, readText } from "./read-text.ts";

/** For repeatable flags. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function parseAmount(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("Expected a number above 0.");
  return value;
}

/** A number, or the word `none`: commander would read null as a missing value. */
export function parseAmountOrNone(text: string): number | "none" {
  return text === "none" ? "none" : parseAmount(text);
}

export function parseCount(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("Expected a whole number above 0.");
  return value;
}

export function parsePort(text: string): number {
  const value = parseCount(text);
  if (value > 65_535) throw new InvalidArgumentError("Expected a port, up to 65535.");
  return value;
}

export function parseCountOrNone(text: string): number | "none" {
  return text === "none" ? "none" : parseCount(text);
}

/** A breaker's limit; 0 switches it off. */
export function parseBreaker(text: string): number {
  return text === "0" ? 0 : parseCount(text);
}

/** `90s`, `30m`, `2h`, `1d`, or plain seconds. */
export function parseDuration(text: string): number {
  const duration = durationMs(text);
  if (duration === null) throw new InvalidArgumentError("Expected a duration such as 90s, 30m or 2h.");
  return duration;
}

/** As it was typed, which is what a person's own command in a session is compared with. */
function parseProofBudget(text: string): string {
  parseDuration(text);
  return text.trim();
}

function parseCheckTimeout(text: string): number {
  if (Object.hasOwn(CHECK_TIERS, text)) return CHECK_TIERS[text as keyof typeof CHECK_TIERS];
  return parseDuration(text);
}

export function parseSession(text: string): SessionId {
  const session = parseSessionId(text);
  if (session === null)
    throw new InvalidArgumentError("Expected a session id of letters, digits, dots, dashes and underscores.");
  return session;
}

/** The name `--no-progress-limit` starts with "no"; it isn't the negation of a `--progress-limit`. */
function noProgressLimitOption(): Option {
  const option = new Option(
    "--no-progress-limit <n>",
    "pause after this many iterations without progress (default 3, 0 = off)",
  ).argParser(parseBreaker);
  option.negate = false;
  option.attributeName = () => "noProgressLimit";
  return option;
}

/** Not the negation of `--model`, which names the model of the agent that works. */
export function noModelOption(what: string): Option {
  const option = new Option("--no-model", what);
  option.negate = false;
  option.attributeName = () => "noModel";
  return option;
}

/** Commands that a model wrote and that may run as checks without anybody having read them. */
export function allowCheckOption(): Option {
  return new Option(
    "--allow-check <pattern>",
    "commands that a model may use as checks, such as 'npm test -- *'; * stands for plain words (repeatable)",
  ).argParser((text: string, before: readonly string[] | undefined) => {
    if (!isCheckPattern(text))
      throw new InvalidArgumentError("Begin with the program's name, such as 'npm test -- *'.");
    return collect(text, before);
  });
}

export function checkTimeoutOption(): Option {
  return new Option(
    "--check-timeout <time>",
    "how long a check may take: quick (5 s), standard (30 s), thorough (120 s), or a duration such as 10m",
  )
    .argParser(parseCheckTimeout)
    .default(DEFAULT_TIMEOUT_MS, "thorough");
}

export interface AcceptFlag {
  readonly accept?: "weak";
}

/** For when a completion that isn't verified is good enough. */
export function acceptOption(): Option {
  return new Option(
    "--accept <what>",
    "weak: exit with 0 instead of 6 when the loop finishes weak or unverified",
  ).choices(["weak"]);
}

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
    )
    .option(
      "--proof-budget <time>",
      "how long proofs may try things out at a completion (default three times the checks' own time, at least 30s)",
      parseProofBudget,
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
