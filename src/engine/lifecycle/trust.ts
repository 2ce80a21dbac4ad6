import { join } from "node:path";
import { digestsOfMustNots } from "../../verify/checks/must-nots.ts";
import { describeCheck, describeCommand, type Check } from "../../core/loop/criterion.ts";
import type { OpenedGoal } from "../../core/events/event.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { Journal, LoadedJournal } from "../../storage/journal/journal.ts";
import { createApproval, readApproval } from "../../storage/home/approval-record.ts";
import type { ProjectConfig } from "../../storage/home/project-config.ts";
import { approveConfig, configName, findConfig, commandOf } from "../../storage/home/project-config.ts";
import { linkBelow, callerLocationAt, workingDirectoryOf, type Project } from "../../storage/home/project.ts";
import { durationText } from "../../system/text/quantities.ts";
import { visible } from "../../system/text/plain-text.ts";
import { pathDigests } from "../../system/tree/path-digests.ts";
import { planOf, type ConfigPlan } from "../opening/config-plan.ts";
import { loopIdOf } from "../../storage/loops/choose-loop.ts";
import { inspectLoop } from "../../storage/loops/known-loop.ts";
import { isBelowAgentOf } from "../../storage/loops/caller-now.ts";
import { expectPerson, onlyForUser } from "./expect-person.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";

/** Something in the project that needs a person's approval, with everything it would do. */
export interface Untrusted {
  readonly what: string;
  readonly spec: string | null;
  /** Every command, word for word, with nothing hidden. */
  readonly commands: readonly string[];
  readonly approve: () => Promise<void>;
}

export interface Strangers {
  readonly untrusted: readonly Untrusted[];
  /** What cannot be approved, and why. */
  readonly unusable: readonly string[];
}

/** What isn't trusted here, shown before any of it runs. */
export async function findStrangers(machine: Machine, wanted: string | undefined): Promise<Strangers> {
  const callerLocation = callerLocationAt(machine.cwd);
  const { project } = callerLocation;
  const untrusted: Untrusted[] = [];
  const unusable: string[] = [];
  if (wanted === undefined) {
    const found = findConfig(machine.home, callerLocation);
    if (found.type === "unreadable")
      unusable.push(`${visible(configName(found.folder))} cannot be used: ${found.why}.`);
    if (found.type === "untrusted") {
      const { config, folder, digest } = found;
      untrusted.push({
        what: visible(configName(folder)),
        spec: null,
        commands: linesOfConfig(config, folder),
        approve: async () => approveConfig(machine.home, join(project.root, folder), digest),
      });
    }
  }
  const journals = machine.journals(project);
  const ids = wanted === undefined ? await journals.list() : [await loopIdOf(machine, project, wanted)];
  for (const id of ids.toSorted()) {
    if ((await inspectLoop(machine, project, id)).type !== "untrusted") continue;
    const link = linkBelow(project, id);
    const loaded = link === null ? await loadStrange(journals.of(id), id) : cannotApprove(id, link);
    if (typeof loaded === "string") unusable.push(loaded);
    else untrusted.push(strangeLoop(machine, project, loaded));
  }
  return { untrusted, unusable };
}

export async function approveAll(machine: Machine, things: readonly Untrusted[]): Promise<void> {
  await expectPerson(machine, "trust", null);
  for (const thing of things) await thing.approve();
}

function strangeLoop(machine: Machine, project: Project, loaded: LoadedJournal): Untrusted {
  const { loop } = loaded;
  return {
    what: `the loop ${loop.id}`,
    spec: topFrame(loop).spec,
    commands: [
      ...(loop.folder === "" ? [] : [`runs in: ${visible(loop.folder)}`]),
      ...linesOfPlan({
        criteria: [...loop.frames.flatMap((frame) => frame.criteria), ...tasksOf(loop)],
        mustNots: loop.mustNots,
        protects: loop.protects,
        mayChange: loop.mayChange,
        proof: loop.proof,
        proofBudgetMs: loop.proofBudgetMs,
      }),
      ...linesOfSettings(settingsOfLoop(loop)),
    ],
    approve: async () => {
      if (isBelowAgentOf(machine, loop)) throw onlyForUser("loop trust");
      // If this machine knew the loop before, guarded files are still compared with that time.
      const known = readApproval({ home: machine.home, root: project.root, loop: loop.id });
      const worktree = known?.worktree ?? null;
      const { root } = workingDirectoryOf(project, worktree, loop.folder);
      await voidEvidence(machine, machine.journals(project).of(loop.id), loaded);
      createApproval(machine.home, loop, {
        root: project.root,
        worktree,
        protectedFiles: await pathDigests({ root, globs: loop.protects }),
        mustNotFiles: known?.mustNotFiles ?? (await digestsOfMustNots(root, loop.mustNots)),
      });
    },
  };
}

