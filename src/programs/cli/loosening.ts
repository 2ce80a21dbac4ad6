import type { Command } from "commander";
import { Option } from "commander";
import type { UsedConfig } from "../../engine/opening/config-plan.ts";
import { expectPerson } from "../../engine/lifecycle/expect-person.ts";
import type { CheckUse } from "../../core/loop/criterion.ts";
import { listed } from "../../core/listed.ts";
import type { ProofMode } from "../../core/loop/proof.ts";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { UserError } from "../../core/user-error.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";
import type { GivenCriterion } from "./given-criteria.ts";
import { collect } from "./options.ts";

const MOST_NAMED = 10;

/** Options that make a loop easier to end. Only a person may use them. */
export interface LooseningFlags {
  readonly notYet?: readonly string[];
  readonly once?: readonly string[];
  readonly mayChange?: readonly string[];
  readonly proof?: ProofMode;
}

export function addLooseningOptions(command: Command): Command {
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

/** Adds what the flags say about the use of their checks to the criteria. `tasks`: those of a plan that have a check of their own. */
export function withUses(
  criteria: readonly GivenCriterion[],
  { notYet = [], once = [] }: LooseningFlags,
  tasks: readonly string[] = [],
): readonly GivenCriterion[] {
  for (const name of notYet) {
    if (!tasks.includes(name)) expectCheck(criteria, "--not-yet", name, tasks);
    if (once.includes(name))
      throw new UserError(
        `"${oneLine(name, 60)}" has both --not-yet and --once; a check that runs once, at the end, may be missing until then: leave out --not-yet.`,
      );
  }
  for (const name of once) expectCheck(criteria, "--once", name);
  return criteria.map((each) => {
    const use = once.includes(each.name) ? "once" : notYet.includes(each.name) ? "not-yet" : null;
    return use === null ? each : used(each, use);
  });
}

function used({ name, check }: GivenCriterion, use: CheckUse): GivenCriterion {
  return { name, check: check === null ? null : { ...check, use } };
}

function expectCheck(
  criteria: readonly GivenCriterion[],
  flag: string,
  name: string,
  tasks: readonly string[] = [],
): void {
  if (criteria.some((each) => each.name === name && each.check !== null)) return;
  const named = criteria.filter(({ check }) => check !== null).map((each) => `"${oneLine(each.name, 60)}"`);
  const names = listed([...tasks, ...named], MOST_NAMED);
  throw new UserError(
    `${flag} "${oneLine(name, 60)}" names no ${tasks.length === 0 ? "" : "task or "}criterion with a check; there ${names === "" ? "are none" : `is ${names}`}.`,
  );
}

const STRICTNESS: { readonly [Mode in ProofMode]: number } = { off: 0, standard: 1, strict: 2 };

/** Inside an agent's session, such flags, `--here` and `--start-fresh` take the user's own typed command. `touched`: the loop that it goes into or ends, if any. */
export async function expectMayLoosen(
  { machine }: Pick<Context, "machine">,
  command: "run" | "start",
  flags: LooseningFlags & { readonly here?: boolean; readonly startFresh?: boolean },
  config: UsedConfig["config"],
  touched: LockedLoop | null,
): Promise<void> {
  const { notYet = [], once = [], mayChange = [], proof, here = false, startFresh = false } = flags;
  const usual = config?.proof ?? "standard";
  const isLooser = proof !== undefined && STRICTNESS[proof] < STRICTNESS[usual];
  const given = [
    ...notYet.map((name) => `--not-yet=${name}`),
    ...once.map((name) => `--once=${name}`),
    ...mayChange.map((glob) => `--may-change=${glob}`),
    ...(isLooser ? [`--proof=${proof}`] : []),
    ...(here ? ["--here"] : []),
    ...(startFresh && touched !== null ? ["--start-fresh"] : []),
  ];
  if (given.length > 0) await expectPerson(machine, command, touched, given);
}
