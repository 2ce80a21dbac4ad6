import type { Command } from "commander";
import { Option } from "commander";
import type { SessionId } from "../../core/id.ts";
import type { ExitRule, Mode, Shape } from "../../core/loop.ts";
import { EXIT_RULES, MODES, SHAPES } from "../../core/loop.ts";
import { planFromConfig } from "../../app/config-plan.ts";
import { setLimits } from "../../app/limits.ts";
import { openLoop } from "../../app/open-loop.ts";
import { proposeChecks } from "../../app/propose-checks.ts";
import { parseMustNot } from "../../app/must-not-text.ts";
import { UserError } from "../../app/user-error.ts";
import { callerOf } from "../../hosts/caller.ts";
import { printable, startingLine } from "../../views/loop-lines.ts";
import { statusView } from "../../views/status-view.ts";
import { bindingOf } from "../binding.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { renderStatus } from "../loop-text.ts";
import {
  collect,
  noProgressLimitOption,
  parseAmount,
  parseAmountOrNone,
  parseBreaker,
  checkTimeoutOption,
  parseCount,
  parseCountOrNone,
  parseCriterion,
  parseDuration,
  parseSession,
} from "../options.ts";
import { readText } from "../read-text.ts";

interface Flags {
  readonly file?: string;
  readonly criterion?: readonly string[];
  readonly step?: readonly string[];
  readonly mustNot?: readonly string[];
  readonly protect?: readonly string[];
  readonly passEnv?: readonly string[];
  readonly checkTimeout: number;
  readonly budget?: number | "none";
  readonly iterations?: number | "none";
  readonly maxTokens?: number;
  readonly maxMinutes?: number;
  readonly stuckLimit?: number;
  readonly sameErrorLimit?: number;
  readonly sameFileLimit?: number;
  readonly noProgressLimit?: number;
  readonly ttl?: number;
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly shape?: Shape;
  readonly redFirst?: boolean;
  readonly nested?: boolean;
  readonly session?: SessionId;
  readonly json?: boolean;
}

