import { describe, expect, it, test } from "vitest";
import { isStandardModule, requiredModules, topModuleOf } from "./shadowed-modules.ts";

const FILES = new Set(["cart/__init__.py", "cart/csv.py", "src/json.py", "csv/__init__.py"]);

describe("the module that a path gives a name", () => {
  it.each([
    ["csv.py", "csv"],
    ["src/json.py", "json"],
    ["csv/__init__.py", "csv"],
    ["cart/csv.py", null],
    ["cart/csv/__init__.py", null],
    ["csv.txt", null],
  ])("is known for %s", (path, expected) => {
    expect(topModuleOf(path, (each) => FILES.has(each))).toBe(expected);
  });
});

test("Python's own modules, and what it runs at its start", () => {
  expect(["json", "sitecustomize", "cart", "test"].filter(isStandardModule)).toEqual([
    "json",
    "sitecustomize",
  ]);
});

test("what a project requires, not what it is", () => {
  expect([...requiredModules("requirements.txt", "# tools\nPyYAML>=6\nruamel-yaml\n-r dev.txt\n")]).toEqual([
    "pyyaml",
    "ruamel_yaml",
  ]);
  const project = `[project]\nname = "cart"\ndependencies = [\n  "numpy>=2",\n  'rich',\n]\n`;
  expect([...requiredModules("pyproject.toml", project)]).toEqual(["numpy", "rich"]);
});
