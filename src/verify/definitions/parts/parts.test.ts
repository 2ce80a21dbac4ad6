import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layParts, partsOf } from "./parts.ts";

describe("a part of a file", () => {
  it.each([
    ["package.json", '{"scripts":{"test":"a","b.c":"d"}}', "scripts.test", '"a"'],
    ["package.json", '{"scripts":{"test":"a","b.c":"d"}}', "scripts.b.c", '"d"'],
    ["package.json", '{"jest":{"b":1,"a":[2]}}', "jest", '{"a":[2],"b":1}'],
    ["package.json", '{"scripts":{}}', "scripts.constructor", null],
    ["package.json", "{", "scripts.test", null],
    ["deno.json", '{ "tasks": { "test": "x", }, // why\n}', "tasks.test", '"x"'],
    [
      "pyproject.toml",
      "[tool.pytest]\na = 1 # x\n[tool.other]\nb = 1\n",
      "[tool.pytest]",
      "[tool.pytest]\na = 1 # x",
    ],
    ["pyproject.toml", "[tool]\npytest.a = 1\nother.b = 2\n", "[tool.pytest]", "pytest.a = 1"],
    ["pyproject.toml", 'x = """\n[tool.pytest]\n"""\n', "[tool.pytest]", null],
    [
      "pyproject.toml",
      "[tool.pytest]\na = [\n  '[x]',\n]\nb = 1\n",
      "[tool.pytest]",
      "[tool.pytest]\na = [\n'[x]',\n]\nb = 1",
    ],
    [
      "Cargo.toml",
      '[[test]]\nname = "a"\n[dependencies]\n[[test]]\nname = "b"\n',
      "[test]",
      '[[test]]\nname = "a"\n[[test]]\nname = "b"',
    ],
    ["tox.ini", "[testenv:a]\nx = 1\n[other]\ny = 2\n", "[testenv]", "[testenv:a]\nx = 1"],
    ["Makefile", "A = 1\nA += 2\nall: b\n\trun\n", "variable A", "1\n2"],
    [
      "Makefile",
      "a b: c ; run\n\tmore \\\n\t and on\n# why\nx:\n",
      "target b",
      "a b: c ; run\n\tmore  and on",
    ],
    [
      "build.gradle",
      "dependencies { x }\ntest {\n  a { b }\n}\nother {}\n",
      "testing blocks",
      "test {\na { b }\n}",
    ],
    ["go.mod", "replace (\n  a => b\n)\nrequire c v1\n", "replacements", "a => b"],
  ])("%s %j: %s", (path, text, part, expected) => {
    expect(partsOf(path, text)(part)).toBe(expected);
  });
});

describe("the opening's parts in the file of now", () => {
  it("of a package.json: scripts go back, dependencies stay", () => {
    const now = '{"scripts":{"test":"true","pretest":"x","new":"y"},"dependencies":{"a":"1"},"jest":{}}';
    const baseline = '{"scripts":{"test":"vitest"},"dependencies":{}}';
    const parts = ["scripts.test", "scripts.pretest", "jest"];
    expect(JSON.parse(layParts({ path: "package.json", now, baseline, parts }) ?? "")).toEqual({
      scripts: { test: "vitest", new: "y" },
      dependencies: { a: "1" },
    });
  });

  it("of a pyproject.toml: the section goes back, the rest stays", () => {
    const now =
      "[project]\ndependencies = ['x']\n[tool.pytest.ini_options]\naddopts = '-k one'\n[tool.black]\n";
    const baseline = "[tool.pytest.ini_options]\naddopts = '-q'\n[project]\n";
    const laid = layParts({ path: "pyproject.toml", now, baseline, parts: ["[tool.pytest]"] }) ?? "";
    expect(laid).toContain("dependencies = ['x']\n[tool.black]");
    expect(partsOf("pyproject.toml", laid)("[tool.pytest]")).toBe(
      "[tool.pytest.ini_options]\naddopts = '-q'",
    );
  });

  it("leaves to others what cannot be moved", () => {
    const baseline = "tool.pytest.ini_options.addopts = '-q'\n";
    expect(layParts({ path: "pyproject.toml", now: "", baseline, parts: ["[tool.pytest]"] })).toBeNull();
    expect(
      layParts({ path: "Makefile", now: "a:\n", baseline: "a:\n\tb\n", parts: ["target a"] }),
    ).toBeNull();
    expect(layParts({ path: "package.json", now: "[]", baseline: "{}", parts: ["jest"] })).toBeNull();
  });

  it("are then the same as at the opening, whatever stands around them", () => {
    const values = fc.dictionary(fc.constantFrom("test", "pretest", "a.b", "__proto__"), fc.string());
    fc.assert(
      fc.property(values, values, fc.json(), (one, other, more) => {
        const now = JSON.stringify({ more, scripts: one });
        const baseline = JSON.stringify({ scripts: other });
        const parts = ["scripts.test", "scripts.pretest", "scripts.a.b"];
        const laid = layParts({ path: "package.json", now, baseline, parts }) ?? "";
        for (const part of parts)
          expect(partsOf("package.json", laid)(part)).toBe(partsOf("package.json", baseline)(part));
      }),
    );
  });
});
