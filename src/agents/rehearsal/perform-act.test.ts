import { describe, expect, test, onTestFinished } from "vitest";
import { edited, isRelativeInside, pathInProject } from "./perform-act.ts";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("an edit", () => {
  test.each([
    ["replaces a text", "a = 1;", "1", "2", "a = 2;"],
    ["adds to a text", "import a;\n", "import a;", "import a;\nimport b;", "import a;\nimport b;\n"],
    ["takes a text out", "a b c", " b", "", "a c"],
    ["takes its words as they are", "cost: $1", "$1", "$& and $'", "cost: $& and $'"],
  ])("%s, once however often it is made", (_, text, from, to, expected) => {
    expect(edited(text, from, to)).toBe(expected);
    expect(edited(expected, from, to)).toBe(expected);
  });

  test.each([
    ["not there", "a = 1;", "b", "the text to replace was not found"],
    ["there twice", "a a", "a", "the text to replace occurs more than once"],
  ])("of a text that is %s is refused", (_, text, from, message) => {
    expect(() => edited(text, from, "z")).toThrow(message);
  });
});

test.each(["a.txt", "./a.txt", "src/deep/a.txt", "..a/b", "a..b", "…"])(
  "%j is inside the project by its text",
  (path) => {
    expect(isRelativeInside(path)).toBe(true);
  },
);

test.each([
  "",
  ".",
  "./",
  "..",
  "../a",
  "a/../../b",
  "a/..",
  "/etc/passwd",
  "\\a",
  "..\\a",
  "C:\\a",
  "c:a",
  "a\0b",
])("%j is not inside the project by its text", (path) => {
  expect(isRelativeInside(path)).toBe(false);
});

describe("a path in a project", () => {
  function project(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-test-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const root = join(folder, "project");
    mkdirSync(join(root, "src"), { recursive: true });
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "outside/secret.txt"), "");
    symlinkSync("../outside", join(root, "out"));
    symlinkSync("../outside/secret.txt", join(root, "secret"));
    symlinkSync("../outside/new.txt", join(root, "dangling"));
    symlinkSync("src", join(root, "in"));
    symlinkSync(".", join(root, "self"));
    return root;
  }

  test("may be new, and may go over a link that stays inside", () => {
    const root = project();
    expect(pathInProject(root, "new/deep/a.txt", "followed")).toBe(join(root, "new/deep/a.txt"));
    expect(pathInProject(root, "in/a.txt", "followed")).toBe(join(root, "src/a.txt"));
  });

  test.each(["out/a.txt", "out/new/a.txt", "out", "secret", "self"])(
    "is refused where a link leads out: %s",
    (path) => {
      const root = project();
      expect(() => pathInProject(root, path, "followed")).toThrow(`${path} leads out of the project`);
    },
  );

  test("is refused where a link leads nowhere: a write would make what it names", () => {
    const root = project();
    expect(() => pathInProject(root, "dangling", "followed")).toThrow("ENOENT");
  });

  test("may be a link itself, wherever that leads, but not go over one that leads out", () => {
    const root = project();
    expect(pathInProject(root, "secret", "itself")).toBe(join(root, "secret"));
    expect(() => pathInProject(root, "out/secret.txt", "itself")).toThrow("leads out of the project");
  });
});
