import { resolve } from "node:path";
import { globFrom } from "../../core/loop/folder.ts";
import type { Binding, Shape } from "../../core/loop/loop.ts";
import type { ProofMode } from "../../core/loop/proof.ts";
import { UserError } from "../../core/user-error.ts";
import { durationMs } from "../../system/text/quantities.ts";
import type { ProjectConfig } from "../../storage/home/project-config.ts";
import type { CallerLocation } from "../../storage/home/project.ts";
import { findPermit } from "../../storage/home/session-files.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { configuredHoldout, type Configured } from "../../verify/holdouts/asked-holdout.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { Wanted } from "./asked-loop.ts";
import { parseMustNot, planFromConfig, type UsedConfig } from "./config-plan.ts";
import { givenCriteria, withUses } from "./given-criteria.ts";
import { flagsPastBounds, setLimits, type LimitFlags, type SetLimits } from "./limits.ts";
import { expectSensible, expectCallerLocation } from "./openable.ts";
import type { LooseningFlags, Opener, OpeningFlags } from "./opener.ts";
import type { NamedPlan } from "./plan-source.ts";

/** What somebody wants opened. */
export interface Wish {
  readonly command: "run" | "start";
  readonly flags: OpeningFlags & { readonly startFresh?: boolean };
  readonly readSpec: () => string;
  /** As a frame inside an open loop. */
  readonly nested?: boolean;
  /** The plan that is worked on: flags may name its tasks. */
  readonly plan?: NamedPlan | null;
  /** If it was looked up before. */
  readonly standing?: Standing;
  readonly fresh?: FreshStart | null;
}

/** The unfinished loop that a fresh start ends. */
export interface FreshStart {
  readonly loop: KnownLoop;
  readonly cancel: () => Promise<void>;
}

/** Where a loop is opened, and what the nearest config adds to it. */
export interface Standing {
  readonly callerLocation: CallerLocation;
  readonly used: UsedConfig;
}

export interface Resolved {
  readonly wanted: Wanted;
  readonly used: UsedConfig;
  readonly notices: readonly string[];
}

/** Who works on a loop: agents that a run starts, or the agent of a session. */
export type Worker =
  | { readonly type: "run"; readonly choice: AgentChoice }
  | { readonly type: "session"; readonly binding: Binding };

export function standHere(
  machine: Machine,
  { nested = false, here = false }: { readonly nested?: boolean; readonly here?: boolean },
): Standing {
  const callerLocation = expectCallerLocation(machine, { nested, here });
  const used = planFromConfig(machine, callerLocation);
  // Its budget, its boundaries and its checks would all be missing.
  if (used.unreadable !== null && !nested)
    throw new UserError(`Cannot use ${used.unreadable}. Correct it, or delete it. Nothing was started.`);
  return { callerLocation, used };
}

/** What is wanted, once its caller may have it. What a fresh start replaces ends here. */
export async function resolveAllowed(opener: Opener, wish: Wish): Promise<Resolved> {
  const { machine } = opener;
  const resolved = await resolveOpening(opener, wish);
  const { command, flags, fresh = null } = wish;
  await expectMayLoosen(machine, command, flags, resolved.used.config, fresh?.loop ?? null);
  if (fresh !== null) {
    if (wish.plan == null) await expectSensible(machine, resolved.wanted, resolved.wanted);
    await fresh.cancel();
  }
  return resolved;
}

/** Flags before the nearest config. Globs are those of the folder in which they were typed. A frame inside a loop takes nothing from the config: the loop has it. */
export async function resolveOpening(
  opener: Opener,
  { command, flags, readSpec, nested = false, plan = null, standing }: Wish,
): Promise<Resolved> {
  const { machine } = opener;
  const { callerLocation, used } = standing ?? standHere(machine, { nested, here: flags.here === true });
  const { folder } = callerLocation;
  const given = await givenCriteria(opener, flags);
  const holdout = nested
    ? { asked: null, notices: [] }
    : askHoldout(machine, callerLocation, flags.holdoutFrom);
  const names = new Set(given.criteria.map(({ name }) => name));
  const ofConfig = nested ? [] : used.criteria.filter(({ name }) => !names.has(name));
  const limits = limitsOf(machine, flags, used.config);
  const spec = readSpec();
  const mustNots = (flags.mustNot ?? []).map((text) => parseMustNot(text, flags.checkTimeout, folder));
  const protects = globsFrom(folder, flags.protect);
  const isAgents = agentsOwn(machine, command);
  return {
    wanted: {
      spec,
      agents: {
        criteria: given.criteria.filter((_, index) => isAgents(flags.criterion?.[index])),
        mustNots: mustNots.filter((_, index) => isAgents(flags.mustNot?.[index])),
        protects: protects.filter((_, index) => isAgents(flags.protect?.[index])),
      },
      criteria: withUses([...given.criteria, ...ofConfig], flags, plan === null ? [] : checkedTasks(plan)),
      steps: flags.step ?? [],
      mustNots: [...mustNots, ...(nested ? [] : used.mustNots)],
      protects: [...protects, ...(nested ? [] : used.protects)],
      exitRule: flags.exitRule,
      mode: flags.mode,
      shape: flags.shape ?? shapeOfEnv(machine.env) ?? used.config?.shape ?? null,
      limits,
      proof: flags.proof ?? used.proof,
      proofBudgetMs: flags.proofBudget === undefined ? used.proofBudgetMs : durationMs(flags.proofBudget),
      mayChange: [...globsFrom(folder, flags.mayChange), ...(nested ? [] : used.mayChange)],
      holdout: holdout.asked,
    },
    used,
    notices: [...limits.notices, ...used.notices, ...holdout.notices, ...given.notices],
  };
}

