import { without } from "../baseline/compare.ts";
import type { ComparedCheck, Comparison } from "../baseline/compare.ts";
import { readFileNow } from "../baseline/injected-files.ts";
import { listKept, readKept } from "../baseline/kept-files.ts";
import type { Place } from "../baseline/kept-files.ts";
import type { SourceJudge } from "../definitions/source-judge.ts";
import { candidatesOf, differing, originsOf } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";

/** The files that a judge of the source may see, without those that say how it judges. */
export async function findCandidates(
  { place, comparison }: { readonly place: Place; readonly comparison: Pick<Comparison, "now"> },
  { baseline, definitions }: ComparedCheck,
  judge: SourceJudge,
): Promise<readonly Candidate[]> {
  const { listing: then, leftOut } = await listKept(place, baseline.kept);
  const now = without(comparison.now, leftOut);
  const { added, left } = differing(then, now);
  const old =
    added.length === 0 ? new Map<string, never>() : await readKept(place, baseline.kept, new Set(left));
  const texts = new Map<string, string>();
  for (const path of left.length === 0 ? [] : added) {
    const file = await readFileNow(place.root, path);
    if (file !== null) texts.set(path, file.text);
  }
  const origins = originsOf(then, now, {
    before: (path) => old.get(path)?.content.toString("utf8") ?? null,
    after: (path) => texts.get(path) ?? null,
  });
  const saying = new Set(
    definitions.flatMap(({ kind, path, part }) =>
      part === null && (kind === "script" || kind === "config") ? [path] : [],
    ),
  );
  return candidatesOf(judge, then, now, origins).filter(({ path }) => !saying.has(path));
}