export function addStart(program: Command, context: Context): void {
  program
    .command("start")
    .summary("open a loop; the hooks then hold the session it is opened in")
    .description(
      "Opens a loop for a spec. Inside an agent's session the loop is bound to it, and its hooks hold the agent until the spec is shown to be satisfied. From a plain terminal it holds nobody until it is continued in a session.",
    )
    .argument("[spec...]", "what you want, in your own words")
    .option("-f, --file <path>", "read the spec from a file, or from standard input with -")
    .option(
      "-c, --criterion <name=command>",
      "something that must be true at the end, and the command that shows it (repeatable)",
      collect,
    )
    .option("-s, --step <name>", "a planned step (repeatable)", collect)
    .option("--must-not <rule>", "path:GLOB stays unchanged, run:COMMAND keeps passing (repeatable)", collect)
    .option(
      "--protect <glob>",
      "files that only a person may change without voiding the evidence (repeatable)",
      collect,
    )
    .option("--red-first", "run each check once now, to know what is true already")
    .addOption(checkTimeoutOption())
    .option(
      "--pass-env <name>",
      "pass this variable to the checks although it looks like a secret (repeatable)",
      collect,
    )
    .option("--budget <dollars>", "pause when this much is spent (default 25), or none", parseAmountOrNone)
    .option("--iterations <n>", "pause after this many iterations (default 10), or none", parseCountOrNone)
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
      "pause when a file is turned over this often (default 5, 0 = off)",
      parseBreaker,
    )
    .addOption(noProgressLimitOption())
    .option("--ttl <time>", "pause as stale after this much silence (default 2h)", parseDuration)
    .addOption(new Option("--exit-rule <rule>", "what ends it").choices(EXIT_RULES).default("criteria"))
    .addOption(
      new Option("--mode <mode>", "whose tags end a loop of rule signal").choices(MODES).default("loop"),
    )
    .addOption(
      new Option("--shape <shape>", "how much it asks, instead of what the score says").choices(SHAPES),
    )
    .option("--nested", "open it inside the session's present loop")
    .option("--session <id>", "bind it to this session instead of the caller's", parseSession)
    .option("--json", "print the new loop as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop start "Fix the failing tests" -c "tests pass=npm test"
  $ loop start -f spec.md -c "builds=make" -c "docs updated" --must-not "path:migrations/**"
  $ loop start "Refactor src/api" -c "tests pass=npm test" --protect "test/**" --red-first --budget 10`,
    )
    .action(async (words: readonly string[], flags: Flags) => start(context, words.join(" "), flags));
}

/** What belongs to the whole loop, and not to a frame inside it. */
const OF_THE_WHOLE_LOOP = {
  mustNot: "--must-not",
  protect: "--protect",
  budget: "--budget",
  maxTokens: "--max-tokens",
  maxMinutes: "--max-minutes",
  stuckLimit: "--stuck-limit",
  sameErrorLimit: "--same-error-limit",
  sameFileLimit: "--same-file-limit",
  noProgressLimit: "--no-progress-limit",
  ttl: "--ttl",
  shape: "--shape",
} as const satisfies { readonly [Name in keyof Flags]?: string };

function expectOfFrame(flags: Flags): void {
  const given = Object.entries(OF_THE_WHOLE_LOOP).filter(
    ([name]) => flags[name as keyof Flags] !== undefined,
  );
  if (flags.nested !== true || given.length === 0) return;
  throw new UserError(
    `${given.map(([, flag]) => flag).join(", ")} belongs to the whole loop; give it when that is opened.`,
  );
}

async function start(context: Context, words: string, flags: Flags): Promise<void> {
  expectOfFrame(flags);
  const { machine, terminal } = context;
  const plan = planFromConfig(machine);
  const given = (flags.criterion ?? []).map((text) =>
    parseCriterion(text, flags.checkTimeout, flags.passEnv ?? []),
  );
  const names = new Set(given.map(({ name }) => name));
  const { limits, iterationLimit, notices } = setLimits(
    {
      ...(flags.budget === undefined ? {} : { budgetUsd: limitOf(flags.budget) }),
      ...(flags.iterations === undefined ? {} : { iterations: limitOf(flags.iterations) }),
      ...(flags.maxTokens === undefined ? {} : { tokens: flags.maxTokens }),
      ...(flags.maxMinutes === undefined ? {} : { minutes: flags.maxMinutes }),
      ...(flags.stuckLimit === undefined ? {} : { stuck: flags.stuckLimit }),
      ...(flags.sameErrorLimit === undefined ? {} : { sameError: flags.sameErrorLimit }),
      ...(flags.sameFileLimit === undefined ? {} : { sameFile: flags.sameFileLimit }),
      ...(flags.noProgressLimit === undefined ? {} : { noProgress: flags.noProgressLimit }),
      ...(flags.ttl === undefined ? {} : { ttlMs: flags.ttl }),
    },
    machine.env,
    plan.config,
    callerOf(machine.env),
  );
  const { loop } = await openLoop(machine, {
    spec: specOf(words, flags.file),
    criteria: [...given, ...(flags.nested ? [] : plan.criteria.filter(({ name }) => !names.has(name)))],
    steps: flags.step ?? [],
    mustNots: [
      ...(flags.mustNot ?? []).map((text) => parseMustNot(text, flags.checkTimeout)),
      ...(flags.nested ? [] : plan.mustNots),
    ],
    protects: [...(flags.protect ?? []), ...(flags.nested ? [] : plan.protects)],
    exitRule: flags.exitRule,
    mode: flags.mode,
    shape: flags.shape ?? plan.config?.shape ?? null,
    limits: { limits, iterationLimit, notices },
    redFirst: flags.redFirst === true,
    nested: flags.nested === true,
    binding: bindingOf(machine, flags.session),
  });
  for (const notice of [...notices, ...plan.notices]) terminal.complain(`loop: ${notice}`);
  const view = statusView(loop, loop.start.tree);
  if (flags.json) return printJson(context, view);
  if (!flags.nested) terminal.print(startingLine(loop));
  terminal.print(renderStatus(terminal, view, machine.now()));
  if (loop.shape === "intent" && !flags.nested) {
    terminal.print("\nThe spec leaves much open. Answering these would help most:");
    for (const question of loop.score.questions) terminal.print(`  ? ${printable(question)}`);
  }
  if (view.criteria.length === 0) {
    for (const line of await proposeChecks(machine)) terminal.print(line);
  }
}

function limitOf(limit: number | "none"): number | null {
  return limit === "none" ? null : limit;
}

function specOf(words: string, file: string | undefined): string {
  if (file === undefined) return words;
  if (words !== "") throw new UserError("Give the spec as words or with --file, not both.");
  return readText(file);
}
