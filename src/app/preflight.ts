import { whyItCannotRun } from "../checks/cannot-run.ts";
import type { Examination, Look, NamedCheck } from "../checks/run-checks.ts";
import { lookAtChecks } from "../checks/run-checks.ts";
import type { Criterion } from "../core/criterion.ts";
import { isRepeatable } from "../core/criterion.ts";
import { oneLine } from "../text/plain-text.ts";
import type { Machine } from "../loops/machine.ts";
import { UserError } from "../loops/user-error.ts";
import type { Workplace } from "../store/workplace.ts";

/** What a check was found to do before the work. */
export interface PreflightLook extends Look {
  /** What was seen instead of a result; null: it ran. */
  readonly cannotRun: string | null;
}

interface PreflightOptions {
  readonly protects: readonly string[];
  /** Called with each result as it comes. */
  readonly tell?: (look: PreflightLook) => void;
  readonly signal?: AbortSignal;
}

/** Checks that cannot run, and that nobody said are to come. */
export class CannotRun extends UserError {}

/** The checks that are looked at before the work: all but those that have effects. */
export function checksToLookAt(
  criteria: readonly Pick<Criterion, "name" | "check">[],
): readonly NamedCheck[] {
  return criteria.flatMap(({ name, check }) =>
    check !== null && isRepeatable({ check }) ? [{ name, check }] : [],
  );
}

/** Runs every check once, before anything is created or paid. One that cannot run stops the start, unless it is to come. */
export async function preflight(
  machine: Machine,
  { root, folder }: Workplace,
  criteria: readonly Pick<Criterion, "name" | "check">[],
  options: PreflightOptions,
): Promise<Examination> {
  const missing: PreflightLook[] = [];
  const site = {
    root,
    folder,
    evidenceFolder: null,
    protects: options.protects,
    env: machine.env,
    now: machine.now,
    run: machine.processes.run,
    readTree: async () => machine.git.readTree(root),
    progress: machine.progress,
    signal: options.signal ?? null,
  };
  const examination = await lookAtChecks(site, checksToLookAt(criteria), (seen) => {
    const look = { ...seen, cannotRun: whyItCannotRun(seen.check, seen.evidence, seen.report) };
    if (look.cannotRun !== null && look.check.use !== "not-yet") missing.push(look);
    options.tell?.(look);
  });
  if (missing.length > 0) throw new CannotRun(`${whatCannotRun(missing)}; ${HOW_TO_START}`);
  return examination;
}

const HOW_TO_START =
  "fix the command, or add --not-yet NAME if the work will create what it calls. Nothing was started.";

function whatCannotRun(looks: readonly PreflightLook[]): string {
  const named = looks.map(({ name, cannotRun }) => `"${oneLine(name, 60)}" cannot run: ${cannotRun ?? ""}`);
  return `The check ${named.join("; the check ")}`;
}
