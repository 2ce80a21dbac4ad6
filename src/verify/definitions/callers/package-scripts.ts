import { below, folderOf, foldersUpwards, pathIn } from "../project-files.ts";
import { ownObject, parseJson } from "../parts/formats.ts";
import { quoted } from "../shell/tokenize.ts";
import { callOf, want, wantUpwards, type Follow, type Reader, type Survey } from "../survey.ts";
import { NODE_SURROUNDINGS } from "../tools/javascript.ts";
import { optionValues } from "./wrappers.ts";

const MANAGER_FILES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    npm: [],
    pnpm: [".pnpmfile.cjs", "pnpm-workspace.yaml"],
    yarn: [".yarnrc", ".yarnrc.yml"],
    bun: ["bunfig.toml"],
  }),
);

const RUN_WORDS = new Set(["run", "run-script", "rum", "urn"]);
const EXEC_WORDS = new Set(["exec", "x", "dlx"]);
const LIFECYCLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    t: "test",
    tst: "test",
    it: "test",
    cit: "test",
    "install-test": "test",
  }),
);
const NPM_SCRIPTS = new Set(["test", "start", "stop", "restart"]);
const VALUED = new Set(["--prefix", "-C", "--dir", "--cwd", "--workspace", "-w", "--filter", "-F"]);
const MOST_PACKAGES = 200;

/** `npm test`, `pnpm run x`, `yarn x`: the scripts of a package.json, and what they call in turn. */
export const readPackageManager: Reader = async (call, survey, follow) => {
  const { program, words } = call;
  const managerFiles = MANAGER_FILES.get(program);
  if (managerFiles === undefined) return false;
  const args = words.slice(1);
  const named = optionValues(args, ["--prefix", "-C", "--dir", "--cwd"])[0];
  const start = named === undefined ? call.folder : (pathIn(call.folder, named, survey.root) ?? call.folder);
  const { first, rest } = firstWord(args);
  wantUpwards(survey, start, [...NODE_SURROUNDINGS, ...managerFiles]);
  if (first === undefined) return true;
  if (EXEC_WORDS.has(first)) {
    const next = callOf(withoutDashes(rest), start);
    if (next !== null) await follow(next);
    return true;
  }
  if (program === "yarn" && /^workspaces?$/.test(first)) {
    const [, ...inWorkspace] = rest;
    const script = withoutDashes(inWorkspace).find((word) => !RUN_WORDS.has(word) && !word.startsWith("-"));
    for (const folder of packagesNamed(survey, rest[0] ?? null)) {
      if (script !== undefined) await runScript({ survey, follow, program, folder, name: script, args: [] });
    }
    return true;
  }
  const isRun = RUN_WORDS.has(first);
  const { first: behind, rest: behindRest } = isRun
    ? firstWord(rest)
    : { first: LIFECYCLE.get(first) ?? first, rest };
  if (behind === undefined) return true;
  if (!isRun && program === "npm" && !NPM_SCRIPTS.has(behind)) return true;
  if (!isRun && program === "bun" && behind === "test") return false;
  const selected = await selectedFolders(survey, args, start);
  for (const folder of selected) {
    await runScript({ survey, follow, program, folder, name: behind, args: passedOn(program, behindRest) });
  }
  return true;
};

interface ScriptRun {
  readonly survey: Survey;
  readonly follow: Follow;
  readonly program: string;
  readonly folder: string;
  readonly name: string;
  readonly args: readonly string[];
}

async function runScript({ survey, follow, program, folder, name, args }: ScriptRun): Promise<void> {
  const home = await packageFolder(survey, folder);
  const manifest = below(home, "package.json");
  const scripts = ownObject(ownObject(parseJson((await survey.files.read(manifest)) ?? ""))["scripts"]);
  const names = name.includes("*") ? Object.keys(scripts).filter((each) => matchesStar(each, name)) : [name];
  for (const script of names) {
    const isScript = typeof scripts[script] === "string";
    if (!isScript && program !== "npm") {
      // The other managers run a program with that name.
      const next = callOf([script, ...args], folder);
      if (next !== null) await follow(next);
    }
    for (const each of [`pre${script}`, script, `post${script}`]) {
      want(survey, "script", manifest, `scripts.${each}`);
      const line = scripts[each];
      if (typeof line !== "string") continue;
      await follow({ line: each === script ? [line, ...args.map(quoted)].join(" ") : line, folder: home });
    }
  }
}

function matchesStar(name: string, pattern: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  return name.startsWith(start) && name.endsWith(rest.at(-1) ?? "");
}

async function packageFolder(survey: Survey, folder: string): Promise<string> {
  for (const each of foldersUpwards(folder)) {
    if (
      survey.has.has(below(each, "package.json")) ||
      (await survey.files.digest(below(each, "package.json"))) !== null
    )
      return each;
  }
  return folder;
}

/** Options come before and after; npm keeps those before `--` for itself. */
function passedOn(program: string, rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf("--");
  if (program === "npm") {
    const own = dashes === -1 ? rest : rest.slice(0, dashes);
    return [...own.filter((word) => !word.startsWith("-")), ...(dashes === -1 ? [] : rest.slice(dashes + 1))];
  }
  return rest.filter((_word, at) => at !== dashes);
}

function firstWord(args: readonly string[]): {
  readonly first: string | undefined;
  readonly rest: readonly string[];
} {
  let at = 0;
  while (args[at]?.startsWith("-") === true) at += VALUED.has(args[at] ?? "") ? 2 : 1;
  return { first: args[at], rest: args.slice(at + 1) };
}

function withoutDashes(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += 1;
  return words.slice(at);
}

async function selectedFolders(
  survey: Survey,
  args: readonly string[],
  start: string,
): Promise<readonly string[]> {
  const names = optionValues(args, ["--workspace", "-w", "--filter", "-F"]).filter(
    (name) => !name.startsWith("-"),
  );
  if (names.length > 0) return names.flatMap((name) => packagesNamed(survey, name));
  const isEach = args.some((word) => ["--workspaces", "-ws", "-r", "--recursive"].includes(word));
  return isEach ? packagesNamed(survey, null) : [start];
}

/** By folder name, since a package is usually named after it; null or a pattern: all of them. */
function packagesNamed(survey: Survey, name: string | null): readonly string[] {
  const folders = survey.files.paths
    .filter((path) => /(?:^|\/)package\.json$/.test(path) && !path.includes("node_modules/"))
    .map(folderOf)
    .filter((folder) => folder !== "")
    .slice(0, MOST_PACKAGES);
  const last = name?.replace(/^\.\//, "").replace(/^@[^/]+\//, "");
  const named = folders.filter((folder) => folder === last || folder.endsWith(`/${last}`));
  return named.length > 0 ? named : folders;
}
