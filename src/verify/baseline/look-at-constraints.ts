import { listed } from "../../core/listed.ts";
import { asksForTests } from "../../core/spec/asked-changes.ts";
import { goesAlong } from "../../core/spec/goes-along.ts";
import { isInPlace, statedConstraints, type StatedConstraint } from "../../core/spec/stated-constraints.ts";
import type { MustNotObservation } from "../../core/stop/facts.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { filesAt, nameOf } from "../definitions/project-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import { readBaseline, type WhichLoop } from "./baseline-record.ts";
import { builtAmong } from "./built-files.ts";
import { listKept, listNow, readKept, type Kept, type Listing, type Place } from "./kept-files.ts";
import { writtenFiles } from "./loop-baselines.ts";
import { ownObject, parseJson } from "../definitions/parts/formats.ts";

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

const OF_NODE = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
const OF_PHP = ["require", "require-dev"];
const TOML_TABLE = /^\s*\[+\s*([^\]\n]{1,200}?)\s*\]+/;
const TOML_KEY = /^\s*["']?([\w.-]{1,100})["']?\s*=/;
const TOML_LIST = /^[ \t]*[\w-]*dependencies[ \t]*=[ \t]*\[([^\]]{0,20000})\]/gm;
const REQUIREMENT = /^[ \t]*["']?([A-Za-z][\w.-]{0,100})/;

/** What a manifest says the project depends on, by name; empty for any other file. */
function dependencyNames(path: string, text: string): ReadonlySet<string> {
  const name = nameOf(path);
  if (name === "package.json") return new Set(keysOf(text, OF_NODE));
  if (name === "composer.json") return new Set(keysOf(text, OF_PHP));
  if (name.endsWith(".toml") && /^(?:Cargo|pyproject|Pipfile)/.test(name)) return new Set(inToml(text));
  if (name === "Pipfile") return new Set(inToml(text));
  if (/^requirements[\w.-]*\.txt$/.test(name)) return new Set(text.split("\n").flatMap(requirement));
  if (name === "go.mod") return found(text, /^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+v\d/gm);
  if (name === "Gemfile") return found(text, /^\s*gem\s+["']([\w-]+)["']/gm);
  if (name === "pom.xml")
    return found(text, /<dependency>\s*<groupId>[^<]{1,200}<\/groupId>\s*<artifactId>([^<]{1,200})</g);
  if (/^build\.gradle(?:\.kts)?$/.test(name))
    return found(
      text,
      /^\s*\w*(?:[iI]mplementation|[aA]pi|[cC]ompile|[rR]untimeOnly)\w*[ \t(]+["']([\w.-]+:[\w.-]+)/gm,
    );
  return new Set();
}

function keysOf(text: string, parts: readonly string[]): readonly string[] {
  const manifest = ownObject(parseJson(text));
  return parts.flatMap((part) => Object.keys(ownObject(manifest[part])));
}

function inToml(text: string): readonly string[] {
  const names = [...text.matchAll(TOML_LIST)].flatMap(([, list = ""]) =>
    list.split(/[,\n]/).flatMap(requirement),
  );
  let isListed = false;
  for (const line of text.split("\n")) {
    const table = TOML_TABLE.exec(line)?.[1];
    if (table !== undefined) {
      isListed = /(?:^|[.-])(?:dependencies|packages)$/.test(table);
      const one = /dependencies\.["']?([\w.-]+)["']?$/.exec(table)?.[1];
      if (one !== undefined) names.push(one);
    } else if (isListed) names.push(...(TOML_KEY.exec(line)?.slice(1, 2) ?? []));
  }
  return names;
}

function requirement(line: string): readonly string[] {
  return (REQUIREMENT.exec(line)?.slice(1, 2) ?? []).map((name) =>
    name.toLowerCase().replaceAll(/[_.]/g, "-"),
  );
}

function found(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(([, name = ""]) => name));
}
