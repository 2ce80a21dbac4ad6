import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { folderOf, nameOf } from "../definitions/project-files.ts";
import { isCode } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import { layParts } from "../definitions/parts/parts.ts";
import { withFile } from "../../system/files/read-file.ts";
import { without, type ComparedCheck, type Comparison } from "./compare.ts";
import { listKept, readKept, type OldFile, type Place } from "./kept-files.ts";
import type { Baseline } from "./baseline-record.ts";

/** A file that replaces the project's own; null: the file is removed. */
export interface ReplacedFile {
  readonly path: string;
  readonly content: Buffer | null;
  readonly mode: OldFile["mode"];
  readonly isStale?: boolean;
}

/**
 * The current work with the original tests: changed ones are restored, new ones left out, and what is built has to be built again.
 * null if one of them existed and could not be kept.
 */
export async function asJudged(place: Place, check: ComparedCheck): Promise<readonly ReplacedFile[] | null> {
  const byPath = new Map<string, string[] | null>();
  for (const { path, part, kind } of check.judged) {
    if (kind === "inline") continue;
    const parts = byPath.get(path);
    if (part === null || parts === null) byPath.set(path, null);
    else byPath.set(path, [...(parts ?? []), part]);
  }
  const old = await filesThen(place, check.baseline, new Set(byPath.keys()));
  const built = new Set(check.judged.flatMap(({ kind, path }) => (kind === "built" ? [path] : [])));
  const replaced: ReplacedFile[] = [];
  for (const [path, parts] of byPath) {
    const then = old.get(path);
    const isBuilt = built.has(path);
    if (then === undefined && wasThere(check, path) && !isBuilt) return null;
    if (then !== undefined && isBuilt) replaced.push({ path, ...then, isStale: true });
    else if (then === undefined) replaced.push({ path, content: null, mode: "100644" });
    else if (parts === null) replaced.push({ path, ...then });
    else replaced.push({ path, ...withPartsOf(place, path, then, parts) });
  }
  return replaced;
}

