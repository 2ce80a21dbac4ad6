import { expect, test } from "vitest";
import { denialOf, isAllowed } from "./permission.ts";

const PRESET = { permissionMode: null, allow: [], checks: ["npx vitest run"] };
const isInside = (path: string): boolean => !path.startsWith("/");
const run = (command: unknown) => ({ kind: "execute", rawInput: { command } });

test.each([
  [run("npx vitest run"), true],
  [run(["bash", "-lc", "npx vitest run"]), true],
  [run("npx vitest run; rm -rf ."), false],
  [run("npx vitest run cart"), false],
  [run("loop done all of it"), true],
  [run("loop done $(cat ~/.ssh/id_rsa)"), false],
  [run("loop trust"), false],
  [run("loop status\nrm -rf ."), false],
  [run(null), false],
  [{ kind: "execute", title: "loop status" }, true],
  [{ kind: "execute", title: "loop status", rawInput: { script: "rm -rf ." } }, false],
  [{ kind: "delete", locations: [{ path: "a.txt" }] }, true],
  [{ kind: "edit", locations: [{ path: "a.txt" }], rawInput: { file_path: "/etc/passwd" } }, false],
  [{ kind: "edit", content: [{ type: "diff", path: "/etc/passwd" }] }, false],
  [{ kind: "search" }, true],
  [{ kind: "fetch" }, false],
  [{ kind: "switch_mode" }, false],
  [{ kind: 7, locations: "x", rawInput: [] }, false],
  [{}, false],
])("the preset answers %j with %s", (call, allowed) => {
  expect(isAllowed(call, PRESET, isInside)).toBe(allowed);
});

test.each([
  ["fetch", { kind: "fetch" }, true],
  ["execute(npm test)", run("npm test -- cart"), true],
  ["execute(npm test)", run("npm test && rm -rf ."), false],
  ["execute(npm test)", run("npm tests"), false],
  ["execute", run("npm test && rm -rf ."), true],
  ["edit", run("npm test"), false],
  ["", run("npm test"), false],
  ["execute(", run("npm test"), false],
])("the rule %j allows %j: %s", (rule, call, allowed) => {
  expect(isAllowed(call, { ...PRESET, allow: [rule] }, isInside)).toBe(allowed);
  expect(isAllowed(call, { ...PRESET, permissionMode: "deny", allow: [rule] }, isInside)).toBe(allowed);
});

/** As Goose asks: the name of its tool comes with what it told of the call before. */
const goose = (toolName: string, rawInput: object, extensionName = "developer") => ({
  kind: "other",
  rawInput,
  _meta: { goose: { toolCall: { toolName, extensionName } } },
});

test.each([
  [goose("write", { path: "a.txt" }), true],
  [goose("write", { path: "/etc/passwd" }), false],
  [goose("edit", {}), false],
  [goose("shell", { command: "npx vitest run" }), true],
  [goose("shell", { command: "rm -rf ." }), false],
  [goose("tree", { path: "src" }), true],
  [goose("constructor", { path: "src" }), false],
  [goose("manage_extensions", {}), false],
  [goose("write", { path: "a.txt" }, "somebodys-server"), false],
  [{ ...goose("write", { path: "a.txt" }), kind: "fetch" }, false],
])("a call without a kind of its own is known by Goose's name for it: %j with %s", (call, allowed) => {
  expect(isAllowed(call, PRESET, isInside)).toBe(allowed);
});

test("a denied shell line of Goose names the rule that allows it", () => {
  expect(denialOf(goose("shell", { command: "npm test" })).rule).toBe("execute(npm test)");
});

test("allow is yes to everything, deny is no", () => {
  expect(isAllowed({ kind: "fetch" }, { ...PRESET, permissionMode: "allow" }, isInside)).toBe(true);
  expect(isAllowed({ kind: "read" }, { ...PRESET, permissionMode: "deny" }, isInside)).toBe(false);
});

test.each([
  [run("npm test"), { tool: "npm test", rule: "execute(npm test)" }],
  [run("a && b"), { tool: "a && b", rule: "execute" }],
  [
    { kind: "fetch", title: "Fetch a page" },
    { tool: "Fetch a page", rule: "fetch" },
  ],
])("a denied %j names the rule that allows it", (call, denial) => {
  expect(denialOf(call)).toEqual(denial);
  expect(isAllowed(call, { ...PRESET, allow: [denial.rule] }, isInside)).toBe(true);
});
