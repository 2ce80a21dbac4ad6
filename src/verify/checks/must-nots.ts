import { describeMustNot, type MustNot } from "../../core/loop/loop.ts";
import { listed } from "../../core/listed.ts";
import type { MustNotObservation } from "../../core/stop/facts.ts";
import { changedPaths, pathDigests } from "../../system/tree/path-digests.ts";
import { describeEnding, hasPassed, runAt, type CheckSite } from "./check-site.ts";

type Digests = { readonly [path: string]: string };

const PATHS_NAMED = 5;

/** Checks each must-not. `before` has the digests of the paths at the opening, by glob. */
export async function lookAtMustNots(
  site: CheckSite,
  mustNots: readonly MustNot[],
  before: { readonly [glob: string]: Digests },
): Promise<readonly MustNotObservation[]> {
  const findings: MustNotObservation[] = [];
  for (const mustNot of mustNots) {
    const violation =
      mustNot.kind === "path"
        ? await changedSince(site.root, mustNot.glob, before[mustNot.glob] ?? {})
        : await failureOf(site, mustNot);
    findings.push({ mustNot: describeMustNot(mustNot), violation });
  }
  return findings;
}

export async function digestsOfMustNots(
  root: string,
  mustNots: readonly MustNot[],
): Promise<{ [glob: string]: { [path: string]: string } }> {
  const digests: { [glob: string]: { [path: string]: string } } = {};
  for (const mustNot of mustNots) {
    if (mustNot.kind === "path") digests[mustNot.glob] = await pathDigests({ root, globs: [mustNot.glob] });
  }
  return digests;
}

async function changedSince(root: string, glob: string, before: Digests): Promise<string | null> {
  const changes = changedPaths(before, await pathDigests({ root, globs: [glob] }));
  if (changes.length === 0) return null;
  return listed(
    changes.map(({ path, change }) => `${path} ${change}`),
    PATHS_NAMED,
  );
}

async function failureOf(site: CheckSite, { check }: MustNot & { kind: "run" }): Promise<string | null> {
  const outcome = await runAt(site, check);
  return hasPassed(outcome) ? null : describeEnding(outcome.ending);
}
