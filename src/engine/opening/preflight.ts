import { basename } from "node:path";
import { isAboutTests } from "../../verify/checks/cannot-run.ts";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { Examination, Look, NamedCheck } from "../../verify/checks/run-checks.ts";
import { lookAtChecks } from "../../verify/checks/run-checks.ts";
import type { Criterion } from "../../core/loop/criterion.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { standpointAt } from "../../storage/home/project.ts";
import type { Workplace } from "../../storage/home/project.ts";

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
