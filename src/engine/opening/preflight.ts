import { basename } from "node:path";
import { isAboutTests } from "../../verify/checks/cannot-run.ts";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { Examination, Look, NamedCheck } from "../../verify/checks/run-checks.ts";
import { lookAtChecks, runChecks } from "../../verify/checks/run-checks.ts";
import type { Criterion } from "../../core/criterion.ts";
import { isRepeatable } from "../../core/criterion.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { standpointAt } from "../../storage/home/standpoint.ts";
import type { Workplace } from "../../storage/home/workplace.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { checkSiteOf, checksOf } from "./checks-of-loop.ts";
import { topFrame } from "../../core/loop.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { openingsOf } from "../../verify/baseline/of-loop.ts";
import { noteStart } from "../../verify/baseline/take-opening.ts";
import { noteWritten } from "../../verify/baseline/written-files.ts";
import { recordExamination } from "../lifecycle/check-loop.ts";

/** The result of a check before the work. */
export type PreflightLook = Look;

interface PreflightOptions {
  readonly spec: string;
  readonly protects: readonly string[];
  /** Called with each result as it comes in. */
  readonly tell?: (look: PreflightLook) => void;
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

/** Runs every check once, before anything is created or paid. A check that cannot run stops the start, unless it is marked `--not-yet`. */
export async function preflight(
  machine: Machine,
  workplace: Workplace,
  criteria: readonly Pick<Criterion, "name" | "check">[],
  options: PreflightOptions,
): Promise<Examination> {
  const missing: PreflightLook[] = [];
  const site = siteBeforeLoop(machine, workplace, options);
  const examination = await lookAtChecks(site, checksToLookAt(criteria), (look) => {
    if (isMissing(look) && !isInSpec(look, options.spec)) missing.push(look);
    options.tell?.(look);
  });
  if (missing.length > 0) throw new CannotRun(`${whatCannotRun(missing)}; ${howToStart(missing)}`);
  return examination;
}

function howToStart(missing: readonly PreflightLook[]): string {
  const flags = missing.map(({ name }) => `--not-yet "${oneLine(name, 60)}"`).join(" ");
  return `fix the command, or add ${flags} if the work will create what it calls. Nothing was started.`;
}

/** It cannot run and isn't marked `--not-yet`. */
export function isMissing({ cannotRun, check }: PreflightLook): boolean {
  return cannotRun !== null && check.use !== "not-yet";
}

/** Tests that aren't there, and that the spec names: they may be the work. */
function isInSpec({ cannotRun }: PreflightLook, spec: string): boolean {
  return isAboutTests(cannotRun) && spec.includes(basename(cannotRun));
}

export function whatCannotRun(looks: readonly PreflightLook[]): string {
  const named = looks.map(
    ({ name, cannotRun }) => `"${oneLine(name, 60)}" cannot run: ${(cannotRun ?? "").replace(/\.$/, "")}`,
  );
  return `The check ${named.join("; the check ")}`;
}

/** Outputs are kept with a loop, and no loop exists yet. */
function siteBeforeLoop(
  machine: Machine,
  { root, folder }: Workplace,
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
    takeResources: async (until) => {
      const { takeResources } = await import("./project-resources.ts");
      return takeResources(machine, standpointAt(folder), until);
    },
    signal: signal ?? null,
  };
}

/** Runs a check that joins an open loop, once, before it does. undefined: it has none to run, or the files changed meanwhile. */
export async function lookLater(
  machine: Machine,
  locked: LockedLoop,
  criterion: Pick<Criterion, "name" | "check">,
  tell: (look: Look) => void,
): Promise<Examination | undefined> {
  const checks = checksToLookAt([criterion]);
  if (checks.length === 0) return undefined;
  const site = checkSiteOf(machine, locked);
  const before = await site.readTree();
  const looked = await lookAtChecks(site, checks, tell);
  const after = await site.readTree();
  return before !== null && before.digest === after?.digest ? looked : undefined;
}

/** Red first: runs each check once before the work, to know what was already true. */
export async function runRedFirst(
  machine: Machine,
  locked: LockedLoop,
  options: { readonly tree?: TreeReading | null; readonly signal?: AbortSignal } = {},
): Promise<TreeReading | null> {
  const checks = checksOf(topFrame(locked.live.loop).criteria.filter(isRepeatable));
  const site = checkSiteOf(machine, locked, options.signal ?? null);
  const examination = await runChecks(site, checks, { tree: options.tree ?? null });
  const openings = openingsOf(machine, locked);
  noteStart(openings, examination, { isAgents: false });
  noteWritten(openings, [...examination.written.values()].flat());
  await recordExamination(locked.live, checks, examination, { atStart: true });
  return examination.tree;
}
