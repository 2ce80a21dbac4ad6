import { below, folderOf, pathIn } from "../project-files.ts";
import { expand, readRules, rulesFor, variablesIn, type Rule, type RuleFile } from "../parts/rules.ts";
import { noteMadeFrom, noteSourceJudge, want, type Follow, type Reader, type Survey } from "../survey.ts";
import { optionValues } from "./wrappers.ts";

/** In search order: an earlier file replaces a later one. */
const RULE_FILES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ["GNUmakefile", "makefile", "Makefile"],
    gmake: ["GNUmakefile", "makefile", "Makefile"],
    just: ["justfile", "Justfile", ".justfile"],
  }),
);

/** What changes how every recipe runs. */
const OVER_ALL = [
  "variable SHELL",
  "variable .SHELLFLAGS",
  "variable MAKEFLAGS",
  "variable .DEFAULT_GOAL",
  "target .IGNORE",
  "target .ONESHELL",
];

/** What changes the files that make builds with its built-in rules. */
const OVER_BUILT_IN_RULES = ["CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS"];

const VALUED = new Set([
  "-C",
  "--directory",
  "-f",
  "--file",
  "--makefile",
  "--justfile",
  "-d",
  "--working-directory",
  "-j",
  "-o",
  "-W",
]);
const MOST_TARGETS = 200;

/** `make test`, `just test`: the used targets, with their recipes, prerequisites and variables. */
export const readMake: Reader = async ({ program, words, folder }, survey, follow) => {
  const names = RULE_FILES.get(program);
  if (names === undefined) return false;
  const args = words.slice(1);
  const there = optionValues(args, ["-C", "--directory", "--working-directory"])[0];
  const home = there === undefined ? folder : (pathIn(folder, there, survey.root) ?? folder);
  const file = await ruleFile(
    survey,
    home,
    names,
    optionValues(args, ["-f", "--file", "--makefile", "--justfile"])[0],
  );
  if (file === null) return true;
  const rules = await withIncludes(survey, file.path, file.text);
  for (const part of program === "just" ? [] : OVER_ALL) want(survey, "script", file.path, part);
  const goals = args.filter(
    (word, at) => !word.startsWith("-") && !word.includes("=") && !VALUED.has(args[at - 1] ?? ""),
  );
  // The words after a recipe's name are its arguments.
  const targets = program === "just" ? goals.slice(0, 1) : goals;
  await followTargets(
    { survey, follow, path: file.path, rules, home },
    targets.length > 0 ? targets : firstGoal(rules),
  );
  return true;
};

async function ruleFile(
  survey: Survey,
  home: string,
  names: readonly string[],
  named: string | undefined,
): Promise<{ readonly path: string; readonly text: string } | null> {
  const given = named === undefined ? null : pathIn(home, named, survey.root);
  for (const path of given === null ? names.map((name) => below(home, name)) : [given]) {
    const text = await survey.files.read(path);
    if (text !== null) return { path, text };
    want(survey, "script", path);
  }
  return null;
}

async function withIncludes(survey: Survey, path: string, text: string): Promise<RuleFile> {
  const own = readRules(text);
  const rules = [...own.rules];
  const variables = new Map(own.variables);
  for (const name of own.includes.slice(0, 20)) {
    const included = pathIn(folderOf(path), name, survey.root);
    if (included === null) continue;
    want(survey, "script", included);
    const more = readRules((await survey.files.read(included)) ?? "");
    rules.push(...more.rules);
    for (const [variable, value] of more.variables)
      if (!variables.has(variable)) variables.set(variable, value);
  }
  return { rules, variables, includes: own.includes };
}

function firstGoal({ rules, variables }: RuleFile): readonly string[] {
  const first =
    variables.get(".DEFAULT_GOAL") ??
    rules.flatMap((rule) => rule.targets).find((name) => !name.startsWith("."));
  return first === undefined ? [] : [first];
}

interface Used {
  readonly survey: Survey;
  readonly follow: Follow;
  readonly path: string;
  readonly rules: RuleFile;
  readonly home: string;
}

