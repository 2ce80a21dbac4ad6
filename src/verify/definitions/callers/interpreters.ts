import { isCode, isJudge, isTestPath, mayCount } from "../test-files.ts";
import { below, folderOf, isBelow, nameOf, pathIn } from "../project-files.ts";
import { keyOf } from "../definition.ts";
import { callOf, noteCode, noteProgram, noteScript, noteSourceJudge, want, wantUpwards } from "../survey.ts";
import type { Call, Follow, Reader, Survey } from "../survey.ts";
import { toolOf } from "../tools/tools.ts";
import { NODE_SURROUNDINGS } from "../tools/javascript.ts";
import { PYTHON_SURROUNDINGS } from "../tools/python.ts";
import { followScript } from "./shells.ts";
import { optionValues } from "./wrappers.ts";

const INTERPRETERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    node: NODE_SURROUNDINGS,
    tsx: NODE_SURROUNDINGS,
    "ts-node": NODE_SURROUNDINGS,
    bun: [...NODE_SURROUNDINGS, "bunfig.toml"],
    deno: ["deno.json", "deno.jsonc", ".env"],
    python: PYTHON_SURROUNDINGS,
    ruby: [],
    perl: [],
    php: [],
    Rscript: [".Rprofile"],
    lua: [],
    luajit: [],
    tclsh: [],
    elixir: [],
    julia: [],
    escript: [],
  }),
);

/** Options that name a file to load first. */
const PRELOADS = [
  "-r",
  "--require",
  "--import",
  "--loader",
  "--experimental-loader",
  "--env-file",
  "--env-file-if-exists",
  "--preload",
];

/**
 * `node x.js`, `python -m x`. The file that such a command runs may judge or be judged. Its name or folder has to say that it
 * judges; otherwise the work itself would be locked.
 */
export const readInterpreter: Reader = async (call, survey, follow) => {
  const { words, folder } = call;
  const program = interpreterOf(call.program);
  const surroundings = INTERPRETERS.get(program);
  if (surroundings === undefined) return false;
  wantUpwards(survey, folder, surroundings);
  wantPreloads(survey, words, folder);
  const args = words.slice(1);
  if (program === "node" && args.some((word) => word === "--check" || word === "-c")) {
    survey.judgesSource = true; // It only reads the syntax of the file it names.
    noteSourceJudge(survey, "build", "javascript");
    return true;
  }
  const code = codeAmong(program, args);
  if (code !== undefined) {
    noteCode(survey, call, { interpreter: program === "python" ? "python" : "node", text: code });
    return true;
  }
  const module = program === "python" ? moduleOf(args) : null;
  const moduleFile = module === null ? null : fileOfModule(module.name, folder, survey);
  if (module !== null && moduleFile === null) {
    await follow(moduleCall(module.name, module.args, folder));
    return true;
  }
  const file = args.find(
    (word, at) => !word.startsWith("-") && !PRELOADS.includes(args[at - 1] ?? "") && word !== "run",
  );
  const path = moduleFile ?? (file === undefined ? null : pathIn(folder, file, survey.root));
  if (
    path !== null &&
    path !== "" &&
    (isJudge(path) || runsTests(path, call, survey) || nameOf(path) === "manage.py")
  ) {
    want(survey, isTestPath(path) ? "test" : "script", path);
    wantBeside(path, program, survey);
    if (nameOf(path) === "manage.py" && args.includes("test"))
      await follow(moduleCall("unittest", [], folder));
  } else if (path !== null) wantUnclear(path, call, survey);
  if (path !== null && survey.wanted.has(keyOf({ path, part: null }))) noteScript(survey, call, path);
  return true;
};

/** What a script among tests loads by a name of its language's own: `require 'cart_test'` beside `test/all.lua`. */
function wantBeside(path: string, program: string, survey: Survey): void {
  if (!/^(?:lua|luajit|tclsh|perl|php|ruby|julia)$/.test(program) || !isTestPath(path)) return;
  const folder = folderOf(path);
  const ending = /\.\w+$/.exec(path)?.[0] ?? "";
  if (folder === "" || ending === "") return;
  for (const each of survey.has)
    if (isBelow(each, folder) && each.endsWith(ending) && isTestPath(each) && mayCount(each))
      want(survey, "test", each);
}

/** `python3.12`, `lua5.4`: with or without a version. */
function interpreterOf(name: string): string {
  const program = name.replace(/[\d.]+$/, "");
  return program === "py" ? "python" : program;
}

