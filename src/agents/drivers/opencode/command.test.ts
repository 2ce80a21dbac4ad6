import { expect, test } from "vitest";
import { A_TURN } from "../../../../test/support/turn.ts";
import type { Turn } from "../driver.ts";
import { launchOf } from "./command.ts";

function wordsOf(turn: Partial<Turn>): readonly string[] {
  const { command } = launchOf({ ...A_TURN, ...turn });
  return command.kind === "argv" ? command.argv.slice(2) : [];
}

function rulesOf(permissionMode: string | null): string | undefined {
  const { env, envDefaults } = launchOf({ ...A_TURN, permissionMode });
  return env["OPENCODE_PERMISSION"] ?? envDefaults?.["OPENCODE_PERMISSION"];
}

test("the prompt comes by standard input, and edits and loop commands are allowed", () => {
  expect(launchOf(A_TURN)).toEqual({
    command: { kind: "argv", argv: ["opencode", "run", "--format=json", "--title="] },
    stdin: A_TURN.prompt,
    envDefaults: { OPENCODE_PERMISSION: expect.any(String) },
    env: {
      OPENCODE_PRINT_LOGS: "1",
      OPENCODE_LOG_LEVEL: "ERROR",
    },
  });
});

test("the preset denies every command but loop's and those for files, the network and subagents", () => {
  const rules = JSON.parse(rulesOf(null) ?? "") as { bash: { [pattern: string]: string } };
  expect(rules).toMatchObject({ task: "deny", edit: "allow", webfetch: "deny", websearch: "deny" });
  const { "*": others, ...allowed } = rules.bash;
  expect(others).toBe("deny");
  expect(new Set(Object.keys(allowed).map((pattern) => pattern.replace(/ \*$/, "")))).toEqual(
    new Set([
      ...["loop check", "loop done", "loop blocked", "loop status", "loop criteria", "loop step"],
      ...["rm", "mkdir", "mv"],
    ]),
  );
});

test("what is allowed beside a preset or a mode stands over it, and over what the user has exported", () => {
  const rules = (turn: Partial<Turn>): unknown => {
    const { env } = launchOf({ ...A_TURN, ...turn });
    return JSON.parse(env["OPENCODE_PERMISSION"] ?? "null");
  };
  expect(rules({ allow: ["webfetch", "bash(npm test)"] })).toMatchObject({
    webfetch: "allow",
    bash: { "*": "deny", "loop check": "allow", "npm test": "allow" },
  });
  expect(rules({ permissionMode: '{"bash":"ask"}', allow: ["bash(npm test)"] })).toEqual({
    task: "deny",
    bash: { "*": "ask", "npm test": "allow" },
  });
});

test("a conversation that is gone on with has its title", () => {
  const words = wordsOf({
    conversation: "ses_1",
    model: "anthropic/claude-sonnet-5",
    args: ["--agent", "mine"],
  });
  expect(words).toEqual([
    "--format=json",
    "--session=ses_1",
    "--model=anthropic/claude-sonnet-5",
    "--agent",
    "mine",
  ]);
});

test.each([[["--title", "Mine"]], [["--title=Mine"]]])("the user's own title is the only one: %j", (args) => {
  expect(wordsOf({ args })).toEqual(["--format=json", ...args]);
});

test("auto answers yes, and says so to nobody else", () => {
  expect(wordsOf({ permissionMode: "auto" })).toContain("--auto");
  expect(rulesOf("auto")).toBe('{"task":"deny"}');
  expect(wordsOf({ permissionMode: "allow" })).not.toContain("--auto");
});

test.each([
  ["default", '{"task":"deny"}'],
  ["ask", '{"*":"ask","task":"deny"}'],
  ['{"edit":"ask","bash":{"rm *":"deny"}}', '{"task":"deny","edit":"ask","bash":{"rm *":"deny"}}'],
  ['{"task":"allow"}', '{"task":"allow"}'],
])("the mode %s is rules", (mode, rules) => {
  expect(rulesOf(mode)).toBe(rules);
  expect(wordsOf({ permissionMode: mode })).toEqual(wordsOf({}));
});

test.each(["bypassPermissions", '{"edit":', '["allow"]', "--auto"])(
  "the mode %s is left to opencode to refuse",
  (mode) => {
    expect(rulesOf(mode)).toBeUndefined();
    expect(wordsOf({ permissionMode: mode })).toContain(`--permission-mode=${mode}`);
    expect(wordsOf({ permissionMode: mode })).not.toContain("--auto");
  },
);
