import { expect, test } from "vitest";
import type { JsonObject } from "../json-line.ts";
import { denialsIn, shellRules, outcomeOf, toolUseIn, withinProject, type ToolUse } from "./denials.ts";

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

test("a file on Windows may be written by the rule for every tool that writes", () => {
  const inside = { file_path: "C:\\work\\project\\src\\a.ts" };
  expect(rulesFor("Write", inside, "", "C:\\work\\project")).toEqual(["Edit(src/**)"]);
  expect(rulesFor("Write", inside, "", "D:\\project")).toEqual(["Edit(//c/work/project/src/**)"]);
});

test("where no rule helps, the mode that does is suggested", () => {
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
])("a rule is named that allows %s with %j", (tool, input, rule) => {
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

const ASKED = "This command requires approval";

// Each of them was seen to let its command pass in Claude Code 2.1.197.
test.each([
  ["npm test -- --run", ["Bash(npm test:*)"]],
  ["npm run build", ["Bash(npm run build:*)"]],
  ["npx vitest run", ["Bash(npx vitest:*)"]],
  ["npm run build && npm test", ["Bash(npm run build:*)", "Bash(npm test:*)"]],
  ["npm run build\nnpm test; npm test", ["Bash(npm run build:*)", "Bash(npm test:*)"]],
  ["cd src && npm test 2>&1 | tail -5", ["Bash(npm test:*)", "Bash(tail:*)"]],
  ["npm test > /dev/null 2>&1 || true", ["Bash(npm test:*)", "Bash(true:*)"]],
  ["npm test &>/dev/null", ["Bash(npm test:*)"]],
  ["npm test -- --name \"a && b; $HOME\" '(c)'", ["Bash(npm test:*)"]],
  ["FOO=1 npm test", ["Bash(FOO=1 npm test:*)"]],
  ["./run.sh --fast", ["Bash(./run.sh:*)"]],
  ["make", ["Bash(make:*)"]],
  ["touch src/new.txt", ["Bash(touch src/new.txt:*)"]],
  ["rm -rf build", ["Bash(rm -rf build)"]],
  ["node -e 'console.log((1+2))'", ["Bash(node -e 'console.log((1+2))')"]],
  ['python3 -c "print(1)"', ['Bash(python3 -c "print(1)")']],
])("%j may be run by %j", (line, rules) => {
  expect(shellRules(line, ASKED, null)).toEqual(rules);
});

test("of several commands, rules are suggested for those that were asked for", () => {
  const answer =
    "This Bash command contains multiple operations. The following part requires approval: cd src && npm run build 2>&1";
  expect(shellRules("cd src && npm run build 2>&1 | tail -5", answer, null)).toEqual([
    "Bash(npm run build:*)",
  ]);
});

test.each([
  "echo $(npm test)",
  "echo `npm test`",
  'npm test "$(pwd)"',
  "(npm test)",
  "npm test &",
  "npm test > out.txt",
  "cat <<'E' > x.txt\nhello\nE",
  "npm test {a,b}",
  "for i in 1 2; do npm test; done",
  "! npm test",
  "npm test 'open",
  "node -e '\n'",
  "cd src",
  "A=1",
  "",
  `echo ${"x".repeat(3_000)}`,
])("no rule for a beginning lets %j pass", (line) => {
  expect(shellRules(line, ASKED, null)).toEqual(["Bash"]);
});

test("no rule for a beginning helps where the client objects to something other than the command", () => {
  const blocked = (path: string): string =>
    `touch in '${path}' was blocked. For security, Claude Code may only create or modify files in …`;
  expect(shellRules("touch /tmp/x", blocked("/tmp/x"), "/project")).toEqual(["Bash"]);
  expect(shellRules("touch x", blocked("/project/x"), "/project")).toEqual(["Bash(touch x:*)"]);
  expect(shellRules("npm test", "", null)).toEqual(["Bash"]);
});

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

test("tools that don't write have edited no file", () => {
  expect(outcomeOf({ content: "ok" }, use("Read", { file_path: "/project/a" }))).toBeNull();
  expect(outcomeOf({ content: "ok" }, null)).toBeNull();
  expect(use("Write", { file_path: `/${"x".repeat(5_000)}` })).toMatchObject({ writes: null });
});

test("the words of a failure are found, whatever its form", () => {
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

test("blocks that ask for no tool are passed over", () => {
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
