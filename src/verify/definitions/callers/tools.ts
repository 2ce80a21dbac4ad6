import { ownObject, parseJson } from "../parts/formats.ts";
import { below, folderOf, isBelow, pathIn } from "../project-files.ts";
import { hasCoverageThreshold } from "../source-judge.ts";
import { noteMadeFrom, noteSourceJudge, want, wantUpwards, type Call, type Survey } from "../survey.ts";
import { configured, extendedConfigs, isNamedForTests } from "../tools/configured.ts";
import { configFiles, configParts, surroundingsOf, toolOf, type Tool } from "../tools/tools.ts";
import { wantPreloads } from "./interpreters.ts";
import { optionValues } from "./wrappers.ts";
import { isTestPath, definesTests, isCodeOf, type Family } from "../test-files.ts";

/** A known tool: its configuration and the tests it runs. False: not a known tool. */
export async function readTool(call: Call, survey: Survey): Promise<boolean> {
  const tool = toolOf(call.program, call.words.slice(1));
  if (tool === null) return false;
  if (tool.tests === "built") {
    noteReports(tool, survey);
    noteCompiled(call, survey);
    return false;
  }
  wantUpwards(survey, call.folder, surroundingsOf(tool));
  wantPreloads(survey, call.words, call.folder);
  const named = namedPaths(call, survey);
  for (const path of named.config) want(survey, "config", path);
  for (const path of named.behindOptions) survey.loaded.add(path);
  const files = configFiles(tool, call.folder);
  const parts = configParts(tool, call.folder);
  for (const path of files) want(survey, "config", path);
  for (const [file, part] of parts) want(survey, "config", file, part);
  if (tool.anywhere !== undefined) survey.anywhere.set(tool.anywhere.source, tool.anywhere);
  const present = [...files, ...named.config, ...parts.map(([file]) => file)];
  for (const path of await extendedConfigs(present, survey)) want(survey, "config", path);
  await noteThreshold(call, tool, present, survey);
  if (tool.tests === "wrapped") return true;
  if (tool.tests === undefined) {
    survey.judgesSource = true;
    noteReports(tool, survey);
    const scope = named.scope.length > 0 ? named.scope : await includedBy(present, survey);
    for (const path of scope) if (path !== "") survey.lookedAt.add(path);
    return true;
  }
  const said = await configured([...files, ...named.config], parts, survey);
  for (const path of said.setup) want(survey, isTestPath(path) ? "test" : "config", path);
  const inline =
    tool.inline !== undefined &&
    (tool.inline.test(call.words.join(" ")) || said.texts.some((text) => tool.inline?.test(text)));
  for (const path of named.explicit) {
    if (!inline || isTestPath(path) || definesTests(path, tool.tests, (await survey.files.read(path)) ?? ""))
      want(survey, "test", path);
  }
  const folders = tool.runsFolders === true ? await readFolders(call, named, tool.tests, survey) : [];
  survey.runs.push({
    family: tool.tests,
    folder: call.folder,
    scope: named.scope,
    globs: [...named.globs, ...folders, ...said.globs],
    inline,
  });
  return true;
}

/**
 * Of folders whose every file is run: all that is in them if their names speak of tests, otherwise the files that define tests.
 * `unittest discover -s DIR -p PATTERN` names them by options.
 */
async function readFolders(
  { words, folder }: Call,
  named: NamedPaths,
  family: Family,
  survey: Survey,
): Promise<readonly string[]> {
  const starts = optionValues(words, ["-s", "--start-directory"]).flatMap(
    (word) => pathIn(folder, word, survey.root) ?? [],
  );
  const patterns = words.includes("discover") ? optionValues(words, ["-p", "--pattern"]) : [];
  const folders = [...named.folders, ...starts];
  const others = folders.filter((path) => path !== "" && !isNamedForTests(path));
  const code = survey.files.paths.filter(
    (path) => isCodeOf(path, family) && others.some((each) => isBelow(path, each)),
  );
  for (const path of code.slice(0, MOST_READ))
    if (definesTests(path, family, (await survey.files.read(path)) ?? "")) want(survey, "test", path);
  return [
    ...folders.filter(isNamedForTests).map((path) => `${path}/**`),
    ...patterns.flatMap((pattern) =>
      (starts.length === 0 ? [folder] : starts).map((each) => below(each, `**/${pattern}`)),
    ),
  ];
}

const MOST_READ = 500;

function noteReports({ reports = "rules", language }: Tool, survey: Survey): void {
  noteSourceJudge(survey, reports, language ?? null);
}

/** `cc -o check check.c str.c` */
function noteCompiled({ words, folder }: Call, survey: Survey): void {
  const made = words[words.indexOf("-o") + 1];
  if (!words.includes("-o") || made === undefined) return;
  const path = pathIn(folder, made, survey.root);
  if (path === null) return;
  const from = words.slice(1).flatMap((word) => {
    const each = word.startsWith("-") ? null : pathIn(folder, word, survey.root);
    return each === null || each === path ? [] : [each];
  });
  noteMadeFrom(survey, path, from);
}