/** What is left of a program that tests nothing, for what links it. */
const EMPTY_PROGRAMS: readonly { readonly files: RegExp; readonly main: RegExp; readonly text: string }[] = [
  {
    files: /\.(?:c|cc|cpp|cxx|m|mm)$/i,
    main: /^\s*(?:int|void|auto)\s+main\s*\(/m,
    text: "int main(void) { return 0; }\n",
  },
  { files: /\.rs$/, main: /^\s*fn\s+main\s*\(/m, text: "fn main() {}\n" },
];

/**
 * Replacements with new test files that are empty, or programs that do nothing, instead of left out: a build that lists its files may
 * name them by now. Empty: there are none.
 */
export function withEmptied(
  { root }: Place,
  { judged: changes }: ComparedCheck,
  judged: readonly ReplacedFile[],
): readonly (readonly ReplacedFile[])[] {
  const isNewTest = (path: string): boolean =>
    isCode(path) && changes.some((each) => each.path === path && each.kind === "test");
  const emptied = judged.map((each) => {
    if (each.content !== null || !isNewTest(each.path)) return each;
    const text = textNow(root, each.path) ?? "";
    const program = EMPTY_PROGRAMS.find(({ files, main }) => files.test(each.path) && main.test(text));
    return { ...each, content: Buffer.from(program?.text ?? "") };
  });
  return emptied.every((each, index) => each === judged[index]) ? [] : [emptied];
}

/**
 * Replacements with what the spec asked to remove, as the original rules still name it: a build that lists its sources, a suite that
 * lists its tests. Empty: nothing was removed, or something of it could not be kept.
 */
export async function withRemoved(
  place: Place,
  { removed }: Pick<Comparison, "removed">,
  { baseline }: ComparedCheck,
  judged: readonly ReplacedFile[],
): Promise<readonly (readonly ReplacedFile[])[]> {
  const replaced = new Set(judged.map(({ path }) => path));
  const missing = removed.filter((path) => !replaced.has(path));
  const old = await filesThen(place, baseline, new Set(missing));
  if (missing.length === 0 || old.size < missing.length) return [];
  return [[...judged, ...[...old].map(([path, file]) => ({ path, ...file }))]];
}

/**
 * Replacements without new cases, as the original rules may take them for something else: their options are read by new rules. Empty:
 * there are none.
 */
export async function withoutNewCases(
  place: Place,
  { now }: Pick<Comparison, "now">,
  { baseline }: ComparedCheck,
  judged: readonly ReplacedFile[],
): Promise<readonly (readonly ReplacedFile[])[]> {
  const { listing } = await listKept(place, baseline.kept);
  const isCase = newCases([baseline], listing);
  const replaced = new Set(judged.map(({ path }) => path));
  const added = [...now.keys()].filter((path) => isCase(path) && !replaced.has(path));
  if (added.length === 0) return [];
  return [[...judged, ...added.map((path) => ({ path, content: null, mode: "100644" }) as const)]];
}

function wasThere({ baseline }: ComparedCheck, path: string): boolean {
  const known = baseline.meaning?.definitions ?? [];
  return known.some((each) => each.path === path && each.digest !== null);
}

/** The current file with those parts from the opening; the whole file from the opening if they cannot be separated. */
function withPartsOf({ root }: Place, path: string, then: OldFile, parts: readonly string[]): OldFile {
  const now = textNow(root, path);
  if (now === null) return then;
  const laid = layParts({ path, now, baseline: then.content.toString("utf8"), parts });
  return laid === null ? then : { ...then, content: Buffer.from(laid) };
}

/** The current tests and definitions with the source of the opening; null if the source didn't change. */
export async function asReverted(
  place: Place,
  comparison: Comparison,
  check: ComparedCheck,
): Promise<readonly ReplacedFile[] | null> {
  const { listing: then, leftOut } = await listKept(place, check.baseline.kept);
  const now = without(comparison.now, leftOut);
  const all = [...comparison.checks.values()];
  const changes = all.flatMap((each) => each.changes);
  const parts = new Map<string, string[]>();
  for (const { path, part } of all.flatMap((each) => each.parts))
    parts.set(path, [...(parts.get(path) ?? []), part]);
  // What a person approved since the opening no longer counts as changed, but still isn't source.
  const defining = new Set(
    all
      .flatMap(({ definitions }) => definitions.filter(({ part, kind }) => part === null && kind !== "input"))
      .map(({ path }) => path),
  );
  const isCase = newCases(
    all.map(({ baseline }) => baseline),
    then,
  );
  const isSource = (path: string): boolean =>
    parts.has(path) ||
    (!defining.has(path) &&
      !isCase(path) &&
      !comparison.built.has(path) &&
      kindOf(path, changes) === "source");
  const source = [...new Set([...then.keys(), ...now.keys()])].filter(
    (path) => then.get(path) !== now.get(path) && isSource(path),
  );
  const old = await readKept(place, check.baseline.kept, new Set(source));
  const replaced: ReplacedFile[] = [];
  for (const path of source) {
    const file = old.get(path);
    const shared = parts.get(path);
    if (shared !== undefined) replaced.push(...sourceOfShared(place, path, file, shared));
    else if (file === undefined) replaced.push({ path, content: null, mode: "100644" });
    else replaced.push({ path, ...file });
  }
  return replaced.length === 0 ? null : replaced;
}

/** What a check reads beside its other cases is one more of them. */
function newCases(
  baselines: readonly Baseline[],
  then: ReadonlyMap<string, unknown>,
): (path: string) => boolean {
  const cases = new Set(baselines.flatMap(({ meaning }) => (meaning?.definitions ?? []).flatMap(caseOf)));
  return (path) => !then.has(path) && placesOf(path).some((place) => cases.has(place));
}

function caseOf({ kind, part, path, digest }: Definition): readonly string[] {
  return kind === "test" && part === null && digest !== null && !isCode(path) ? placesOf(path) : [];
}

/** Its folder with its ending, or, where each case has a folder of its own, what that is in, with its name. */
function placesOf(path: string): readonly string[] {
  const name = nameOf(path);
  const folder = folderOf(path);
  const beside = `${folder}\0${name.slice(name.lastIndexOf("."))}`;
  return folder.includes("/") ? [beside, `${folderOf(folder)}\0\0${name}`] : [beside];
}

/** Every file as at the opening. */
export async function asOpened(
  place: Place,
  comparison: Pick<Comparison, "now">,
  { baseline }: Pick<ComparedCheck, "baseline">,
): Promise<readonly ReplacedFile[]> {
  const { listing: then, leftOut } = await listKept(place, baseline.kept);
  const now = without(comparison.now, leftOut);
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter(
    (path) => then.get(path) !== now.get(path),
  );
  const old = await filesThen(place, baseline, new Set(changed));
  return changed.map((path) => ({ path, ...(old.get(path) ?? { content: null, mode: "100644" }) }));
}

/** A shared file from the opening with the current parts that define checks; the current file if they cannot be separated. */
function sourceOfShared(
  { root }: Place,
  path: string,
  then: OldFile | undefined,
  parts: readonly string[],
): readonly ReplacedFile[] {
  const now = textNow(root, path);
  if (then === undefined || now === null) return [];
  const laid = layParts({ path, now: then.content.toString("utf8"), baseline: now, parts });
  return laid === null ? [] : [{ path, content: Buffer.from(laid), mode: then.mode }];
}

/** From the opening, or as a person approved them since; without files that didn't exist. */
export async function filesThen(
  place: Place,
  baseline: Baseline,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, OldFile>> {
  const files = new Map(await readKept(place, baseline.kept, paths));
  for (const { kept, paths: approved } of baseline.approved) {
    const moved = new Set(approved.filter((path) => paths.has(path)));
    for (const path of moved) files.delete(path);
    for (const [path, file] of await readKept(place, kept, moved)) files.set(path, file);
  }
  for (const [path, content] of Object.entries(baseline.meaning?.unlisted ?? {}))
    if (paths.has(path)) files.set(path, { mode: "100644", content: Buffer.from(content, "base64") });
  return files;
}

/** null: it isn't there, or something else than a file is by now. */
function textNow(root: string, path: string): string | null {
  return withFile(join(root, path), (file) => readFileSync(file, "utf8"));
}
