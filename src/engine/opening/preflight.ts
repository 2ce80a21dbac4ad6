import { basename } from "node:path";
import { isAboutTests } from "../../verify/checks/cannot-run.ts";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { Examination, Look, NamedCheck } from "../../verify/checks/run-checks.ts";
import { lookAtChecks, runChecks } from "../../verify/checks/run-checks.ts";
import { isRepeatable, type Criterion } from "../../core/loop/criterion.ts";
import { saysItRanNothing } from "../../core/output/ran-nothing.ts";
import { fileList } from "../../views/file-list.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { callerLocationAt, isInRepository, type WorkingDirectory } from "../../storage/home/project.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { checkSiteOf, checksOf, guardedFiles, takeResources } from "./checks-of-loop.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { baselinesOf, noteWritten } from "../../verify/baseline/loop-baselines.ts";
import { noteStart } from "../../verify/baseline/take-baseline.ts";
import type { AskedCriterion, PlainLoop, Preflighted } from "./asked-loop.ts";
import type { OpenableFrame, OpenableLoop } from "./openable.ts";
import type { Opener } from "./opener.ts";
import { recordExamination } from "../lifecycle/check-loop.ts";

interface PreflightOptions {
  readonly spec: string;
  readonly protects: readonly string[];
  /** Called with each result as it comes in. */
  readonly tell?: (look: Look) => void;
  readonly signal?: AbortSignal;
}

/** Checks that cannot run and aren't marked `--not-yet`. */
export class CannotRun extends UserError {}

/** The checks to run before the work: all except those with side effects. */
export function checksToLookAt(
  criteria: readonly Pick<Criterion, "name" | "check">[],
): readonly NamedCheck[] {
  return criteria.flatMap(({ name, check }) =>
    check !== null && isRepeatable({ check }) ? [{ name, check }] : [],
  );
}

/** Runs the checks before the loop is opened, shows each result, and says what they mean. */
export async function lookFirst(
  { machine, tell, show }: Pick<Opener, "machine" | "tell" | "show">,
  { asked, workingDirectory }: OpenableLoop<PlainLoop> | OpenableFrame,
): Promise<Preflighted> {
  const checks = checksToLookAt(asked.criteria);
  const withChecks = asked.criteria.filter(({ check }) => check !== null);
  if (withChecks.length === 0) return {};
  show({ type: "looking", criteria: withChecks });
  const looks: Look[] = [];
  // A frame's files are guarded by its loop.
  const rules = asked.kind === "frame" ? { protects: [], mustNots: [] } : asked;
  const guarded = await guardedFiles(workingDirectory.root, rules);
  const looked = await preflight(machine, workingDirectory, asked.criteria, {
    spec: asked.spec,
    protects: rules.protects,
    tell: (look) => {
      looks.push(look);
      show({ type: "looked", look });
    },
  });
  for (const { name, check } of withChecks) if (check?.use === "once") show({ type: "later", name });
  for (const notice of [...noticesOf(looks, checks.length), ...changingNotices(looks, workingDirectory.root)])
    tell(notice);
  return { looked, guarded };
}

/** What the results mean for the loop. */
function noticesOf(looks: readonly Look[], checks: number): readonly string[] {
  const green = looks.filter(({ evidence }) => evidence.passed);
  return [
    ...green.map(greenNotice),
    ...looks.filter(isCutOff).map(cutOffNotice),
    ...(green.length > 0 && green.length === checks
      ? ["No check fails yet. Add one that fails now and passes when the work is done: -c 'NAME=COMMAND'"]
      : []),
  ];
}

/** It had no time left; what it tests isn't known. */
function isCutOff({ check, evidence }: Look): boolean {
  return evidence.exitCode === null && evidence.durationMs >= check.timeoutMs;
}

function cutOffNotice({ name, evidence }: Look): string {
  return `"${oneLine(name, 60)}" ${evidence.ending}, and can only pass in less. If it needs longer, say so: --check-timeout TIME`;
}

function greenNotice({ name, evidence }: Look): string {
  const said = saysItRanNothing(evidence.outputTail);
  if (said === null)
    return `"${oneLine(name, 60)}" already passes before any work, so it cannot show that the work is done unless the work changes what it tests.`;
  const target = /['`]([^']+)' is up to date/.exec(said)?.[1];
  const advice =
    target === undefined
      ? ", so it cannot show that the work is done."
      : `: a file or folder called ${oneLine(target, 60)} is there. If that isn't what make should build, add this line to the Makefile: .PHONY: ${oneLine(target, 60)}`;
  return `"${oneLine(name, 60)}" runs nothing (${oneLine(said, 120)})${advice}`;
}