/** The checks of a plan are commands as well. */
function tasksOf({ workflow }: Loop): OpenedGoal["criteria"] {
  return (workflow?.plan.tasks ?? []).map(({ id, subject, check }) => ({ name: `${id} ${subject}`, check }));
}

/** Before trusting it: evidence from elsewhere doesn't count here, and a foreign snapshot isn't believed. */
async function voidEvidence(
  machine: Pick<Machine, "now">,
  journal: Journal,
  { loop, cursor }: LoadedJournal,
): Promise<void> {
  journal.forget();
  if (isEnded(loop)) return;
  const appended = await journal.append(cursor, machine.now(), [{ type: "loop.trusted" }]);
  if (appended.type === "won") return;
  throw new UserError(`The loop ${loop.id} changed meanwhile; review it again with: loop trust ${loop.id}`);
}

/** How much a foreign loop may spend, and how little it has to prove. */
function settingsOfLoop({ limits, frames, proof, mayChange, shape }: Loop): Settings {
  const { budgetUsd, tokens, minutes, ttlMs: _idle, ...breakers } = limits;
  return {
    shape,
    ...(budgetUsd === null ? { cost: "no limit" } : { budget: budgetUsd }),
    iterations: frames[0].iterationLimit ?? "no limit",
    maxTokens: tokens ?? undefined,
    maxMinutes: minutes ?? undefined,
    ...breakers,
    proof,
    mayChange: mayChange.length === 0 ? undefined : mayChange.join(", "),
  };
}

/** Folds the whole journal, because a foreign snapshot isn't believed. A string says why it cannot be read. */
async function loadStrange(journal: Journal, id: LoopId): Promise<LoadedJournal | string> {
  try {
    return await journal.load({ fromScratch: true });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return cannotApprove(id, error.message);
  }
}

function cannotApprove(id: LoopId, why: string): string {
  return `The loop ${id} cannot be approved: ${why}.`;
}

function linesOfConfig(config: ProjectConfig, folder: string): readonly string[] {
  try {
    const setup = (config.worktreeSetup ?? []).map(
      (each) => `worktree setup: ${visible(describeCommand(commandOf(each)))}`,
    );
    return [...linesOfPlan(planOf(config, folder)), ...setup, ...linesOfSettings(settingsOf(config))];
  } catch (error) {
    throw error instanceof UserError
      ? new UserError(`${visible(configName(folder))}: ${error.message}`)
      : error;
  }
}

/** Shown as parts of the plan; the last one is only for editors. */
const SHOWN_OTHERWISE = new Set([
  "checks",
  "mustNot",
  "protect",
  "worktreeSetup",
  "proof",
  "proofBudget",
  "mayChange",
  "$schema",
]);

/** Everything a config says beyond its plan, so that a future key is shown automatically. */
function settingsOf(config: ProjectConfig): Settings {
  const { limits = {}, ...others } = config;
  const own = Object.entries({ ...others, ...limits }).filter(([name]) => !SHOWN_OTHERWISE.has(name));
  return Object.fromEntries(own);
}

type Settings = { readonly [name: string]: unknown };

/** 0 switches these off. */
const BREAKERS = new Set(["stuck", "sameError", "sameFile", "noProgress"]);

function linesOfSettings(settings: Settings): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === 0 && BREAKERS.has(name)) return `${name}: off`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}: ${name === "budget" ? "$" : ""}${visible(text)}`;
  });
}

function linesOfPlan(
  plan: Omit<ConfigPlan, "criteria" | "setup"> & Pick<OpenedGoal, "criteria">,
): readonly string[] {
  return [
    ...plan.criteria.flatMap(({ name, check }) =>
      check === null ? [] : [`${visible(name)}: ${checkText(check)}`],
    ),
    ...plan.mustNots.map((each) =>
      each.kind === "path"
        ? `must not change: ${visible(each.glob)}`
        : `must not fail: ${checkText(each.check)}`,
    ),
    ...plan.protects.map((glob) => `protected: ${visible(glob)}`),
    ...plan.mayChange.map((glob) => `may change, whatever it judges: ${visible(glob)}`),
    ...(plan.proof === "standard" ? [] : [`proof: ${plan.proof}`]),
    ...(plan.proofBudgetMs === null ? [] : [`proof budget: ${durationText(plan.proofBudgetMs)}`]),
  ];
}

const USES = { "not-yet": ", may be missing at first", once: ", once, at the very end" } as const;

function checkText(check: Check): string {
  const { timeoutMs, passEnv, use } = check;
  const secrets = passEnv.length === 0 ? "" : `, and gets ${passEnv.map(visible).join(", ")}`;
  return `${visible(describeCheck(check))}  (within ${timeoutMs / 1000} s${secrets}${use === undefined ? "" : USES[use]})`;
}