/** Tells which values of flags an agent wrote by itself: those that its user didn't type with the command. */
function agentsOwn(machine: Machine, command: Wish["command"]): (value: string | undefined) => boolean {
  const caller = callerNow(machine);
  if (caller.kind === "person") return () => false;
  const permit = caller.session === null ? null : findPermit(machine.home, caller.session, machine.now());
  const typed = permit?.command === command ? permit.args : "";
  return (value) => value !== undefined && !typed.includes(value);
}

function limitsOf(machine: Machine, flags: OpeningFlags, config: ProjectConfig | null): SetLimits {
  return setLimits(
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
    config,
  );
}

function limitOf(limit: number | "none"): number | null {
  return limit === "none" ? null : limit;
}

/** The folder that a flag names, else the one that the user keeps for this project, or the nearest folder of it. */
function askHoldout(
  { home, cwd }: Machine,
  callerLocation: CallerLocation,
  flag: string | undefined,
): Configured {
  if (flag === undefined) return configuredHoldout(home, callerLocation);
  return {
    asked: {
      type: "folder",
      folder: resolve(cwd, flag),
      over: callerLocation.folder,
      namedBy: "--holdout-from",
    },
    notices: [],
  };
}

function checkedTasks({ draft }: NamedPlan): readonly string[] {
  return draft.tasks.filter(({ verify }) => verify !== null).map(({ id }) => id);
}

function globsFrom(folder: string, globs: readonly string[] = []): readonly string[] {
  return globs.map((glob) => globFrom(folder, glob));
}

const SHAPES_OF_ENV = ["auto", "tool", "tool-review", "colleague"] as const;

/** `LOOP_SHAPE`; null: it leaves the shape to config and score. */
export function shapeOfEnv(env: NodeJS.ProcessEnv): Shape | null {
  const text = env["LOOP_SHAPE"];
  if (text === undefined || text === "") return null;
  const shape = SHAPES_OF_ENV.find((each) => each === text);
  if (shape === undefined)
    throw new UserError(
      `LOOP_SHAPE is "${text.slice(0, 40)}"; set it to ${SHAPES_OF_ENV.join(", ")}, or unset it.`,
    );
  return shape === "auto" ? null : shape;
}

const STRICTNESS: { readonly [Mode in ProofMode]: number } = { off: 0, standard: 1, strict: 2 };

/** Inside an agent's session, loosening flags, limits past their bounds, `--here` and `--start-fresh` take the user's own typed command. `touched`: the loop that it goes into or ends, if any. */
export async function expectMayLoosen(
  machine: Machine,
  command: Wish["command"],
  flags: LooseningFlags & LimitFlags & { readonly here?: boolean; readonly startFresh?: boolean },
  config: ProjectConfig | null,
  touched: KnownLoop | null,
): Promise<void> {
  const { notYet = [], once = [], mayChange = [], proof, here = false, startFresh = false } = flags;
  const usual = config?.proof ?? "standard";
  const isLooser = proof !== undefined && STRICTNESS[proof] < STRICTNESS[usual];
  const given = [
    ...notYet.map((name) => `--not-yet=${name}`),
    ...once.map((name) => `--once=${name}`),
    ...mayChange.map((glob) => `--may-change=${glob}`),
    ...(isLooser ? [`--proof=${proof}`] : []),
    ...(flags.proofBudget === undefined ? [] : [`--proof-budget=${flags.proofBudget}`]),
    ...flagsPastBounds(flags),
    ...(here ? ["--here"] : []),
    ...(startFresh && touched !== null ? ["--start-fresh"] : []),
  ];
  if (given.length > 0) await expectPerson(machine, command, touched, given);
}