async function followTargets(
  { survey, follow, path, rules, home }: Used,
  goals: readonly string[],
): Promise<void> {
  const waiting = [...goals];
  const seen = new Set<string>();
  for (let goal = waiting.shift(); goal !== undefined && seen.size < MOST_TARGETS; goal = waiting.shift()) {
    if (seen.has(goal)) continue;
    seen.add(goal);
    const found = rulesFor(rules, goal);
    // A prerequisite without a rule is a source file.
    if (found.length > 0 || goals.includes(goal)) want(survey, "script", path, `target ${goal}`);
    const isImplicit = isBuiltIn(goal, found, survey, home);
    noteTarget({ survey, path, rules, home }, goal, found, isImplicit);
    if (isImplicit) {
      for (const name of OVER_BUILT_IN_RULES) want(survey, "script", path, `variable ${name}`);
      noteSourceJudge(survey, "build", "c");
    }
    const madeFrom = found.flatMap(({ prerequisites }) => prerequisites);
    wantTestPrograms(survey, home, [goal, ...madeFrom]);
    noteMade(survey, home, goal, madeFrom);
    for (const rule of found) {
      waiting.push(...rule.prerequisites);
      if (rule.isOpen) waiting.push(...patternsIn(rules));
      wantVariables(survey, path, rules, rule.text);
      // Make knows these variables itself.
      if (/\$[({](?:CC|CXX)[)}]/.test(rule.text)) noteSourceJudge(survey, "build", "c");
      const lines = rule.recipe.map((line) =>
        expand(automatic(line.replace(/^[@+-]+/, ""), goal, madeFrom), rules.variables),
      );
      await follow({ line: lines.join("\n"), folder: home, stopsEarly: true });
    }
  }
}

/** The targets that stand for many: `check-%`. */
function patternsIn({ rules }: RuleFile): readonly string[] {
  return rules.flatMap(({ targets }) => targets.filter((name) => name.includes("%")));
}

/** `$@`, `$^` and `$<` with what they stand for, and `$*` with a star. */
function automatic(line: string, goal: string, madeFrom: readonly string[]): string {
  return line
    .replaceAll("$@", () => goal)
    .replaceAll(/\$[\^+]/g, () => madeFrom.join(" "))
    .replaceAll(/\$(?:\*|\(\*\))/g, "*")
    .replaceAll("$<", () => madeFrom[0] ?? "$<");
}

function noteMade(survey: Survey, home: string, goal: string, madeFrom: readonly string[]): void {
  const pathOf = (name: string): string | null => pathIn(home, name, survey.root);
  const made = pathOf(goal);
  if (made === null) return;
  noteMadeFrom(
    survey,
    made,
    madeFrom.map(pathOf).filter((path) => path !== null),
  );
}

const TEST_PROGRAM = /(?:test|spec|check)/i;
const SOURCES = [".c", ".cc", ".cpp", ".cxx", ".C"];

/** `xmltest: xmltest.cpp`: a program that is named after tests judges, and so does the source that has its name. */
function wantTestPrograms(survey: Survey, home: string, names: readonly string[]): void {
  for (const name of names) {
    const stem = name.replace(/\.(?:o|obj|c|cc|cpp|cxx|C)$/, "");
    if (!TEST_PROGRAM.test(stem.slice(stem.lastIndexOf("/") + 1))) continue;
    for (const ending of SOURCES) {
      const path = pathIn(home, stem + ending, survey.root);
      if (path !== null && survey.has.has(path)) want(survey, "test", path);
    }
  }
}

/** A target that isn't declared phony is a file that make builds. One that is there without having been built is why make runs nothing. */
function noteTarget(
  { survey, path, rules, home }: Pick<Used, "survey" | "path" | "rules" | "home">,
  goal: string,
  found: readonly Rule[],
  isImplicit: boolean,
): void {
  const file = /[%$]/.test(goal) || /justfile$/i.test(path) ? null : pathIn(home, goal, survey.root);
  const isPhony = rulesFor(rules, ".PHONY").some(({ prerequisites }) => prerequisites.includes(goal));
  if (file === null || file === "" || file === path || isPhony) return;
  const isRun = found.some(({ recipe }) => recipe.length > 0);
  if (isRun || isImplicit) survey.targets.add(file);
  if (isRun && survey.isFirstLook && !survey.has.has(file)) want(survey, "input", file);
}

const BUILT = /\.(?:o|obj|a|so)$/;
const COMPILED = [".c", ".cc", ".cpp", ".C", ".o"];

/** Built without a recipe: an object, or a program next to a source with its name. */
function isBuiltIn(goal: string, found: readonly Rule[], { has }: Survey, home: string): boolean {
  if (found.some(({ recipe }) => recipe.length > 0)) return false;
  const isLinked = found.some(({ prerequisites }) => prerequisites.some((each) => BUILT.test(each)));
  return BUILT.test(goal) || isLinked || COMPILED.some((ending) => has.has(below(home, goal + ending)));
}

function wantVariables(survey: Survey, path: string, { variables }: RuleFile, text: string): void {
  const waiting = [...variablesIn(text)];
  const seen = new Set<string>();
  for (let name = waiting.pop(); name !== undefined && seen.size < MOST_TARGETS; name = waiting.pop()) {
    if (seen.has(name) || !variables.has(name)) continue;
    seen.add(name);
    want(survey, "script", path, `variable ${name}`);
    waiting.push(...variablesIn(variables.get(name) ?? ""));
  }
}
