import type { ProjectFiles } from "./project-files.ts";
import {
  BUILD_SUCCEEDS,
  LINT_CLEAN,
  PROJECT_CHECK_PASSES,
  TESTS_PASS,
  type ProposedCheck,
} from "./proposed-check.ts";

/** In the order make looks for them. */
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

const TARGETS: readonly (readonly [target: string, name: string])[] = [
  ["test", TESTS_PASS],
  ["lint", LINT_CLEAN],
  ["build", BUILD_SUCCEEDS],
  ["check", PROJECT_CHECK_PASSES],
];

export async function discoverMake(files: ProjectFiles): Promise<readonly ProposedCheck[]> {
  for (const file of MAKEFILES) {
    const text = await files.read(file);
    if (text === null) continue;
    const targets = targetsOf(text);
    return TARGETS.filter(([target]) => targets.has(target)).map(([target, name]) => ({
      name,
      command: `make ${target}`,
      source: `${file} target ${target}`,
    }));
  }
  return [];
}

function targetsOf(text: string): Set<string> {
  const targets = text.split("\n").flatMap((line) => {
    // `name := value` and `name ::= value` are variables; a recipe's line starts with a tab.
    const rule = /^([^\s:=#][^:=#]*)::?(?![:=])/.exec(line);
    return rule?.[1]?.trim().split(/\s+/) ?? [];
  });
  return new Set(targets);
}
