import { readFileSync } from "node:fs";
import { CUT_OFF, describeDriver, EXIT_0, EXIT_1, KILLED } from "../../../../test/drivers/conformance.ts";
import type { Specimen } from "../../../../test/drivers/conformance.ts";
import type { TurnReport, Turn } from "../driver.ts";
import { opencode, launchOf } from "./driver.ts";
import { expect, test } from "vitest";
import { A_TURN } from "../../../../test/support/turn.ts";

const specimen = (name: string, ending: Specimen["ending"], expect: Partial<TurnReport>): Specimen => ({
  file: `opencode/${name}.jsonl`,
  ending,
  expect,
});

const answered = (status: number, said: string): string => `the model's service answered ${status}: ${said}`;

/** When the recorded error was told. */
function toldAt(name: string): number {
  const event: unknown = JSON.parse(readFileSync(`test/streams/opencode/${name}.jsonl`, "utf8"));
  return (event as { readonly timestamp: number }).timestamp;
}

describeDriver("opencode", {
  driver: opencode,
  takes: ["args", "model", "permissionMode"],
  permissionMode: "auto",
  specimens: [
    specimen("finished", EXIT_0, { trouble: null, lastMessage: "All done.", toolUses: 3 }),
    specimen("resumed", EXIT_0, { trouble: null, lastMessage: "Second.", toolUses: 0 }),
    specimen("edits", EXIT_0, { trouble: null, lastMessage: "Edited.", toolUses: 3 }),
    specimen("patch", EXIT_0, { trouble: null, lastMessage: "Patched.", toolUses: 1 }),
    specimen("timed-out-command", EXIT_0, { trouble: null, lastMessage: "Slow." }),
    specimen("cut-short", EXIT_0, { trouble: null, lastMessage: "Half" }),
    specimen("subagent", EXIT_0, { trouble: null, lastMessage: "Main answer.", toolUses: 1 }),
    specimen("no-price", EXIT_0, { trouble: null, lastMessage: "Free." }),
    specimen("denied", EXIT_0, { trouble: null, lastMessage: "Writing.", toolUses: 0 }),
    specimen("denied-two", EXIT_0, { trouble: null, lastMessage: null, toolUses: 0 }),
    specimen("denied-by-rule", EXIT_0, { trouble: null, lastMessage: "Could not.", denials: [] }),
    specimen("outside", EXIT_0, { trouble: null, lastMessage: null }),
    specimen("too-long-summed-up", EXIT_1, { trouble: null, lastMessage: "After." }),
    specimen("too-long", EXIT_1, {
      trouble: {
        kind: "lost-conversation",
        detail:
          "opencode failed: This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
      },
      lastMessage: null,
    }),
    specimen("rate-limit", EXIT_1, {
      trouble: {
        kind: "usage-limit",
        detail: answered(429, "Scripted 429"),
        resetsAt: toldAt("rate-limit") + 1_000,
      },
    }),
    specimen("rate-limit-ms", EXIT_1, {
      trouble: {
        kind: "usage-limit",
        detail: answered(429, "Scripted 429"),
        resetsAt: toldAt("rate-limit-ms") + 5,
      },
    }),
    specimen("rate-limit-bare", EXIT_1, {
      trouble: { kind: "usage-limit", detail: answered(429, "Scripted 429"), resetsAt: null },
    }),
    specimen("unpaid-quota", EXIT_1, {
      trouble: {
        kind: "blocking",
        detail: answered(429, "You exceeded your current quota, please check your plan and billing details."),
      },
    }),
    specimen("unavailable", EXIT_1, {
      trouble: { kind: "transient", detail: answered(503, "Scripted 503") },
    }),
    specimen("overloaded", EXIT_1, { trouble: { kind: "transient", detail: answered(529, "Overloaded") } }),
    specimen("unauthorized", EXIT_1, {
      trouble: { kind: "blocking", detail: answered(401, "Incorrect API key provided: fake.") },
    }),
    specimen("unpaid", EXIT_1, {
      trouble: { kind: "blocking", detail: answered(402, "Insufficient credits") },
    }),
    specimen("bad-request", EXIT_1, {
      trouble: { kind: "unknown", detail: answered(400, "Scripted 400") },
    }),
    specimen("no-such-model", EXIT_1, {
      trouble: { kind: "blocking", detail: answered(404, "The model `scripted` does not exist") },
    }),
    specimen("unreachable", EXIT_1, {
      trouble: {
        kind: "transient",
        detail:
          "opencode failed: Cannot connect to API: Unable to connect. Is the computer able to access the url?",
      },
    }),
    specimen("unknown-model", EXIT_1, {
      trouble: {
        kind: "unknown",
        detail: "opencode failed: Unexpected server error. Check server logs for details.",
      },
    }),
    specimen(
      "killed",
      { type: "signalled", signal: "SIGTERM", stderr: "" },
      {
        trouble: { kind: "interrupted", detail: "opencode was ended by SIGTERM" },
        lastMessage: "Sleeping.",
        conversation: "ses_e1d67012bffeluJOcKFythuI4z",
      },
    ),
    specimen("killed", KILLED, {
      trouble: { kind: "interrupted", detail: "opencode was ended by SIGKILL" },
    }),
    specimen("killed", EXIT_0, {
      trouble: { kind: "unknown", detail: "opencode ended in the middle of its turn (exit code 0)" },
    }),
    specimen("killed", EXIT_1, {
      trouble: {
        kind: "unknown",
        detail: "opencode ended in the middle of its turn (exit code 1): something broke",
      },
    }),
    specimen("broken-off", CUT_OFF, { trouble: { kind: "interrupted", detail: "it was stopped" } }),
  ],
});

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
