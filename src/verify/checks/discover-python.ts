import {
  hasSection,
  settingIn,
  LINT_CLEAN,
  NO_TYPE_ERRORS,
  TESTS_PASS,
  projectFiles,
  notInstalled,
} from "./found-check.ts";
import type { ProjectFiles, FoundCheck, Tools } from "./found-check.ts";
import { dirname, join } from "node:path";

const TEST_FILE = /^(test_.*|.*_test)\.py$/;
const TEST_FOLDERS = ["tests", "test", "."];

export async function discoverPython(files: ProjectFiles, tools: Tools): Promise<readonly FoundCheck[]> {
  const environment = await pythonEnvironment(files, tools);
  const found = async (
    name: string,
    program: string,
    words: string,
    source: string | null,
  ): Promise<readonly FoundCheck[]> => {
    if (source === null) return [];
    const { command, isThere } =
      program === "pytest" ? await environment.module(program) : await environment.program(program);
    const obstacle = isThere ? null : environment.obstacle(source, program);
    return [{ name, command: `${command}${words}`, source, obstacle }];
  };
  const [ruff, mypy] = await Promise.all([ruffSettings(files), mypySettings(files)]);
  const tests = await found(TESTS_PASS, "pytest", "", await pytestSource(files));
  const [pytest] = tests;
  const own =
    pytest === undefined || pytest.obstacle === null ? null : await unittest(files, environment, pytest);
  return [
    ...(own === null ? tests : [own]),
    ...(await found(
      LINT_CLEAN,
      "ruff",
      ruff?.fixes ? " check --no-fix ." : " check .",
      ruff?.source ?? null,
    )),
    ...(await found(NO_TYPE_ERRORS, "mypy", mypy?.path ?? "", mypy?.source ?? null)),
  ];
}

async function pytestSource(files: ProjectFiles): Promise<string | null> {
  const configured = await configuredIn(files, [
    ["pytest.ini", null],
    ["pyproject.toml", "tool.pytest"],
    ["tox.ini", "pytest"],
    ["setup.cfg", "tool:pytest"],
  ]);
  if (configured !== null) return configured.source;
  for (const folder of TEST_FOLDERS) {
    const found = (await files.names(folder)).find((name) => TEST_FILE.test(name));
    if (found !== undefined) return folder === "." ? found : `${folder}/${found}`;
  }
  return null;
}

/** Tests that ask for no pytest run without it: those that the first test file shows to be of Python's own kind. */
async function unittest(
  files: ProjectFiles,
  { python }: PythonEnvironment,
  { source }: FoundCheck,
): Promise<FoundCheck | null> {
  const text = await files.read(source);
  const isOwnKind =
    /^\s*(?:import|from) unittest\b/m.test(text ?? "") && !/^\s*(?:import|from) pytest\b/m.test(text ?? "");
  if (python === null || !isOwnKind) return null;
  const [name = "", folder = "."] = source.split("/").toReversed();
  const top = folder !== "." && (await files.has(`${folder}/__init__.py`)) ? " -t ." : "";
  const where = folder === "." ? "" : ` -s ${folder}${top}`;
  const which = name.startsWith("test") ? "" : ` -p "*_test.py"`;
  const discovering = where + which === "" ? "" : ` discover${where}${which}`;
  return { name: TESTS_PASS, command: `${python} -m unittest${discovering}`, source, obstacle: null };
}

async function ruffSettings(
  files: ProjectFiles,
): Promise<{ readonly source: string; readonly fixes: boolean } | null> {
  const configured = await configuredIn(files, [
    ["ruff.toml", null],
    [".ruff.toml", null],
    ["pyproject.toml", "tool.ruff"],
  ]);
  if (configured === null) return null;
  const { source, text, section } = configured;
  return { source, fixes: /^true\b/.test(settingIn(text, section ?? "", "fix") ?? "") };
}

/** What the project's own settings name is looked at by itself; a path beside them would be looked at instead. */
async function mypySettings(
  files: ProjectFiles,
): Promise<{ readonly source: string; readonly path: string } | null> {
  const configured = await configuredIn(files, [
    ["mypy.ini", null],
    [".mypy.ini", null],
    ["pyproject.toml", "tool.mypy"],
    ["setup.cfg", "mypy"],
  ]);
  if (configured === null) return null;
  const { source, text, section } = configured;
  const namesFiles = ["files", "packages", "modules"].some(
    (key) => settingIn(text, section ?? "mypy", key) !== null,
  );
  if (namesFiles) return { source, path: "" };
  return { source, path: (await files.names("src")).length > 0 ? " src" : " ." };
}

interface Configured {
  readonly source: string;
  readonly text: string | null;
  /** null: the file is all about it. */
  readonly section: string | null;
}

async function configuredIn(
  files: ProjectFiles,
  places: readonly (readonly [file: string, section: string | null])[],
): Promise<Configured | null> {
  for (const [file, section] of places) {
    const text = (await files.has(file)) ? await files.read(file) : null;
    if (section === null && (await files.has(file))) return { source: file, text, section };
    if (section !== null && hasSection(text, section))
      return { source: `${file} [${section}]`, text, section };
  }
  return null;
}

