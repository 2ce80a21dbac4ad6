import { hasSection, settingIn } from "./ini-section.ts";
import type { ProjectFiles } from "./project-files.ts";
import { LINT_CLEAN, NO_TYPE_ERRORS, TESTS_PASS, type FoundCheck } from "./proposed-check.ts";
import { pythonEnvironment } from "./python-environment.ts";
import type { Tools } from "./tools.ts";

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
  return [
    ...(await found(TESTS_PASS, "pytest", "", await pytestSource(files))),
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
