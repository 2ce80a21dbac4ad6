import type { Tool } from "./tools.ts";

/** `python -m` looks in the working folder first: a file named like a runner there runs instead of it. */
const SHADOWS = ["pytest", "unittest"].flatMap((name) => [
  `${name}.py`,
  `${name}/__init__.py`,
  `${name}/__main__.py`,
]);

/** Python runs the first two, when they can be imported, before anything else. */
export const PYTHON_SURROUNDINGS = ["sitecustomize.py", "usercustomize.py", ".env", ...SHADOWS];

const CONFTEST = /(?:^|\/)conftest\.py$/;

export const PYTHON_TOOLS: readonly Tool[] = [
  {
    commands: "pytest, py.test, ptw, pytest-watch",
    tests: "python",
    files: "pytest.ini .pytest.ini pytest.toml .pytest.toml conftest.py .coveragerc",
    parts: {
      "pyproject.toml": ["[tool.pytest]", "[tool.coverage]"],
      "tox.ini": ["[pytest]", "[coverage]"],
      "setup.cfg": ["[tool:pytest]", "[pytest]", "[coverage]"],
    },
    anywhere: CONFTEST,
    inline: /doctest-modules/,
  },
  {
    commands: "unittest, nose2, nose, green, trial, stestr, ward",
    tests: "python",
    files: "unittest.cfg nose2.cfg .green",
    runsFolders: true,
    parts: { "pyproject.toml": ["[tool.ward]"] },
  },
  { commands: "doctest, xdoctest", tests: "python", inline: /^/ },
  {
    commands: "behave",
    tests: "python",
    files: "behave.ini .behaverc",
    parts: { "pyproject.toml": ["[tool.behave]"] },
  },
  {
    commands: "coverage run, coverage",
    reports: "coverage",
    language: "python",
    tests: "wrapped",
    files: ".coveragerc",
    parts: { "pyproject.toml": ["[tool.coverage]"], "setup.cfg": ["[coverage]"], "tox.ini": ["[coverage]"] },
  },
  {
    commands: "ruff",
    reports: "rules",
    language: "python",
    files: "ruff.toml .ruff.toml",
    parts: { "pyproject.toml": ["[tool.ruff]"] },
  },
  {
    commands: "mypy, dmypy",
    reports: "types",
    language: "python",
    files: "mypy.ini .mypy.ini",
    parts: { "pyproject.toml": ["[tool.mypy]"], "setup.cfg": ["[mypy]"] },
  },
  {
    commands: "pyright, basedpyright",
    reports: "types",
    language: "python",
    files: "pyrightconfig.json",
    parts: { "pyproject.toml": ["[tool.pyright]", "[tool.basedpyright]"] },
  },
  {
    commands: "ty",
    reports: "types",
    language: "python",
    files: "ty.toml",
    parts: { "pyproject.toml": ["[tool.ty]"] },
  },
  {
    commands: "flake8",
    reports: "rules",
    language: "python",
    files: ".flake8",
    parts: { "setup.cfg": ["[flake8]"], "tox.ini": ["[flake8]"] },
  },
  {
    commands: "pylint",
    reports: "rules",
    language: "python",
    files: ".pylintrc pylintrc pylintrc.toml",
    parts: { "pyproject.toml": ["[tool.pylint]"], "setup.cfg": ["[pylint]"] },
  },
  { commands: "black", reports: "form", language: "python", parts: { "pyproject.toml": ["[tool.black]"] } },
  {
    commands: "isort",
    reports: "form",
    language: "python",
    files: ".isort.cfg",
    parts: { "pyproject.toml": ["[tool.isort]"] },
  },
  {
    commands: "ruff format",
    reports: "form",
    language: "python",
    files: "ruff.toml .ruff.toml",
    parts: { "pyproject.toml": ["[tool.ruff]"] },
  },
  {
    commands: "yapf, autopep8",
    reports: "form",
    language: "python",
    files: ".style.yapf",
    parts: { "pyproject.toml": ["[tool.yapf]", "[tool.autopep8]"] },
  },
  { commands: "py_compile, compileall", reports: "build", language: "python" },
  {
    commands: "hatch test",
    tests: "python",
    files: "hatch.toml",
    parts: { "pyproject.toml": ["[tool.hatch.envs]", "[tool.pytest]"] },
    anywhere: CONFTEST,
  },
  {
    commands: "hatch run",
    tests: "wrapped",
    files: "hatch.toml",
    parts: { "pyproject.toml": ["[tool.hatch.envs]"] },
  },
  { commands: "pdm run", tests: "wrapped", parts: { "pyproject.toml": ["[tool.pdm.scripts]"] } },
  {
    commands: "poe",
    tests: "python",
    files: "poe_tasks.toml poe_tasks.yaml",
    parts: { "pyproject.toml": ["[tool.poe]"] },
    anywhere: CONFTEST,
  },
  {
    commands: "pixi run",
    tests: "wrapped",
    parts: { "pyproject.toml": ["[tool.pixi.tasks]"], "pixi.toml": ["[tasks]"] },
  },
  { commands: "invoke, inv", tests: "python", files: "tasks.py", anywhere: CONFTEST },
];
