import { runGit } from "../../system/git/run-git.ts";
import { parsePaths, renderPaths } from "../../system/tree/index-listing.ts";

/** Programs that git would run over files' contents, by the names that settings give them: `lfs`, say. */
export async function configuredFilters(root: string): Promise<readonly string[]> {
  const outcome = await runGit({ root, args: ["config", "--includes", "--name-only", "-z", "--list"] });
  if (!outcome.ok) return [];
  const keys = outcome.stdout.toString("utf8").split("\0");
  return [...new Set(keys.flatMap((key) => /^filter\.(.*)\.[^.]+$/s.exec(key)?.[1] ?? []))];
}

/** An empty command is none. */
export function filtersOff(names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((each) => ["-c", `filter.${name}.${each}`]),
  );
}

/** Of the paths, those that a filter changes on their way to the disk, by the attributes of today or those of the tip. */
export async function filteredPaths(options: {
  readonly root: string;
  readonly tip: string;
  /** Bytes in latin1. */
  readonly paths: readonly string[];
}): Promise<readonly string[]> {
  const { root, tip, paths } = options;
  const names = new Set(await configuredFilters(root));
  if (names.size === 0) return [];
  const args = ["check-attr", "-z", "--stdin", "filter"];
  const outcome = await runGit({ root, args, input: renderPaths(paths) });
  const fields = parsePaths(outcome.stdout);
  const today = fields.filter((_, at) => at % 3 === 0 && names.has(fields[at + 2] ?? ""));
  const rules = paths.filter((path) => /(?:^|\/)\.gitattributes$/.test(path));
  const changed: string[] = [];
  for (const path of rules) {
    const text = await runGit({
      root,
      args: ["cat-file", "blob", `${tip}:${Buffer.from(path, "latin1").toString()}`],
    });
    if (text.ok && /\bfilter=/.test(text.stdout.toString("latin1"))) changed.push(path);
  }
  return [...today, ...changed];
}
