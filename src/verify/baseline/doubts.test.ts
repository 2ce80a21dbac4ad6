import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";

interface Case {
  readonly now: { readonly [path: string]: string | null };
  readonly spec?: string;
}

const FILES = { "tools/links.py": "import sys\n", "docs/a.md": "# A\n", "docs/b.md": "# B\n" };

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
  });
});

it("a new file under the name of what a judging script imports from elsewhere takes its place", async () => {
  const world = new BaselineWorld({ "check.py": "import schemas, own\n", "own.py": "" }, "python3 check.py");
  await world.open();
  world.write({ "schemas.py": "", "other.py": "", "own/__init__.py": "" });
  const { judged } = await world.compared({ spec: "Fix a." });
  expect(judged.map(({ path }) => path)).toEqual(["schemas.py"]);
});
