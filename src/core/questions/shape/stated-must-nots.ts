import { pathBelow } from "../../loop/folder.ts";
import type { MustNot } from "../../loop/loop.ts";
import { keptPlaces } from "../../spec/stated-constraints.ts";

const MOST = 10;

/** Paths of the project that the spec says must not change. A word that names no file or folder here is left to the reviewers. */
export function statedMustNots(
  spec: string,
  files: readonly string[],
  folder: string,
): readonly Extract<MustNot, { kind: "path" }>[] {
  const known = new Set(files);
  const globs = keptPlaces(spec).flatMap((place) => globOf(place, known, files, folder) ?? []);
  return [...new Set(globs)].slice(0, MOST).map((glob) => ({ kind: "path", glob }));
}

function globOf(
  place: string,
  known: ReadonlySet<string>,
  files: readonly string[],
  folder: string,
): string | null {
  if (place.split("/").includes("..")) return null;
  for (const base of folder === "" ? [""] : [folder, ""]) {
    const found = globAt(pathBelow(base, place.replace(/\/$/, "")), known, files);
    if (found !== null) return found;
  }
  return null;
}

function globAt(path: string, known: ReadonlySet<string>, files: readonly string[]): string | null {
  if (known.has(path)) return path;
  const fixed = path.replace(/(?:^|\/)[^/]*\*.*$/, "");
  const isFolder = fixed !== "" && files.some((each) => each.startsWith(`${fixed}/`));
  if (!isFolder) return null;
  return path.includes("*") ? path : `${path}/**`;
}
