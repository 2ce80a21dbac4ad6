import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { newListeners, type Listener } from "../../system/process/process-facts.ts";
import { newerInHome } from "../../system/room/fresh-room.ts";
import { ownStores } from "../../system/tree/ignored-files.ts";
import { toText } from "../../system/tree/index-entries.ts";
import { newerFiles, type NewerFile } from "../../system/tree/walked-files.ts";
import type { Comparison } from "../baseline/compare.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { folderOf, foldersUpwards, isBelow, nameOf } from "../definitions/project-files.ts";
import { comparedOf, type SampleScene } from "./proof-site.ts";

/** What came since the start and is none of the project's files: a fresh checkout wouldn't have it. */
export interface Leftovers {
  /** Ignored files. */
  readonly ignored: readonly string[];
  /** The home folder; null: there is none. */
  readonly home: string | null;
  readonly inHome: readonly string[];
  readonly listeners: readonly Listener[];
}

/** By what was compared and since when: the checks of a frame mostly began together. */
const found = new WeakMap<Comparison, Map<number, Promise<Leftovers>>>();

export async function leftoversOf(scene: SampleScene, named: NamedCheck): Promise<Leftovers> {
  const since = startedAt(scene, named);
  const known = found.get(scene.comparison) ?? new Map<number, Promise<Leftovers>>();
  found.set(scene.comparison, known);
  const leftovers = known.get(since) ?? leftSince(scene, since);
  known.set(since, leftovers);
  return leftovers;
}

async function leftSince(scene: SampleScene, since: number): Promise<Leftovers> {
  const { site, machine } = scene;
  const home = site.env["HOME"] || null;
  const isInstalled = hasNewDependencies(scene);
  return {
    ignored: await ignoredSince(scene, since, isInstalled),
    home,
    inHome: home === null || isInstalled ? [] : await newerInHome(home, since, [machine.home]),
    listeners: newListeners(site.root, since),
  };
}

/** When the last thing was over that happened before the work: the opening, or the look at the checks then. */
function startedAt(scene: SampleScene, named: NamedCheck): number {
  const { at } = comparedOf(scene, named).baseline;
  const together = [...scene.comparison.checks.values()].filter(({ baseline }) => baseline.at === at);
  return Math.max(at, ...together.map(({ baseline }) => baseline.start?.endedAt ?? 0));
}

const DEPENDENCIES =
  /(?:^|\/)(?:package\.json|npm-shrinkwrap\.json|[\w.-]*lock(?:\.\w+)?|requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|go\.(?:mod|sum)|Cargo\.toml|Gemfile|composer\.json|mix\.exs|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift|[\w.-]+\.csproj)$/;

/** A changed list of dependencies explains what was installed since, wherever that is. */
function hasNewDependencies({ comparison }: SampleScene): boolean {
  const { files } = comparison.changes;
  return [...(files?.source ?? []), ...(files?.definitions ?? [])].some((path) => DEPENDENCIES.test(path));
}

const INSTALLS = /^(?:node_modules|bower_components|vendor|\.?v?env|deps|Pods|\.bundle|\.tox|\.nox)$/;
const MOST_SEEN = 300_000;

async function ignoredSince(
  scene: SampleScene,
  since: number,
  isInstalled: boolean,
): Promise<readonly string[]> {
  const { place, comparison, reading, machine } = scene;
  const listed = listedFolders(scene);
  const stores = ownStores(place.root, machine.home);
  const nested = (reading?.tree?.nested ?? []).map(toText);
  const oldTops = new Set<string>();
  const { files, isComplete } = await newerFiles({
    folder: place.root,
    since,
    most: MOST_SEEN,
    older: (path) => oldTops.add(topOf(path, listed)),
    skips: (path, { name }) =>
      name === ".git" ||
      stores.includes(path) ||
      comparison.now.has(path) ||
      nested.some((each) => isBelow(path, each)),
  });
  if (!isComplete) return [];
  const byTop = new Map<string, NewerFile[]>();
  for (const file of files) {
    const top = topOf(file.path, listed);
    if (!isWrittenByRun(scene, file)) byTop.set(top, [...(byTop.get(top) ?? []), file]);
  }
  const left: string[] = [];
  for (const [top, newer] of byTop) {
    // What is new as a whole was installed from a list of dependencies.
    const mayBeInstalled =
      isInstalled ||
      (!oldTops.has(top) && !(await isWithoutList(scene, top)) && (await isInLock(scene, top, newer)));
    if ((INSTALLS.test(nameOf(top)) && mayBeInstalled) || isTooMuch(newer)) continue;
    left.push(...newer.map(({ path }) => path));
  }
  return left;
}

const NAMES_ONE = /"\w*[dD]ependencies"\s*:\s*\{\s*"|"workspaces"/;

/** A folder of packages beside a package.json that asks for none wasn't installed from it. */
async function isWithoutList({ place }: SampleScene, top: string): Promise<boolean> {
  if (nameOf(top) !== "node_modules") return false;
  const path = join(place.root, folderOf(top), "package.json");
  const text = await readFile(path, "utf8").catch(() => null);
  return text !== null && !NAMES_ONE.test(text);
}

/** Whether a lock file has every package of a folder; where there is none that can be read, they may come from anywhere. */
async function isInLock({ place }: SampleScene, top: string, newer: readonly NewerFile[]): Promise<boolean> {
  if (nameOf(top) !== "node_modules") return true;
  for (const folder of ["", ...foldersUpwards(folderOf(top))]) {
    const text = await readFile(join(place.root, folder, "package-lock.json"), "utf8").catch(() => null);
    const locked = text === null ? null : lockedPaths(text);
    if (locked === null) continue;
    const start = folder === "" ? 0 : folder.length + 1;
    const packages = newer.flatMap(({ path }) => packageIn(path.slice(start)) ?? []);
    return packages.every((each) => locked.has(each));
  }
  return true;
}

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/.@][^/]*(?=\/)/;

/** The innermost package that a file is in: `packages/a/node_modules/@b/c`. */
function packageIn(path: string): string | null {
  return PACKAGE.exec(path)?.[0] ?? null;
}

function lockedPaths(text: string): ReadonlySet<string> | null {
  try {
    const lock: unknown = JSON.parse(text);
    const packages = lock !== null && typeof lock === "object" && "packages" in lock ? lock.packages : null;
    return packages !== null && typeof packages === "object" ? new Set(Object.keys(packages)) : null;
  } catch {
    return null;
  }
}

/** The folders that hold files of the project. */
export function listedFolders({ comparison }: SampleScene): ReadonlySet<string> {
  return new Set([...comparison.now.keys()].flatMap((path) => foldersUpwards(folderOf(path))));
}

/** The outermost folder of an ignored file in which nothing is listed, or the file itself. */
export function topOf(path: string, listed: ReadonlySet<string>): string {
  return foldersUpwards(path).findLast((each) => each !== "" && !listed.has(each)) ?? path;
}

/** A check may write into a file that was there before, such as a database. What it would be without that is unknown. */
function isWrittenByRun({ runs }: SampleScene, { isOlder, changedAt }: NewerFile): boolean {
  return isOlder && runs.some(({ from, to }) => changedAt >= from && changedAt <= to);
}

const MOST_FILES = 2_000;
const MOST_BYTES = 200 * 1024 * 1024;

/** What takes long to build again, such as all dependencies of a program, stays. */
function isTooMuch(newer: readonly NewerFile[]): boolean {
  return newer.length > MOST_FILES || newer.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_BYTES;
}
