import { dirname } from "node:path";
import type { Check } from "../../core/loop/criterion.ts";
import { describeCommand } from "../../core/loop/criterion.ts";
import { calledPrograms } from "./called-programs.ts";
import { projectFiles } from "./project-files.ts";

/** `npm test --silent` says nothing about a script that doesn't exist: the script's name then, if one is missing. */
export async function scriptSilentlyMissing(
  { root, cwd }: { readonly root: string; readonly cwd: string },
  { command }: Pick<Check, "command">,
): Promise<string | null> {
  const names = calledPrograms(describeCommand(command)).flatMap(scriptOf);
  if (names.length === 0) return null;
  const scripts = await scriptsAt(root, cwd);
  return (scripts === null ? undefined : names.find((name) => !scripts.has(name))) ?? null;
}

function scriptOf([program, ...words]: readonly [string, ...string[]]): readonly string[] {
  const ours = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  if (program !== "npm" || !ours.some((word) => ["-s", "--silent", "--loglevel=silent"].includes(word)))
    return [];
  const [first = "", second] = ours.filter((word) => !word.startsWith("-"));
  if (first === "run" || first === "run-script") return second === undefined ? [] : [second];
  return first === "test" || first === "t" ? ["test"] : [];
}

/** Of the nearest manifest, as npm finds it; null if none can be read. */
async function scriptsAt(root: string, cwd: string): Promise<ReadonlySet<string> | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const text = await projectFiles(folder).read("package.json");
    if (text !== null) return scriptsIn(text);
    if (folder === root || folder === dirname(folder)) return null;
  }
}

function scriptsIn(text: string): ReadonlySet<string> | null {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return new Set(typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : []);
  } catch {
    return null;
  }
}
