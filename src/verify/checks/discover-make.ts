import { calledPrograms, mendsFiles } from "./called-programs.ts";
import type { ProjectFiles } from "./project-files.ts";
import {
  BUILD_SUCCEEDS,
  LINT_CLEAN,
  notInstalled,
  PROJECT_CHECK_PASSES,
  TESTS_PASS,
  type FoundCheck,
} from "./proposed-check.ts";
import type { Tools } from "./tools.ts";

/** In the order make looks for them. */
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

const TARGETS: readonly (readonly [target: string, name: string])[] = [
  ["test", TESTS_PASS],
  ["lint", LINT_CLEAN],
  ["build", BUILD_SUCCEEDS],
  ["check", PROJECT_CHECK_PASSES],
];

export async function discoverMake(files: ProjectFiles, tools: Tools): Promise<readonly FoundCheck[]> {
  for (const file of MAKEFILES) {
    const text = await files.read(file);
    if (text === null) continue;
    const recipes = recipesOf(text);
    const hasOwnPath = /^\s*(?:export\s+)?PATH\s*[:?+]?=/m.test(text);
    return TARGETS.flatMap(([target, name]): FoundCheck[] => {
      const recipe = recipes.get(target);
      if (recipe === undefined || recipe.some(mendsFiles)) return [];
      const source = `${file} target ${target}`;
      const programs = ["make", ...(hasOwnPath ? [] : recipe.flatMap(plainPrograms))];
      const missing = programs.find((program) => tools.onPath(program) === null);
      const obstacle = missing === undefined ? null : notInstalled(source, missing);
      return [{ name, command: `make ${target}`, source, obstacle }];
    });
  }
  return [];
}

/** By their targets, the lines of all recipes. */
function recipesOf(text: string): ReadonlyMap<string, readonly string[]> {
  const recipes = new Map<string, string[]>();
  let targets: readonly string[] = [];
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    if (line.startsWith("\t")) {
      for (const target of targets) recipes.get(target)?.push(line.trim().replace(/^[@+-]+/, ""));
      continue;
    }
    // `name := value` and `name ::= value` are variables.
    const rule = /^([^\s:=#][^:=#]*)::?(?![:=])/.exec(line);
    if (rule === null) continue;
    targets = rule[1]?.trim().split(/\s+/) ?? [];
    for (const target of targets) recipes.set(target, recipes.get(target) ?? []);
  }
  return recipes;
}

/** Not those by a path: make may build them first. */
function plainPrograms(line: string): readonly string[] {
  if (line.includes("$")) return [];
  return calledPrograms(line).flatMap(([program]) => (program.includes("/") ? [] : [program]));
}
