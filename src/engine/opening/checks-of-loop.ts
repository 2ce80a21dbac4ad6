import { join } from "node:path";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import { callerLocationOf, localLoop, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { loopFolder, type CallerLocation } from "../../storage/home/project.ts";
import type { Examination, NamedCheck } from "../../verify/checks/run-checks.ts";
import type { Check } from "../../core/loop/criterion.ts";
import { baselinesOf, writtenFiles } from "../../verify/baseline/loop-baselines.ts";
import { takeBaseline, type BaselineOptions } from "../../verify/baseline/take-baseline.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { findConfig } from "../../storage/home/project-config.ts";
import { acquireResources } from "../../worktrees/attempts/resources.ts";
import { digestsOfMustNots, lookAtMustNots } from "../../verify/checks/must-nots.ts";
import type { MustNot, Loop } from "../../core/loop/loop.ts";
import { addMustNotFiles, approvePlan, type ApprovalRecord } from "../../storage/home/approval-record.ts";
import { combinedDigest, pathDigests } from "../../system/tree/path-digests.ts";
import type { MustNotObservation } from "../../core/stop/facts.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";

/** `signal` stops running checks; their results are discarded. */
export function checkSiteOf(
  machine: Machine,
  { id, live, workingDirectory }: Pick<KnownLoop, "id" | "live" | "workingDirectory">,
  signal: AbortSignal | null = null,
): CheckSite {
  return {
    root: workingDirectory.root,
    folder: workingDirectory.folder,
    evidenceFolder: join(loopFolder(live.project, id), "evidence"),
    protects: live.loop.protects,
    env: machine.env,
    now: machine.now,
    run: machine.processes.run,
    readTree: async () => machine.git.readTree(workingDirectory.root),
    products: () => writtenFiles(baselinesOf(machine, { id, live })),
    progress: machine.progress,
    takeResources: async (until) => takeResources(machine, callerLocationOf({ live }), until),
    signal,
  };
}

/** Criteria that a command decides. */
export function checksOf(
  criteria: readonly { readonly name: string; readonly check: Check | null }[],
): readonly NamedCheck[] {
  return criteria.flatMap(({ name, check }) => (check === null ? [] : [{ name, check }]));
}

/** The opening of a frame pushed onto an open loop, or of a criterion added to it. */
export async function keepLaterBaseline(
  machine: Machine,
  known: KnownLoop,
  criteria: Parameters<typeof checksOf>[0],
  { isFrame, looked }: { readonly isFrame: boolean; readonly looked?: Examination | undefined },
): Promise<void> {
  const { live, workingDirectory } = known;
  const which = baselinesOf(machine, known);
  const options: BaselineOptions = {
    place: { root: workingDirectory.root, home: machine.home },
    which: isFrame ? { ...which, depth: which.depth + 1 } : which,
    folder: live.loop.folder,
    now: machine.now(),
    reading: await machine.git.readTree(workingDirectory.root),
    ...(looked === undefined ? {} : { looked }),
  };
  await takeBaseline(options, checksOf(criteria), { isFrame });
}

const LOOK_AGAIN_MS = 100;

/**
 * Waits for one unit of each resource that the project's approved config names, and takes them: `{"db": 1}` lets one command at a time
 * use the database, whichever process of this machine runs it. The answer gives them back.
 */
export async function takeResources(
  { home }: Pick<Machine, "home">,
  callerLocation: CallerLocation,
  signal: AbortSignal | null,
): Promise<() => void> {
  const found = findConfig(home, callerLocation);
  const resources = found.type === "trusted" ? (found.config.resources ?? {}) : {};
  for (;;) {
    signal?.throwIfAborted();
    const acquired = acquireResources({ stateHome: home, root: callerLocation.project.root, resources });
    if (acquired.type === "acquired") return acquired.release;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** The files a loop guards, read when asked for: changes by its own checks count too. */
export interface GuardedFiles extends Pick<ApprovalRecord, "protectedFiles" | "mustNotFiles"> {
  /** null if nothing is protected. */
  readonly protectedDigest: string | null;
}

export async function guardedFiles(
  root: string,
  { protects, mustNots }: { readonly protects: readonly string[]; readonly mustNots: readonly MustNot[] },
): Promise<GuardedFiles> {
  const protectedFiles = await pathDigests({ root, globs: protects });
  return {
    protectedFiles,
    mustNotFiles: await digestsOfMustNots(root, mustNots),
    protectedDigest: protects.length === 0 ? null : combinedDigest(protectedFiles),
  };
}

/** How each must-not stands now: those that were given, and what the spec forbids in words. */
export async function mustNotsNow(
  machine: Machine,
  known: KnownLoop,
  signal: AbortSignal | null,
): Promise<readonly MustNotObservation[]> {
  const site = checkSiteOf(machine, known, signal);
  const given = await lookAtMustNots(site, known.live.loop.mustNots, known.approval.mustNotFiles);
  return [...given, ...(await lookAtWords(machine, known))];
}

/** Loaded only here: most loops have nothing that must not be. */
async function lookAtWords(machine: Machine, known: KnownLoop): Promise<readonly MustNotObservation[]> {
  const { loop, project } = known.live;
  const { spec } = loop.frames[0];
  const { root } = known.workingDirectory;
  const { lookAtConstraints } = await import("../../verify/baseline/look-at-constraints.ts");
  return lookAtConstraints({
    place: { root, home: machine.home },
    which: { home: machine.home, root: project.root, id: known.id },
    folder: loop.folder,
    spec,
    readTree: async () => machine.git.readTree(root),
  });
}

/** The first must-not that is currently violated, and how; null when all hold. */
export async function violatedMustNot(
  machine: Machine,
  chosen: KnownLoop,
  signal: AbortSignal,
): Promise<string | null> {
  const findings = await mustNotsNow(machine, chosen, signal);
  const violated = findings.find(({ violation }) => violation !== null);
  return violated === undefined ? null : `${violated.mustNot}: ${violated.violation}`;
}

/** Locks a changed verification plan before recording it in the journal: a crash in between leaves the loop trusted as it was. */
export async function recordApproved(
  machine: Pick<Machine, "home" | "now">,
  { live }: Pick<KnownLoop, "live">,
  decide: (loop: Loop) => readonly LoopEvent[],
): Promise<Loop> {
  return live.record((loop) => {
    const events = decide(loop);
    if (events.length > 0)
      approvePlan(machine.home, live.project.root, evolveAll(loop, events, machine.now()));
    return events;
  });
}

/** Keeps the files of later must-nots as they are now, before the journal has those must-nots. */
export async function guardMustNots(
  machine: Pick<Machine, "home">,
  chosen: KnownLoop,
  mustNots: readonly MustNot[],
): Promise<void> {
  if (mustNots.length === 0) return;
  const digests = await digestsOfMustNots(chosen.workingDirectory.root, mustNots);
  addMustNotFiles(localLoop(machine, chosen), digests);
}
