import { expect, test } from "vitest";
import type { JsonObject } from "../json-line.ts";
import { denialsIn } from "./denials.ts";

function rulesFor(
  tool: string,
  input: JsonObject,
  answer = "haven't granted it yet.",
  cwd: string | null = "/project",
): readonly string[] {
  const denial = { tool_name: tool, tool_use_id: "toolu_1", tool_input: input };
  const answers = new Map([["toolu_1", answer]]);
  return denialsIn({ permission_denials: [denial] }, { cwd, answers }).map(({ rule }) => rule);
}

test.each([
  ["/project/src/deep/a.ts", "Edit(src/**)"],
  ["/project/a.ts", "Edit(a.ts)"],
  ["src/a.ts", "Edit(src/**)"],
  ["/project/app/(group)/[id].tsx", "Edit(app/**)"],
  ["/project/[id].tsx", "Edit(*id*.tsx)"],
  ["/elsewhere/deep/a.ts", "Edit(//elsewhere/deep/**)"],
  ["/projects/a.ts", "Edit(//projects/**)"],
  ["/project/.claude/settings.json", "--permission-mode bypassPermissions"],
])("a file may be written by the rule for every tool that writes: %s", (file_path, rule) => {
  expect(rulesFor("Write", { file_path })).toEqual([rule]);
  expect(rulesFor("Edit", { file_path })).toEqual([rule]);
  expect(rulesFor("NotebookEdit", { notebook_path: file_path })).toEqual([rule]);
});

test("on Windows too", () => {
  const inside = { file_path: "C:\\work\\project\\src\\a.ts" };
  expect(rulesFor("Write", inside, "", "C:\\work\\project")).toEqual(["Edit(src/**)"]);
  expect(rulesFor("Write", inside, "", "D:\\project")).toEqual(["Edit(//c/work/project/src/**)"]);
});

test("where no rule helps, the mode that does", () => {
  const input = { file_path: "/project/.bashrc" };
  expect(rulesFor("Write", input, "edit /project/.bashrc which is a sensitive file.")).toEqual([
    "--permission-mode bypassPermissions",
  ]);
  expect(rulesFor("Write", input, "Cannot write to /project/.bashrc while in plan mode.")).toEqual([
    "--permission-mode acceptEdits",
  ]);
});

test.each<readonly [string, JsonObject, string]>([
  ["Read", { file_path: "/etc/hosts" }, "Read(//etc/**)"],
  ["WebFetch", { url: "https://Example.com:443/x?y", prompt: "p" }, "WebFetch(domain:example.com)"],
  ["WebFetch", { url: "nonsense" }, "WebFetch"],
  ["Skill", { skill: "simplify" }, "Skill(simplify)"],
  ["mcp__github__create_issue", { title: "x" }, "mcp__github__create_issue"],
  ["Write", {}, "Write"],
])("%s %j", (tool, input, rule) => {
  expect(rulesFor(tool, input)).toEqual([rule]);
});

test("a command in parts needs a rule for each", () => {
  const input = { command: "npm run build && npm test" };
  expect(rulesFor("Bash", input, "This command requires approval")).toEqual([
    "Bash(npm run build:*)",
    "Bash(npm test:*)",
  ]);
});

test("nothing is suggested against a rule of the user's own", () => {
  expect(
    rulesFor(
      "Bash",
      { command: "npm test" },
      "Permission to use Bash with command npm test has been denied.",
    ),
  ).toEqual([]);
});

test("a rule too long to be read is that for the whole tool", () => {
  expect(rulesFor("Write", { file_path: `/${"x".repeat(400)}/a` })).toEqual(["Write"]);
});
