import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { moveBaseline } from "./approved.ts";
import { asJudged, asReverted, withEmptied, withRemoved, type ReplacedFile } from "./replacements.ts";

const SCRIPTS = { test: "node --test" };
const FILES = {
  "package.json": JSON.stringify({ name: "a", scripts: SCRIPTS }),
  "src/a.js": "a1\n",
  "src/gone.js": "g1\n",
  "test/a.test.js": "t1\n",
  ".gitignore": ".env\n",
  ".env": "A=1\n",
};

function told(files: readonly ReplacedFile[] | null): { readonly [path: string]: string | null } | null {
  if (files === null) return null;
  return Object.fromEntries(files.map(({ path, content }) => [path, content?.toString() ?? null]));
}

async function judged(world: BaselineWorld, mayChange: readonly string[] = []) {
  return told(await asJudged(world.place, await world.compared({ mayChange })));
}

async function reverted(world: BaselineWorld) {
  return told(await asReverted(world.place, await world.compare(), await world.compared()));
}

describe.each([{ hasGit: true }, { hasGit: false }])("with git: $hasGit", ({ hasGit }) => {
  async function openedWorld(files: { readonly [path: string]: string } = FILES, line = "npm test") {
    const world = new BaselineWorld(files, line, { hasGit });
    await world.open();
    return world;
  }

  it("the opening's judge puts back what changed of tests and definitions, and leaves out what is new", async () => {
    const world = await openedWorld();
    world.write({
      "src/a.js": "a2\n",
      "test/a.test.js": "t2\n",
      "test/new.test.js": "n\n",
      ".npmrc": "node-options=--require=./x.cjs\n",
      ".env": "A=2\n",
    });
    expect(await judged(world)).toEqual({
      "test/a.test.js": "t1\n",
      "test/new.test.js": null,
      ".npmrc": null,
      ".env": "A=1\n",
    });
    expect(await judged(world, ["test/**"])).toEqual({ ".npmrc": null, ".env": "A=1\n" });
  });

  it("the opening's judge has new tests empty where a build may list them, and says so if there are none", async () => {
    const world = await openedWorld();
    world.write({ "test/a.test.js": "t2\n", ".npmrc": "a=b\n" });
    const none = await world.compared({ mayChange: [] });
    expect(withEmptied(world.place, none, (await asJudged(world.place, none)) ?? [])).toEqual([]);
    world.write({ "test/new.test.js": "n\n" });
    const compared = await world.compared({ mayChange: [] });
    const [emptied = null] = withEmptied(
      world.place,
      compared,
      (await asJudged(world.place, compared)) ?? [],
    );
    expect(told(emptied)).toEqual({ "test/a.test.js": "t1\n", "test/new.test.js": "", ".npmrc": null });
  });

  it("the opening's judge has a new test program do nothing where a build may link it", async () => {
    const world = await openedWorld({ "test/a_test.c": "int main(void) { return 1; }\n" }, "make test");
    world.write({
      "test/b_test.c": "#include <x.h>\nint main(int argc, char **argv)\n{\n  return x();\n}\n",
    });
    world.write({ "test/parts_test.c": "int part(void) { return 2; }\n" });
    const compared = await world.compared({ mayChange: [] });
    const [emptied = null] = withEmptied(
      world.place,
      compared,
      (await asJudged(world.place, compared)) ?? [],
    );
    expect(told(emptied)).toEqual({
      "test/b_test.c": "int main(void) { return 0; }\n",
      "test/parts_test.c": "",
    });
  });

  it("a definition that is a pipe by now is the opening's as a whole, and nobody waits for it", async () => {
    const world = await openedWorld();
    world.write({ "package.json": JSON.stringify({ name: "b", scripts: { test: "true" } }) });
    const compared = await world.compared({ mayChange: [] });
    rmSync(join(world.root, "package.json"));
    execFileSync("mkfifo", [join(world.root, "package.json")]);
    expect(told(await asJudged(world.place, compared))).toEqual({ "package.json": FILES["package.json"] });
  });

  it("a script counts by part: the rest of package.json stays the work", async () => {
    const world = await openedWorld();
    world.write({ "package.json": JSON.stringify({ name: "b", scripts: { test: "true", start: "x" } }) });
    const files = await judged(world);
    expect(JSON.parse(files?.["package.json"] ?? "")).toEqual({
      name: "b",
      scripts: { ...SCRIPTS, start: "x" },
    });
    const back = await reverted(world);
    expect(JSON.parse(back?.["package.json"] ?? "")).toEqual({ name: "a", scripts: { test: "true" } });
  });

  it("a section of pyproject.toml counts by itself, also one that was absent", async () => {
    const project = '[project]\nname = "a"\n';
    const world = await openedWorld({ "pyproject.toml": project, "tests/test_a.py": "" }, "python -m pytest");
    const options = '\n[tool.pytest.ini_options]\naddopts = "-k none"\n';
    world.write({ "pyproject.toml": project.replace('"a"', '"b"') + options });
    const laid = (await judged(world))?.["pyproject.toml"];
    expect(laid).toContain('name = "b"');
    expect(laid).not.toContain("addopts");
  });

  it("a test file that became a link or vanished is a file again", async () => {
    const world = await openedWorld();
    world.write({ "test/a.test.js": null });
    expect(await judged(world)).toEqual({ "test/a.test.js": "t1\n" });
    symlinkSync("../src/a.js", join(world.root, "test", "a.test.js"));
    const [file] = (await asJudged(world.place, await world.compared())) ?? [];
    expect(file).toMatchObject({ path: "test/a.test.js", mode: "100644" });
  });

  it("what the spec asked to remove is back for rules that still name it, and nothing else that is gone", async () => {
    const makefile = "test: gone_test\n\t./gone_test\ngone_test: gone.o\n";
    const files = { ...FILES, Makefile: makefile, "src/gone.h": "h\n", "src/other.js": "o\n" };
    const world = await openedWorld(files, "make test");
    world.write({ "src/gone.js": null, "src/gone.h": null, "src/other.js": null, "test/a.test.js": null });
    const back = async (spec: string) => {
      const comparison = await world.compare({ spec, mayChange: ["test/**"] });
      const [check] = comparison.checks.values();
      if (check === undefined) throw new Error("no check");
      return (await withRemoved(world.place, comparison, check, [])).map(told);
    };
    expect(await back("Remove gone() with src/gone.js and its tests.")).toEqual([
      { "src/gone.js": "g1\n", "src/gone.h": "h\n", "test/a.test.js": "t1\n" },
    ]);
    expect(await back("Fix gone() in src/gone.js.")).toEqual([]);
  });

  it("the revert puts back the source alone", async () => {
    const world = await openedWorld();
    world.write({
      "src/a.js": "a2\n",
      "src/gone.js": null,
      "src/new.js": "n\n",
      "test/a.test.js": "t2\n",
      "test/new.test.js": "n\n",
    });
    expect(await reverted(world)).toEqual({ "src/a.js": "a1\n", "src/gone.js": "g1\n", "src/new.js": null });
  });

  it("there is nothing to revert where only tests changed", async () => {
    const world = await openedWorld();
    world.write({ "test/a.test.js": "t2\n" });
    expect(await reverted(world)).toBeNull();
  });

  it("what a person approved judges from then on, and is still no source", async () => {
    const world = await openedWorld({ ...FILES, "verify.sh": "exit 1\n" }, "sh verify.sh && npm test");
    world.write({ "verify.sh": "exit 0\n", "test/a.test.js": "t2\n", ".env": "A=2\n", "src/a.js": "a2\n" });
    const at = { now: 2, reading: await world.reading() };
    await moveBaseline(world.place, world.which, await world.compare(), at);
    expect(await judged(world)).toEqual({});
    expect(await reverted(world)).toEqual({ "src/a.js": "a1\n" });

    world.write({ "verify.sh": "exit 2\n", "test/a.test.js": "t3\n", ".env": "A=3\n" });
    expect(await judged(world)).toEqual({
      "verify.sh": "exit 0\n",
      "test/a.test.js": "t2\n",
      ".env": "A=2\n",
    });
  });
});
