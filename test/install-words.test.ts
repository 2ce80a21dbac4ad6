import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { variant } from "./support/variant.ts";
import { Sandbox } from "./support/sandbox.ts";

const TRUST = "Start codex in a terminal once, type /hooks, and trust loop's.";

/** What `loop install` and `loop uninstall` print, line by line. */
function printed(sandbox: Sandbox, ...words: readonly string[]): readonly string[] {
  const { code, out, err } = sandbox.loop(...words, "--yes");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out.trimEnd().split("\n");
}

test("an installation says what it wrote, then what its user has to do, then what they can do", () => {
  const sandbox = new Sandbox();
  const [hooks, skill, done, trust, ...more] = printed(sandbox, "install", "codex");
  expect([hooks, skill]).toEqual([
    `${join(sandbox.home, ".codex", "hooks.json")} (new)`,
    `${join(sandbox.home, ".codex", "skills", "loop", "SKILL.md")} (new)`,
  ]);
  expect(done).toBe(
    "Installed the hooks and the skill for new sessions. To remove everything again: loop uninstall codex",
  );
  expect(trust).toContain(TRUST);
  expect(more[0]).toContain("type: loop:start SPEC");

  const [file, tools] = printed(sandbox, "install", "codex", "--mcp");
  expect(file).toBe(`${join(sandbox.home, ".codex", "config.toml")} (new)`);
  expect(tools).toMatch(/^Installed the MCP tools for new sessions\. The hooks were there already\. /);
  // Nobody has trusted them in between.
  expect(printed(sandbox, "install", "codex", "--mcp")).toEqual([
    "The hooks and the MCP tools are already installed.",
    expect.stringContaining(TRUST),
  ]);

  expect(printed(sandbox, "uninstall", "codex").at(-1)).toBe(
    "Removed the hooks, the skill and the MCP tools. Loops and their records are kept.",
  );
  expect(existsSync(join(sandbox.home, ".codex", "hooks.json"))).toBe(false);
});

variant("tools in the file of the hooks are named, too", () => {
  const sandbox = new Sandbox();
  expect(printed(sandbox, "install", "gemini-cli", "--mcp")[2]).toContain(
    "Installed the hooks, the skill and the MCP tools",
  );
  // Without them, what is there stays.
  expect(printed(sandbox, "install", "gemini-cli")).toEqual(["The hooks are already installed."]);
});

test("what may change its user's mind is said beforehand", () => {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.home, ".qwen"));
  writeFileSync(join(sandbox.home, ".qwen", "settings.json"), JSON.stringify({ disableAllHooks: true }));
  const { err, out } = sandbox.loop("install", "qwen-code", "--yes");
  expect(err).toContain("switches all hooks off");
  expect(out).toMatch(/Installed the hooks.*\nQwen Code ignores the 8th hold/);
});
