import { listed } from "../../core/listed.ts";
import { asksForTests } from "../../core/spec/asked-changes.ts";
import { goesAlong } from "../../core/spec/goes-along.ts";
import { isInPlace, statedConstraints } from "../../core/spec/stated-constraints.ts";
import type { StatedConstraint } from "../../core/spec/stated-constraints.ts";
import type { MustNotObservation } from "../../core/stop/facts.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { dependencyNames } from "../definitions/dependencies.ts";
import { filesAt } from "../definitions/project-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import { readBaseline } from "./baseline-record.ts";
import type { WhichLoop } from "./baseline-record.ts";
import { builtAmong } from "./built-files.ts";
import { listKept, listNow, readKept } from "./kept-files.ts";
import type { Kept, Listing, Place } from "./kept-files.ts";
import { writtenFiles } from "./loop-baselines.ts";

const MOST_NAMED = 5;

interface ConstraintOptions {
  readonly place: Place;
  readonly which: WhichLoop;
  /** Where places in the spec may begin, beside the root. */
  readonly folder: string;
  readonly spec: string;
  /** Called only if something is to be looked at. */
  readonly readTree: () => Promise<TreeReading | null>;
}

/** What a spec forbids in words, and what was done against it since the opening. Without an opening nobody can tell. */
export async function lookAtConstraints(options: ConstraintOptions): Promise<readonly MustNotObservation[]> {
  const stated = statedConstraints(options.spec);
  const { which, place } = options;
  const baseline =
    stated.length === 0 ? null : readBaseline({ ...which, depth: 1, name: null, command: null });
  const reading = baseline === null ? null : await options.readTree();
  if (baseline === null || baseline.kept.type === "none" || reading === null) return [];
  const { listing: before, leftOut } = await listKept(place, baseline.kept);
  const now = listNow(reading);
  const written = new Set(writtenFiles(which));
  const built = await builtAmong({ place, baseline, targets: [], written, before, now }, []);
  const changed = [...new Set([...before.keys(), ...now.keys()])]
    .filter((path) => before.get(path) !== now.get(path) && !leftOut.has(path) && !built.has(path))
    .toSorted();
  const findings: MustNotObservation[] = [];
  for (const each of stated) {
    const against = await brokenBy(each, { ...options, before, changed, kept: baseline.kept });
    const violation = against.length === 0 ? null : listed(against, MOST_NAMED);
    findings.push({ mustNot: `"${each.words}"`, violation });
  }
  return findings;
}

interface Changed extends ConstraintOptions {
  readonly kept: Kept;
  readonly before: Listing;
  readonly changed: readonly string[];
}

async function brokenBy(constraint: StatedConstraint, changed: Changed): Promise<readonly string[]> {
  switch (constraint.kind) {
    case "only":
      return outside(constraint.places, changed);
    case "dependencies":
      return newDependencies(changed);
    case "tests":
      return changed.changed
        .filter((path) => changed.before.has(path) && kindOf(path) === "test")
        .map((path) => `${path} changed`);
  }
}

/** Prose and lock files go with the work, wherever they are, and so do new tests that the spec asks for. */
function outside(places: readonly string[], { spec, folder, before, changed }: Changed): readonly string[] {
  const wantsTests = asksForTests(spec);
  const isWithin = (path: string): boolean =>
    places.some(
      (place) => isInPlace(place, path) || (folder !== "" && isInPlace(`${folder}/${place}`, path)),
    );
  const isAsked = (path: string): boolean => wantsTests && !before.has(path) && kindOf(path) === "test";
  return changed
    .filter((path) => !isWithin(path) && !goesAlong(path) && !isAsked(path))
    .map((path) => `${path} changed`);
}

async function newDependencies({ place, kept, changed }: Changed): Promise<readonly string[]> {
  const old = await readKept(place, kept, new Set(changed));
  const files = filesAt(place.root, changed);
  const found: string[] = [];
  for (const path of changed) {
    const names = dependencyNames(path, (await files.read(path)) ?? "");
    const known =
      names.size === 0 ? names : dependencyNames(path, old.get(path)?.content.toString("utf8") ?? "");
    for (const name of names) if (!known.has(name)) found.push(`${path} now needs ${name}`);
  }
  return found;
}