function changingNotices(looks: readonly Look[], root: string): readonly string[] {
  const advice = changingAdvice(root);
  return looks
    .filter(({ altered }) => altered.length > 0)
    .map(
      ({ name, altered }) =>
        `"${oneLine(name, 60)}" changes the project's files when it runs (${fileList(altered)}); ${advice}`,
    );
}

/** What to do about a check that changes the project's files. */
export function changingAdvice(folder: string): string {
  return isInRepository(folder)
    ? "make git ignore what it writes."
    : "make it write outside the project, or its pass may be weak.";
}

/** Runs every check once, before anything is created or paid. A check that cannot run stops the start, unless it is marked `--not-yet`. */
async function preflight(
  machine: Machine,
  workingDirectory: WorkingDirectory,
  criteria: readonly Pick<Criterion, "name" | "check">[],
  options: PreflightOptions,
): Promise<Examination> {
  const missing: Look[] = [];
  const site = siteBeforeLoop(machine, workingDirectory, options);
  const examination = await lookAtChecks(site, checksToLookAt(criteria), (look) => {
    if (isMissing(look) && !isInSpec(look, options.spec)) missing.push(look);
    options.tell?.(look);
  });
  if (missing.length > 0) throw new CannotRun(`${whatCannotRun(missing)}; ${howToStart(missing)}`);
  return examination;
}

function howToStart(missing: readonly Look[]): string {
  const flags = missing.map(({ name }) => `--not-yet "${oneLine(name, 60)}"`).join(" ");
  return `fix the command, or add ${flags} if the work will create what it calls. Nothing was started.`;
}

/** It cannot run and isn't marked `--not-yet`. */
export function isMissing({ cannotRun, check }: Look): boolean {
  return cannotRun !== null && check.use !== "not-yet";
}

/** Tests that aren't there, and that the spec names: they may be the work. */
function isInSpec({ cannotRun }: Look, spec: string): boolean {
  return isAboutTests(cannotRun) && spec.includes(basename(cannotRun));
}

export function whatCannotRun(looks: readonly Look[]): string {
  const named = looks.map(
    ({ name, cannotRun }) => `"${oneLine(name, 60)}" cannot run: ${(cannotRun ?? "").replace(/\.$/, "")}`,
  );
  return `The check ${named.join("; the check ")}`;
}

/** Outputs are kept with a loop, and no loop exists yet. */
function siteBeforeLoop(
  machine: Machine,
  { root, folder }: WorkingDirectory,
  { protects, signal }: PreflightOptions,
): CheckSite {
  return {
    root,
    folder,
    evidenceFolder: null,
    protects,
    env: machine.env,
    now: machine.now,
    run: machine.processes.run,
    readTree: async () => machine.git.readTree(root),
    progress: machine.progress,
    takeResources: async (until) => takeResources(machine, callerLocationAt(folder), until),
    signal: signal ?? null,
  };
}

/**
 * Runs a check that joins an open loop, once, before it does. undefined: it has none to run, or the files changed meanwhile.
 */
export async function lookLater(
  { machine, tell, show }: Pick<Opener, "machine" | "tell" | "show">,
  known: KnownLoop,
  criterion: AskedCriterion,
): Promise<Examination | undefined> {
  const checks = checksToLookAt([criterion]);
  if (checks.length === 0) return undefined;
  const site = checkSiteOf(machine, known);
  const before = await site.readTree();
  const looks: Look[] = [];
  const looked = await lookAtChecks(site, checks, (look) => {
    looks.push(look);
    show({ type: "looked", look });
  });
  const after = await site.readTree();
  for (const notice of changingNotices(looks, known.workingDirectory.root)) tell(notice);
  return before !== null && before.digest === after?.digest ? looked : undefined;
}

/** Red first: runs each check once before the work, to know what was already true. */
export async function runRedFirst(
  machine: Machine,
  known: KnownLoop,
  options: { readonly tree?: TreeReading | null; readonly signal?: AbortSignal } = {},
): Promise<TreeReading | null> {
  const checks = checksOf(topFrame(known.live.loop).criteria.filter(isRepeatable));
  const site = checkSiteOf(machine, known, options.signal ?? null);
  const examination = await runChecks(site, checks, { tree: options.tree ?? null });
  const openings = baselinesOf(machine, known);
  noteStart(openings, examination, { isAgents: false });
  noteWritten(openings, [...examination.written.values()].flat());
  await recordExamination(known.live, checks, examination, { atStart: true });
  return examination.tree;
}
