import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";

interface Case {
  readonly now: { readonly [path: string]: string | null };
  readonly spec?: string;
}

const FILES = {
  "tools/links.py": "import sys\n",
  "docs/a.md": "# A\n",
  "docs/b.md": "# B\n",
  "docs/guide.md": "# Guide\n\nRead the introduction and install the program first.\n",
  "docs/settings.json": '{ "port": 80 }\n',
};

async function doubtsOf(line: string, { now, spec = "Repair the links." }: Case): Promise<string> {
  const world = new BaselineWorld(FILES, line);
  await world.open();
  world.write(now);
  return (await world.compared({ spec })).doubts.map(({ text }) => text).join(" ");
}

describe("a folder that a script or an unknown program is told to go through", () => {
  it.each([
    [
      "a page has another ending",
      { "docs/a.md": null, "docs/a.markdown": "# A\n" },
      "docs/a.md to docs/a.markdown",
    ],
    ["a page is elsewhere", { "docs/a.md": null, "old/a.md": "# A\n" }, "docs/a.md to old/a.md"],
    ["a page was emptied", { "docs/a.md": "\n" }, "Nothing is left in docs/a.md"],
    ["a new page is empty", { "docs/c.md": "" }, "Nothing is left in docs/c.md"],
    ["a page is gone", { "docs/guide.md": null }, "this is gone: docs/guide.md"],
    ["most of a page is gone", { "docs/guide.md": "# Guide\n" }, "this is gone: most of docs/guide.md"],
  ])("%s", async (_, now, told) => {
    expect(await doubtsOf("python3 tools/links.py docs", { now })).toContain(told);
    expect(await doubtsOf("unheard-of --check docs", { now })).toContain(told);
    expect(await doubtsOf("python3 tools/links.py", { now })).toBe("");
  });

  it("nothing is said of what the spec asks for, or of what is there", async () => {
    const line = "python3 tools/links.py docs";
    const spec = "Move the page on A into old/.";
    expect(await doubtsOf(line, { now: { "docs/a.md": null, "old/a.md": "# A\n" }, spec })).toBe("");
    expect(await doubtsOf(line, { now: { "docs/a.md": "# AA\n", "docs/c.md": "# C\n" } })).toBe("");
    expect(await doubtsOf(line, { now: { "docs/a.md": null } })).toBe("");
    expect(await doubtsOf(line, { now: { "docs/a.md": "" }, spec: "Empty docs/a.md." })).toBe("");
    const { "docs/guide.md": guide } = FILES;
    expect(await doubtsOf(line, { now: { "docs/guide.md": null }, spec: "Drop the guide." })).toBe("");
    expect(await doubtsOf(line, { now: { "docs/guide.md": null, "docs/c.md": `# C\n${guide}` } })).toBe("");
  });

  it("nothing is said of a file that the check or the spec names, or of a few words that became others", async () => {
    const now = { "docs/guide.md": "# Start\n" };
    expect(await doubtsOf("unheard-of --check docs/guide.md", { now })).toBe("");
    const line = "python3 tools/links.py docs";
    expect(await doubtsOf(line, { now, spec: "Repair docs/guide.md." })).toBe("");
    expect(await doubtsOf(line, { now: { "docs/settings.json": '{ "host": 1 }\n' } })).toBe("");
  });
});

it("a new file under the name of what a judging script imports from elsewhere takes its place", async () => {
  const world = new BaselineWorld({ "check.py": "import schemas, own\n", "own.py": "" }, "python3 check.py");
  await world.open();
  world.write({ "schemas.py": "", "other.py": "", "own/__init__.py": "" });
  const { judged } = await world.compared({ spec: "Fix a." });
  expect(judged.map(({ path }) => path)).toEqual(["schemas.py"]);
});

it("a key that a JSON file has twice is told, wherever the file is", async () => {
  const now = { "docs/settings.json": '{ "port": 80, "port": 443 }\n' };
  expect(await doubtsOf("python3 tools/links.py", { now })).toContain('"port" in docs/settings.json');
  expect(
    await doubtsOf("python3 tools/links.py", { now: { "docs/settings.json": '{ "port": 443 }\n' } }),
  ).toBe("");
});

describe("source that has the answers of its tests", () => {
  const files = {
    "src/slug.js": "export const slug = (text) => text;\n",
    "test/slug.test.js":
      'import test from "node:test";\ntest("a", () => equal(slug("Rock & Roll"), "rock-roll"));\n',
  };

  async function told(source: string): Promise<string> {
    const world = new BaselineWorld(files, "node --test");
    await world.open();
    world.write({ "src/slug.js": source });
    const { doubts } = await world.compared({ spec: "Fix slug." });
    return doubts.map(({ text }) => text).join(" ");
  }

  it("names input, test, file and line", async () => {
    const source =
      'export function slug(text) {\n  if (text === "Rock & Roll") return "rock-roll";\n  return text;\n}\n';
    expect(await told(source)).toContain('"Rock & Roll" of test/slug.test.js in src/slug.js:2');
  });

  it("names a function that always answers the same", async () => {
    const source = 'export function slug(text) {\n  return "rock-roll";\n}\n';
    expect(await told(source)).toContain("slug in src/slug.js:1, always rock-roll");
  });

  it("looks into scripts without an ending", async () => {
    const test = '@test "two" {\n  run bin/greet Ann Bob\n  [ "$output" = "Hello, Ann and Bob!" ]\n}\n';
    const world = new BaselineWorld({ "bin/greet": "#!/bin/bash\n", "test/greet.bats": test }, "bats test");
    await world.open();
    world.write({
      "bin/greet": '#!/bin/bash\nif [ "$*" = "Ann Bob" ]; then\n  echo "Hello, Ann and Bob!"\nfi\n',
    });
    const { doubts } = await world.compared({ spec: "Greet several people." });
    expect(doubts.map(({ text }) => text).join(" ")).toContain('"Ann Bob" of test/greet.bats in bin/greet:2');
  });

  it("says nothing of source that computes them", async () => {
    const source = 'export const slug = (text) => text.toLowerCase().replaceAll(/[^a-z]+/g, "-");\n';
    expect(await told(source)).toBe("");
  });
});
