import { runChecks, type Examination, type NamedCheck } from "../../verify/checks/run-checks.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { holdoutTime } from "../../verify/holdouts/kept-holdout.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { announceChecks } from "../../storage/home/job.ts";
import { criterionName } from "./amend.ts";
import { checkSiteOf } from "../opening/checks-of-loop.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { expectOpen } from "./lifecycle.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";

export interface Checked {
  readonly loop: Loop;
  readonly examination: Examination;
}

interface CheckOptions {
  readonly signal?: AbortSignal;
}

/** Runs the checks now, whatever is already known, and records the results. */
export async function checkLoop(
  machine: Machine,
  chosen: KnownLoop,
  names: readonly string[],
  options: CheckOptions = {},
): Promise<Checked> {
  const { live } = chosen;
  const { loop, project } = live;
  expectOpen(loop);
  const wanted = new Set(names.map((name) => criterionName(loop, name)));
  const checks = topFrame(loop).criteria.flatMap(({ name, check }) =>
    check !== null && (wanted.size === 0 ? check.use !== "once" : wanted.has(name)) ? [{ name, check }] : [],
  );
  if (checks.length === 0) {
    throw new UserError("No checks to run; add one with: loop criteria add 'tests pass' --check 'npm test'");
  }
  const conceal = announceChecks(
    { home: machine.home, root: project.root, loop: loop.id },
    {
      startedAt: machine.now(),
      expiresAt:
        machine.now() +
        longestRun(checks) +
        holdoutTime({ home: machine.home, root: project.root, id: loop.id }),
    },
  );
  try {
    const examination = await runChecks(checkSiteOf(machine, chosen, options.signal ?? null), checks);
    // Recorded before the note is removed, so a waiting process finds the evidence.
    await recordExamination(live, checks, examination, { atStart: false });
    return { loop: live.loop, examination };
  } finally {
    conceal();
  }
}

/** Each check may run up to four times, then four more times for its proofs, and takes a moment to end. */
export function longestRun(checks: readonly NamedCheck[]): number {
  return checks.reduce((sum, { check }) => sum + 8 * (check.timeoutMs + 2_000), 60_000);
}

/** The results of the last checks, whoever ran them. */
export async function lastExamination(
  machine: Pick<Machine, "git">,
  { live, workingDirectory }: KnownLoop,
): Promise<Checked> {
  const loop = await live.refresh();
  const evidence = new Map(
    topFrame(loop).criteria.flatMap(({ name, check, evidence }) =>
      check !== null && evidence !== null ? [[name, evidence] as const] : [],
    ),
  );
  return {
    loop,
    examination: {
      tree: await machine.git.readTree(workingDirectory.root),
      evidence,
      reports: new Map(),
      unrun: new Map(),
      written: new Map(),
    },
  };
}

/** Records the results for the criteria that still have exactly the check that ran. */
export async function recordExamination(
  live: LiveLoop,
  checks: readonly NamedCheck[],
  { evidence }: Pick<Examination, "evidence">,
  { atStart }: { readonly atStart: boolean },
): Promise<void> {
  await live.record((loop) => {
    expectOpen(loop);
    return topFrame(loop).criteria.flatMap(({ name, check }): readonly LoopEvent[] => {
      const ran = checks.find((each) => each.name === name);
      const shown = evidence.get(name);
      if (shown === undefined || JSON.stringify(ran?.check) !== JSON.stringify(check)) return [];
      return [{ type: "check.ran", name, evidence: shown, atStart }];
    });
  });
}
