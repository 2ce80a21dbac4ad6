import type { Command } from "commander";
import { Option } from "commander";
import { askHoldout } from "../../engine/opening/ask-holdout.ts";
import type { UsedConfig } from "../../engine/opening/config-plan.ts";
import { planFromConfig, parseMustNot } from "../../engine/opening/config-plan.ts";
import { expectStandpoint } from "../../engine/opening/openable.ts";
import { setLimits } from "../../engine/opening/limits.ts";
import type { AskedLoop } from "../../engine/opening/open-loop.ts";
import { UserError } from "../../core/user-error.ts";
import { globFrom } from "../../core/folder.ts";
import type { ExitRule, Mode, Shape } from "../../core/loop.ts";
import { EXIT_RULES, MODES, SHAPES } from "../../core/loop.ts";
import { callerNow } from "../../storage/loops/calling.ts";
import { checkTimeoutOption, collect, noProgressLimitOption, parseAmount, parseAmountOrNone, parseBreaker, parseCount, parseCountOrNone, parseDuration } from "./options.ts";
import type { Context } from "./context.ts";
import { expectSpec } from "./file-word.ts";
import type { NamedPlan } from "./find-plan.ts";
import { givenCriteria } from "./given-criteria.ts";
import type { LooseningFlags } from "./loosening.ts";
import { addLooseningOptions, withUses } from "./loosening.ts";
import { readText } from "./read-text.ts";
import { shapeOfEnv } from "./shape-of-env.ts";

/** The options for opening a loop, shared by all commands that do. */
export interface OpeningFlags extends LooseningFlags {
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
  readonly holdoutFrom?: string;
  readonly here?: boolean;
}

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

export interface Opening {
  readonly asked: Omit<AskedLoop, "nested" | "binding">;
  readonly used: Pick<UsedConfig, "config" | "path" | "setup">;
  readonly notices: readonly string[];
}

interface OpeningOf {
  readonly nested: boolean;
  readonly attended: boolean;
  /** The plan that is worked on: flags may name its tasks. */
  readonly plan?: NamedPlan | null;
}

/** Flags before the nearest config. Globs are those of the folder in which they were typed. A frame inside a loop takes nothing from the config: the loop has it. */
export async function openingOf(
  context: Context,
  words: string,
  flags: OpeningFlags,
  { nested, attended, plan: worked = null }: OpeningOf,
): Promise<Opening> {
  const { machine } = context;
  const standpoint = expectStandpoint(machine, { nested, here: flags.here === true });
  const { folder } = standpoint;
  const plan = planFromConfig(machine, standpoint);
  const given = await givenCriteria(context, flags, { attended });
  const holdout = nested ? { asked: null, notices: [] } : askHoldout(machine, standpoint, flags.holdoutFrom);
  const names = new Set(given.criteria.map(({ name }) => name));
  const ofConfig = nested ? [] : plan.criteria.filter(({ name }) => !names.has(name));
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
    callerNow(machine),
  );
  return {
    asked: {
      spec: specOf(context, words, flags.file),
      criteria: withUses(
        [...given.criteria, ...ofConfig],
        flags,
        worked === null ? [] : checkedTasks(worked),
      ),
      steps: flags.step ?? [],
      mustNots: [
        ...(flags.mustNot ?? []).map((text) => parseMustNot(text, flags.checkTimeout, folder)),
        ...(nested ? [] : plan.mustNots),
      ],
      protects: [...globsFrom(folder, flags.protect), ...(nested ? [] : plan.protects)],
      exitRule: flags.exitRule,
      mode: flags.mode,
      shape: flags.shape ?? shapeOfEnv(machine.env) ?? plan.config?.shape ?? null,
      limits: { limits, iterationLimit, notices },
      redFirst: false,
      proof: flags.proof ?? plan.proof,
      mayChange: [...globsFrom(folder, flags.mayChange), ...(nested ? [] : plan.mayChange)],
      holdout: holdout.asked,
    },
    used: plan,
    notices: [...notices, ...plan.notices, ...holdout.notices, ...given.notices],
  };
}

function checkedTasks({ draft }: NamedPlan): readonly string[] {
  return draft.tasks.filter(({ verify }) => verify !== null).map(({ id }) => id);
}

function globsFrom(folder: string, globs: readonly string[] = []): readonly string[] {
  return globs.map((glob) => globFrom(folder, glob));
}

function limitOf(limit: number | "none"): number | null {
  return limit === "none" ? null : limit;
}

function specOf(context: Context, words: string, file: string | undefined): string {
  if (file === undefined) {
    expectSpec(context, words);
    return words;
  }
  if (words !== "") throw new UserError("Give the spec as words or with --file, not both.");
  return readText(context, file);
}