/** Runners and what wraps them: with a threshold, they also judge how much of the source the tests reach. */
async function noteThreshold(
  { words }: Call,
  { tests, language }: Tool,
  configs: readonly string[],
  survey: Survey,
): Promise<void> {
  if (tests === undefined || tests === "built") return;
  const measured = tests === "wrapped" ? language : tests;
  const texts: string[] = [];
  for (const path of new Set(configs)) {
    const text = survey.has.has(path) ? await survey.files.read(path) : null;
    if (text !== null) texts.push(text);
  }
  if (measured !== undefined && hasCoverageThreshold(words, texts))
    noteSourceJudge(survey, "coverage", measured);
}

/** What the `include` of a tsconfig.json covers, up to its first pattern. */
async function includedBy(configs: readonly string[], survey: Survey): Promise<readonly string[]> {
  const found: string[] = [];
  for (const config of new Set(configs.filter((path) => /(?:^|\/)tsconfig[\w.-]*\.json$/.test(path)))) {
    const { include } = ownObject(parseJson((await survey.files.read(config)) ?? ""));
    for (const each of Array.isArray(include) ? (include as unknown[]) : []) {
      if (typeof each !== "string") continue;
      const path = pathIn(folderOf(config), each.replace(/(?:^|\/)[^/]*[*?{[].*$/, ""), survey.root);
      if (path !== null) found.push(path);
    }
  }
  return found;
}

interface NamedPaths {
  /** Where the runner looks; empty: everywhere. */
  readonly scope: readonly string[];
  /** The folders among them that it names itself. */
  readonly folders: readonly string[];
  readonly globs: readonly string[];
  /** Files that the command names as tests, whatever they are called. */
  readonly explicit: readonly string[];
  /** Files that the command names as configuration. */
  readonly config: readonly string[];
  /** Those of them that are the value of an option: `--bootstrap src/cart.php`. */
  readonly behindOptions: readonly string[];
}

const CONFIG_OPTION =
  /^(?:-c|-p|-r|-f|--?.*(?:config|setup|rc-?file|project|require|import|loader|tsconfig|options|env-file|preload|ignore-path|plugin|resolver|rootdir|settings).*)$/;
/** Options without a value, so the word after them is a path. */
const PLAIN_OPTION =
  /^(?:-[a-zA-Z]{0,1}[qvxslR]+|--(?:test|exit|run|bail|silent|verbose|quiet|coverage|ci|watch|no-.*|once|passWithNoTests|forbid-only|all|color|recursive|doctest-modules|fail-fast|failfast|strict|noEmit|check|race))$/;

/** The paths among a runner's arguments. Unknown arguments don't restrict anything. */
function namedPaths({ words, folder }: Call, survey: Survey): NamedPaths {
  const scope: string[] = [];
  const folders: string[] = [];
  const globs: string[] = [];
  const explicit: string[] = [];
  const config: string[] = [];
  const behindOptions: string[] = [];
  let isUnclear = false;
  const args = words.slice(1);
  args.forEach((word, at) => {
    const [option, value] = /^(--?[\w-]+)=(.+)$/.exec(word)?.slice(1, 3) ?? [null, null];
    const before = value === null ? (args[at - 1] ?? "") : (option ?? "");
    if (value === null && word.startsWith("-")) return;
    const isBehindOption =
      value !== null || (before.startsWith("-") && before !== "--" && !PLAIN_OPTION.test(before));
    const text = (value ?? word).replace(/::.*$|(?<=\.rb):\d+$|\/?\.\.\.$/, "");
    const path = pathIn(folder, text, survey.root);
    if (/[$`]/.test(text)) isUnclear = true;
    if (path === null || /[$`]/.test(text)) return;
    const isFile = survey.has.has(path);
    const isGlob = /[*?{[]/.test(text);
    if (isBehindOption) {
      if (isFile) behindOptions.push(path);
      if (CONFIG_OPTION.test(before) && (isFile || /^\.{0,2}\/|\.\w+$/.test(text))) config.push(path);
      else if (isFile) explicit.push(path);
    } else if (isGlob) {
      globs.push(path);
      scope.push(path.replace(/(?:^|\/)[^/]*[*?{[].*$/, ""));
    } else if (isFile) {
      explicit.push(path);
      scope.push(path);
    } else if (path !== folder && survey.files.paths.some((each) => isBelow(each, path))) {
      scope.push(path);
      folders.push(path);
    } else if (path === folder) isUnclear = true;
  });
  return { scope: isUnclear ? [] : scope, folders, globs, explicit, config, behindOptions };
}