const IS_WINDOWS = process.platform === "win32";

/** How the project calls the programs of its own Python. */
interface PythonEnvironment {
  /** The words that call a program, and whether it is there. */
  readonly program: (name: string) => Promise<Called>;
  /** How to call a program that is a module of this Python. */
  readonly module: (name: string) => Promise<Called>;
  /** How to call it itself; null: it isn't there. */
  readonly python: string | null;
  /** Why something of it is missing, and what to do first. */
  readonly obstacle: (source: string, program: string) => string;
}

interface Called {
  readonly command: string;
  readonly isThere: boolean;
}

/** By what the project keeps: a lock file of uv or poetry, a virtual environment of its own, or neither. */
async function pythonEnvironment(files: ProjectFiles, tools: Tools): Promise<PythonEnvironment> {
  const own = await ownFolder(files);
  if (await files.has("uv.lock"))
    return managed(tools, "uv", "sync", async (program) => hasIn(files, own, program));
  if (await files.has("poetry.lock"))
    return managed(tools, "poetry", "install", async (program) =>
      own === null ? hasInPoetry(files, tools, program) : hasIn(files, own, program),
    );
  return own === null ? onPath(tools) : inFolder(files, own);
}

function managed(
  tools: Tools,
  manager: "uv" | "poetry",
  installs: string,
  isInstalled: (program: string) => Promise<boolean>,
): PythonEnvironment {
  const isManaged = tools.onPath(manager) !== null;
  const called = async (command: string, program: string): Promise<Called> => ({
    command: `${manager} run ${command}`,
    isThere: isManaged && (await isInstalled(program)),
  });
  return {
    program: async (name) => called(name, name),
    module: async (name) => called(`python -m ${name}`, name),
    // Its programs are there once its environment is made.
    python: null,
    obstacle: (source, program) =>
      isManaged
        ? `Run ${manager} ${installs} first: ${source} needs ${program}.`
        : notInstalled(`${manager}.lock`, manager),
  };
}

function inFolder(files: ProjectFiles, folder: string): PythonEnvironment {
  return {
    program: async (name) => ({
      command: programIn(folder, name),
      isThere: await hasIn(files, folder, name),
    }),
    module: async (name) => ({
      command: `${programIn(folder, "python")} -m ${name}`,
      isThere: await hasIn(files, folder, name),
    }),
    python: programIn(folder, "python"),
    obstacle: notInstalled,
  };
}

function onPath(tools: Tools): PythonEnvironment {
  const python = IS_WINDOWS ? "python" : "python3";
  return {
    program: async (name) => ({ command: name, isThere: tools.onPath(name) !== null }),
    module: async (name) => {
      const found = tools.onPath(name);
      const interpreter = tools.onPath(python);
      // Installed elsewhere than the interpreter, it is a program of its own and no module.
      const isModule = found === null || (interpreter !== null && dirname(found) === dirname(interpreter));
      return { command: isModule ? `${python} -m ${name}` : name, isThere: found !== null };
    },
    python: tools.onPath(python) === null ? null : python,
    obstacle: notInstalled,
  };
}

async function ownFolder(files: ProjectFiles): Promise<string | null> {
  for (const folder of [".venv", "venv"]) if (await hasIn(files, folder, "python")) return folder;
  return null;
}

async function hasIn(files: ProjectFiles, folder: string | null, program: string): Promise<boolean> {
  return folder !== null && files.has(`${programIn(folder, program)}${IS_WINDOWS ? ".exe" : ""}`);
}

/** As a line of the shell names it. */
function programIn(folder: string, program: string): string {
  return IS_WINDOWS ? `${folder}\\Scripts\\${program}` : `${folder}/bin/${program}`;
}

/** Poetry keeps environments away from the project, under the project's name. */
async function hasInPoetry(files: ProjectFiles, { env }: Tools, program: string): Promise<boolean> {
  const manifest = await files.read("pyproject.toml");
  const named = settingIn(manifest, "tool.poetry", "name") ?? settingIn(manifest, "project", "name");
  const name = named?.replace(/^["']|["']$/g, "").toLowerCase() ?? "";
  const cache = env["POETRY_CACHE_DIR"] ?? poetryCache(env);
  if (name === "" || cache === null) return false;
  const kept = projectFiles(join(cache, "virtualenvs"));
  for (const folder of await kept.names("."))
    if (folder.toLowerCase().startsWith(`${name}-`) && (await hasIn(kept, folder, program))) return true;
  return false;
}

function poetryCache(env: NodeJS.ProcessEnv): string | null {
  const home = env["HOME"];
  if (process.platform === "darwin") return home === undefined ? null : join(home, "Library/Caches/pypoetry");
  const caches = env["XDG_CACHE_HOME"] ?? (home === undefined ? null : join(home, ".cache"));
  return caches === null ? null : join(caches, "pypoetry");
}
