import type { Tool } from "./tools.ts";

/** Python runs these, when they can be imported, before anything else. */
/** `python -m` looks in the working folder first: a file named like a runner there runs instead of it. */
const SHADOWS = ["pytest", "unittest"].flatMap((name) => [
  `${name}.py`,
  `${name}/__init__.py`,
  `${name}/__main__.py`,
]);

export const PYTHON_SURROUNDINGS = ["sitecustomize.py", "usercustomize.py", ".env", ...SHADOWS];

const COVERAGE_PARTS = [
  ["pyproject.toml", "[tool.coverage]"],
  ["setup.cfg", "[coverage]"],
  ["tox.ini", "[coverage]"],
] as const;

const CONFTEST = /(?:^|\/)conftest\.py$/;

export const PYTHON_TOOLS: readonly Tool[] = [
  {
    commands: ["pytest", "py.test", "ptw", "pytest-watch"],
    tests: "python",
    files: ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py", ".coveragerc"],
    parts: [
      ["pyproject.toml", "[tool.pytest]"],
      ["tox.ini", "[pytest]"],
      ["setup.cfg", "[tool:pytest]"],
      ["setup.cfg", "[pytest]"],
      ...COVERAGE_PARTS,
    ],
    anywhere: CONFTEST,
    inline: /doctest-modules/,
  },
  {
    commands: ["unittest", "nose2", "nose", "green", "trial", "stestr", "ward"],
    tests: "python",
    files: ["unittest.cfg", "nose2.cfg", ".green"],
    parts: [["pyproject.toml", "[tool.ward]"]],
  },
  { commands: ["doctest", "xdoctest"], tests: "python", inline: /^/ },
  {
    commands: ["behave"],
    tests: "python",
    files: ["behave.ini", ".behaverc"],
    parts: [["pyproject.toml", "[tool.behave]"]],
  },
  {
    commands: ["coverage run", "coverage"],
    wraps: true,
    tests: null,
    files: [".coveragerc"],
    parts: COVERAGE_PARTS,
  },
  {
    commands: ["ruff"],
    tests: null,
    files: ["ruff.toml", ".ruff.toml"],
    parts: [["pyproject.toml", "[tool.ruff]"]],
  },
  {
    commands: ["mypy", "dmypy"],
    tests: null,
    files: ["mypy.ini", ".mypy.ini"],
    parts: [
      ["pyproject.toml", "[tool.mypy]"],
      ["setup.cfg", "[mypy]"],
    ],
  },
  {
    commands: ["pyright", "basedpyright"],
    tests: null,
    files: ["pyrightconfig.json"],
    parts: [
      ["pyproject.toml", "[tool.pyright]"],
      ["pyproject.toml", "[tool.basedpyright]"],
    ],
  },
  { commands: ["ty"], tests: null, files: ["ty.toml"], parts: [["pyproject.toml", "[tool.ty]"]] },
  {
    commands: ["flake8"],
    tests: null,
    files: [".flake8"],
    parts: [
      ["setup.cfg", "[flake8]"],
      ["tox.ini", "[flake8]"],
    ],
  },
  {
    commands: ["pylint"],
    tests: null,
    files: [".pylintrc", "pylintrc", "pylintrc.toml"],
    parts: [
      ["pyproject.toml", "[tool.pylint]"],
      ["setup.cfg", "[pylint]"],
    ],
  },
  { commands: ["black"], tests: null, parts: [["pyproject.toml", "[tool.black]"]] },
  { commands: ["isort"], tests: null, files: [".isort.cfg"], parts: [["pyproject.toml", "[tool.isort]"]] },
  {
    commands: ["hatch test"],
    tests: "python",
    parts: [
      ["pyproject.toml", "[tool.hatch.envs]"],
      ["pyproject.toml", "[tool.pytest]"],
    ],
    files: ["hatch.toml"],
    anywhere: CONFTEST,
  },
  {
    commands: ["hatch run"],
    tests: null,
    wraps: true,
    parts: [["pyproject.toml", "[tool.hatch.envs]"]],
    files: ["hatch.toml"],
  },
  { commands: ["pdm run"], tests: null, wraps: true, parts: [["pyproject.toml", "[tool.pdm.scripts]"]] },
  {
    commands: ["poe"],
    tests: "python",
    parts: [["pyproject.toml", "[tool.poe]"]],
    files: ["poe_tasks.toml", "poe_tasks.yaml"],
    anywhere: CONFTEST,
  },
  {
    commands: ["pixi run"],
    tests: null,
    wraps: true,
    parts: [
      ["pyproject.toml", "[tool.pixi.tasks]"],
      ["pixi.toml", "[tasks]"],
    ],
  },
  { commands: ["invoke", "inv"], tests: "python", files: ["tasks.py"], anywhere: CONFTEST },
];
