import type { ProjectFiles } from "./project-files.ts";
import { LINT_CLEAN, NO_TYPE_ERRORS, TESTS_PASS, type ProposedCheck } from "./proposed-check.ts";
import { hasSection } from "./ini-section.ts";

const TEST_FILE = /^(test_.*|.*_test)\.py$/;
const TEST_FOLDERS = ["tests", "test", "."];

export async function discoverPython(files: ProjectFiles): Promise<readonly ProposedCheck[]> {
  const prefix = await environmentPrefix(files);
  const python = prefix === "" && process.platform !== "win32" ? "python3" : "python";
  const [pytest, ruff, mypy] = await Promise.all([
    pytestSource(files),
    configuredIn(files, ["ruff.toml", ".ruff.toml"], [["pyproject.toml", "tool.ruff"]]),
    configuredIn(
      files,
      ["mypy.ini", ".mypy.ini"],
      [
        ["pyproject.toml", "tool.mypy"],
        ["setup.cfg", "mypy"],
      ],
    ),
  ]);
  const proposals: readonly (readonly [string, string, string | null])[] = [
    [TESTS_PASS, `${prefix}${python} -m pytest`, pytest],
    [LINT_CLEAN, `${prefix}ruff check .`, ruff],
    [NO_TYPE_ERRORS, `${prefix}mypy .`, mypy],
  ];
  return proposals.flatMap(([name, command, source]) => (source === null ? [] : [{ name, command, source }]));
}

async function environmentPrefix(files: ProjectFiles): Promise<string> {
  if (await files.has("uv.lock")) return "uv run ";
  if (await files.has("poetry.lock")) return "poetry run ";
  return "";
}

async function pytestSource(files: ProjectFiles): Promise<string | null> {
  const configured = await configuredIn(
    files,
    ["pytest.ini"],
    [
      ["pyproject.toml", "tool.pytest"],
      ["tox.ini", "pytest"],
      ["setup.cfg", "tool:pytest"],
    ],
  );
  if (configured !== null) return configured;
  for (const folder of TEST_FOLDERS) {
    const found = (await files.names(folder)).find((name) => TEST_FILE.test(name));
    if (found !== undefined) return folder === "." ? found : `${folder}/${found}`;
  }
  return null;
}

async function configuredIn(
  files: ProjectFiles,
  ownFiles: readonly string[],
  sections: readonly (readonly [file: string, section: string])[],
): Promise<string | null> {
  for (const file of ownFiles) if (await files.has(file)) return file;
  for (const [file, section] of sections) {
    if (hasSection(await files.read(file), section)) return `${file} [${section}]`;
  }
  return null;
}