/** Options that are followed by code. */
const CODE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({ node: /^(?:-e|--eval)$/, python: /^-[A-Z]*c$/ }),
);

function codeAmong(program: string, args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => !word.startsWith("-") || CODE.get(program)?.test(word) === true);
  return args[at]?.startsWith("-") === true ? args[at + 1] : undefined;
}

interface Module {
  readonly name: string;
  readonly args: readonly string[];
}

function moduleOf(args: readonly string[]): Module | null {
  const at = args.indexOf("-m");
  const name = args[at + 1];
  if (
    at === -1 ||
    name === undefined ||
    args.slice(0, at).some((word, index) => !word.startsWith("-") && !/^-[XW]$/.test(args[index - 1] ?? ""))
  )
    return null;
  return { name, args: args.slice(at + 2) };
}

/** `python -m tests.run` runs a file of the project; null: the module is not one of its own. */
function fileOfModule(name: string, folder: string, survey: Survey): string | null {
  if (toolOf(name, []) !== null || !/^\w+(?:\.\w+)*$/.test(name)) return null;
  const path = below(folder, name.replaceAll(".", "/"));
  return [`${path}.py`, `${path}/__main__.py`].find((each) => survey.has.has(each)) ?? null;
}

function moduleCall(name: string, args: readonly string[], folder: string): Call {
  return { program: name, words: [name, ...args], folder };
}

export function wantPreloads(survey: Survey, words: readonly string[], folder: string): void {
  for (const value of optionValues(words, PRELOADS)) {
    const path = /^[./]|\.\w+$/.test(value) ? pathIn(folder, value, survey.root) : null;
    if (path === null || path === "" || path.includes("node_modules/")) continue;
    want(survey, "config", path);
    survey.loaded.add(path);
  }
}

/** A path that usually belongs to the work itself. */
export const USUAL_SOURCE =
  /(?:^|\/)(?:src|lib|app|dist|build|out|bin|packages|server|client)\/|(?:^|\/)(?:index|main|app|server|cli|__main__|setup)\.\w+$/;

/** `"test": "node run.js"`: whatever runs there runs the tests, unless it looks like the work itself. */
function runsTests(path: string, { isCompared }: Call, { isAboutTests }: Survey): boolean {
  return isAboutTests && isCompared !== true && !USUAL_SOURCE.test(path);
}

/** What a check runs judges, or is the work: nothing says which. */
function wantUnclear(path: string, { isCompared }: Call, survey: Survey): void {
  if (survey.has.has(path) && isCompared !== true && !USUAL_SOURCE.test(path)) want(survey, "input", path);
}

/** A file of the project as the program, or as an argument of an unknown program. */
export async function readProjectFile(call: Call, survey: Survey, follow: Follow): Promise<void> {
  const { words, folder } = call;
  const path = words[0].includes("/") ? pathIn(folder, words[0], survey.root) : null;
  if (path !== null && survey.has.has(path)) {
    const text = (await survey.files.read(path)) ?? "";
    const shebang = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text);
    const interpreter = nameOf(
      (shebang?.[1] ?? "").endsWith("/env") ? (shebang?.[2] ?? "") : (shebang?.[1] ?? ""),
    );
    if (/^(?:ba|z|da|k|a)?sh$/.test(interpreter) || (interpreter === "" && /\.(?:sh|bash)$/.test(path))) {
      await followScript({ path, text, call }, survey, follow);
    } else {
      if (isJudge(path)) want(survey, isTestPath(path) ? "test" : "script", path);
      else wantUnclear(path, call, survey);
      if (survey.wanted.has(keyOf({ path, part: null }))) noteScript(survey, call, path);
    }
  } else if (path !== null && isJudge(path)) want(survey, "script", path);
  if (path !== null && !isCode(path)) noteProgram(survey, call, path);
  for (const word of words.slice(1)) {
    const named = /^[-$]/.test(word) ? null : pathIn(folder, word, survey.root);
    if (named !== null && survey.has.has(named) && isJudge(named))
      want(survey, isTestPath(named) ? "test" : "script", named);
  }
}

/** Node's own options may also come from the environment. */
export function readNodeOptions(value: string, folder: string, survey: Survey): void {
  const call = callOf(["node", ...value.split(/\s+/)], folder);
  if (call !== null) wantPreloads(survey, call.words, folder);
}
