import { expect, test } from "vitest";
import { listed, withFoldersFolded } from "./listed.ts";

const VENV = Array.from({ length: 7 }, (_, index) => `.venv/lib/python3/__pycache__/m${index}.pyc`);

test("many files in a folder that a tool fills are named once, wherever the folder lies", () => {
  const deep = VENV.map((path) => `packages/api/${path}`);
  expect(withFoldersFolded(["src/a.py", ...VENV, ...deep])).toEqual([
    "src/a.py",
    ".venv/ (7 files)",
    "packages/api/.venv/ (7 files)",
  ]);
});

test("a few files, and files of the project's own folders, are named one by one", () => {
  const own = Array.from({ length: 9 }, (_, index) => `src/m${index}.ts`);
  const few = [".github/workflows/ci.yml", "build/out.js"];
  expect(withFoldersFolded([...own, ...few])).toEqual([...own, ...few]);
  expect(listed(own, 2)).toBe("src/m0.ts, src/m1.ts and 7 more");
});
