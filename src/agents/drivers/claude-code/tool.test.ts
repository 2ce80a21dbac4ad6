import { expect, test } from "vitest";
import type { JsonObject } from "../json-line.ts";
import { outcomeOf, toolUseIn, withinProject, type ToolUse } from "./tool.ts";

function use(name: string, input: JsonObject, type = "tool_use"): ToolUse | null {
  return toolUseIn({ type, id: "toolu_1", name, input }, "/project");
}

test.each<readonly [string, JsonObject, string]>([
  ["Bash", { command: "npm test", description: "Runs the tests" }, "npm test"],
  ["Bash", { command: "one\ntwo" }, "one two"],
  ["Read", { file_path: "/project/src/a.ts" }, "src/a.ts"],
  ["Read", { file_path: "/etc/hosts" }, "/etc/hosts"],
  ["Grep", { pattern: "TODO", path: "/project/src" }, "TODO"],
  ["WebFetch", { url: "https://example.com", prompt: "p" }, "https://example.com"],
  ["Agent", { description: "look around", prompt: "Look around." }, "look around"],
  ["mcp__x__y", { anything: 1 }, ""],
])("what a use of %s %j is about", (name, input, detail) => {
  expect(use(name, input)).toMatchObject({ tool: name, detail });
});

test.each([
  ["Write", "file_path"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
])("%s has edited its file when it has not failed", (name, field) => {
  const edit = use(name, { [field]: "/project/a" });
  expect(outcomeOf({ content: "ok" }, edit)).toEqual({ type: "edited", path: "/project/a" });
  expect(outcomeOf({ content: "no", is_error: true }, edit)).toEqual({ type: "failed", output: "no" });
});

test("other tools edit nothing", () => {
  expect(outcomeOf({ content: "ok" }, use("Read", { file_path: "/project/a" }))).toBeNull();
  expect(outcomeOf({ content: "ok" }, null)).toBeNull();
  expect(use("Write", { file_path: `/${"x".repeat(5_000)}` })).toMatchObject({ writes: null });
});

test("what a failure said, whatever its form", () => {
  const failed = (content: unknown) => outcomeOf({ content, is_error: true }, use("Bash", {}));
  expect(failed("<tool_use_error>File has not been read yet.</tool_use_error>")).toMatchObject({
    output: "File has not been read yet.",
  });
  expect(
    failed([{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }]),
  ).toMatchObject({
    output: "one\n\ntwo",
  });
  expect(failed(undefined)).toMatchObject({ output: "Bash failed without a message" });
  expect(failed(`${"x\n".repeat(5_000)}the end`)).toMatchObject({
    output: expect.stringMatching(/^x\n[^]*the end$/),
  });
});

test("blocks that ask for no tool", () => {
  expect(toolUseIn({ type: "text", text: "x", id: "1" }, null)).toBeNull();
  expect(toolUseIn({ type: "tool_use", name: "Bash" }, null)).toBeNull();
  expect(use("web_search", { query: "x" }, "server_tool_use")).toMatchObject({ detail: "x" });
});

test.each([
  ["/project/a", "/project", "a"],
  ["/project/a", "/project/", "a"],
  ["/projects/a", "/project", "/projects/a"],
  ["/project", "/project", "/project"],
  ["C:\\p\\a\\b", "C:\\p", "a/b"],
  ["a", null, "a"],
])("%s in %s is %s", (path, cwd, name) => {
  expect(withinProject(path, cwd)).toBe(name);
});
