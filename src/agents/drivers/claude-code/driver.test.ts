import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CUT_OFF, describeDriver, EXIT_0, EXIT_1 } from "../../../../test/drivers/conformance.ts";
import type { Specimen } from "../../../../test/drivers/conformance.ts";
import type { AgentEnding, Denial, TurnReport, Turn } from "../driver.ts";
import { claudeCode, launchOf } from "./driver.ts";
import { A_TURN } from "../../../../test/support/turn.ts";

const CONVERSATION = "0b8e6f0c-1f57-4a53-9d0a-3c6f5f0a7e11";
const UNKNOWN = "5763f44f-2fa9-435c-9cf5-1093b35ab0ab";

const specimen = (name: string, ending: AgentEnding, expect: Partial<TurnReport>): Specimen => ({
  file: `claude-code/${name}.jsonl`,
  ending,
  expect,
});

const exited = (code: number, stderr: string): AgentEnding => ({ type: "exited", code, stderr });

const denied = (tool: string, rule: string): Denial => ({ tool, rule });

describeDriver("Claude Code", {
  driver: claudeCode,
  takes: ["args", "model", "permissionMode", "budgetUsd"],
  specimens: [
    specimen("finished", EXIT_0, {
      trouble: null,
      lastMessage: "All done.\n\nEXIT_SIGNAL: true",
      conversation: CONVERSATION,
      toolUses: 5,
      reportedUsd: 0.0339,
      denials: [],
    }),
    // Ended by us after its result, while it waited for what it had started.
    specimen("finished", CUT_OFF, { trouble: null, lastMessage: "All done.\n\nEXIT_SIGNAL: true" }),
    {
      ...specimen("resumed", EXIT_0, {
        trouble: null,
        lastMessage: "Done again.",
        conversation: CONVERSATION,
      }),
      turn: { conversation: CONVERSATION, reportedUsd: 0.0339 },
    },
    specimen("subagent", EXIT_0, { trouble: null, lastMessage: "All done.", toolUses: 3 }),
    specimen("turn-limit", EXIT_1, { trouble: null, lastMessage: "One." }),
    specimen("output-limit", EXIT_1, { trouble: null, lastMessage: "Long" }),
    specimen("denied", EXIT_0, {
      trouble: null,
      lastMessage: "I was not allowed to.",
      denials: [
        denied("Bash", "Bash(npm test:*)"),
        denied("Write", "Edit(src/**)"),
        denied("Bash", "Bash(npm run build:*)"),
        denied("Bash", "Bash"),
        denied("WebFetch", "WebFetch(domain:example.com)"),
        denied("Write", "--permission-mode bypassPermissions"),
        denied("Read", "Read(//etc/**)"),
      ],
    }),
    specimen("budget", EXIT_1, {
      trouble: { kind: "budget", detail: "Reached maximum budget ($0.01)" },
      lastMessage: "One.",
      reportedUsd: 0.015,
    }),
    specimen("usage-limit", EXIT_1, {
      trouble: {
        kind: "usage-limit",
        detail: "You've hit your session limit · resets 5:26am (UTC)",
        resetsAt: 1_794_806_762_000,
      },
      lastMessage: "Working.",
    }),
    specimen("rate-limit", EXIT_1, {
      trouble: {
        kind: "usage-limit",
        detail: "API Error: Request rejected (429) · This request would exceed your account's rate limit.",
        resetsAt: null,
      },
      lastMessage: null,
    }),
    specimen("not-your-limit", EXIT_1, {
      trouble: {
        kind: "transient",
        detail:
          "API Error: Server is temporarily limiting requests (not your usage limit) · Too many requests",
      },
    }),
    specimen("overloaded", EXIT_1, {
      trouble: {
        kind: "transient",
        detail:
          "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8080).",
      },
      lastMessage: "Working.",
    }),
    specimen("unreachable", EXIT_1, {
      trouble: { kind: "transient", detail: "API Error: Unable to connect to API (ConnectionRefused)" },
    }),
    specimen("invalid-key", EXIT_1, {
      trouble: { kind: "blocking", detail: "Invalid API key · Fix external API key" },
    }),
    specimen("not-logged-in", EXIT_1, {
      trouble: { kind: "blocking", detail: "Not logged in · Please run /login" },
    }),
    specimen("no-credit", EXIT_1, { trouble: { kind: "blocking", detail: "Credit balance is too low" } }),
    specimen("unknown-model", EXIT_1, {
      trouble: {
        kind: "blocking",
        detail:
          "There's an issue with the selected model (claude-nope-1). It may not exist or you may not have access to it. Run --model to pick a different model.",
      },
    }),
    specimen("refusal", EXIT_1, {
      trouble: {
        kind: "blocking",
        detail:
          "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https://www.anthropic.com/legal/aup). Try rephrasing the request in a new session or change your model. Request ID: req_msg_scripted_1",
      },
    }),
    specimen("bad-request", EXIT_1, {
      trouble: { kind: "unknown", detail: "API Error: 400 messages.0: something is wrong" },
    }),
    specimen("too-long", EXIT_1, {
      trouble: {
        kind: "lost-conversation",
        detail:
          "Prompt is too long · the request is ~208310 tokens (limit 200000) but this conversation is only ~1535 tokens — the rest is system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; reduce attached files/tools or start with less context.",
      },
    }),
    {
      ...specimen("unknown-session", EXIT_1, {
        trouble: { kind: "lost-conversation", detail: `No conversation found with session ID: ${UNKNOWN}` },
        lastMessage: null,
      }),
      turn: { conversation: UNKNOWN, reportedUsd: 0.5 },
    },
    specimen("session-in-use", exited(1, `Error: Session ID ${CONVERSATION} is already in use.\n`), {
      trouble: {
        kind: "lost-conversation",
        detail: `Claude Code failed (exit code 1): Error: Session ID ${CONVERSATION} is already in use.`,
      },
    }),
    specimen("killed", exited(143, ""), {
      trouble: {
        kind: "interrupted",
        detail: "Claude Code ended before its turn was over (exit code 143)",
      },
      lastMessage: "Still.",
      conversation: CONVERSATION,
      reportedUsd: null,
    }),
    specimen("killed", CUT_OFF, { trouble: { kind: "interrupted", detail: "it was stopped" } }),
    specimen("interrupted", EXIT_0, {
      trouble: { kind: "interrupted", detail: "Claude Code ended before its turn was over (exit code 0)" },
    }),
  ],
});

test("after a crash, parts of an answer that follows as a whole do not matter, and the result does", () => {
  const lines = readFileSync("test/streams/claude-code/finished.jsonl", "utf8").split("\n").slice(0, -1);
  const weights = lines.map((line) => claudeCode.weigh?.(line));
  const isPart = (line: string): boolean => line.includes('"content_block_delta"');
  expect(weights.at(-1)).toBe("vital");
  expect(weights.slice(0, -1)).toEqual(
    lines.slice(0, -1).map((line) => (isPart(line) ? "passing" : "plain")),
  );
  expect(lines.some(isPart)).toBe(true);
});

test("a result is known by its type, wherever that stands", () => {
  expect(claudeCode.weigh?.('{"total_cost_usd":1,"result":"Done.","type":"result"}')).toBe("vital");
  expect(claudeCode.weigh?.('{"type":"assistant","message":{"input":{"type":"result"}}}')).toBe("plain");
});

function words(turn: Partial<Turn>): readonly string[] {
  const { command } = launchOf({ ...A_TURN, ...turn });
  return command.kind === "argv" ? command.argv : [];
}

test("a new conversation has the id that was chosen for it", () => {
  expect(launchOf(A_TURN)).toEqual({
    command: {
      kind: "argv",
      argv: [
        "claude",
        "-p",
        "--permission-mode=acceptEdits",
        "--allowedTools=Bash(loop check:*)",
        "--allowedTools=Bash(loop done:*)",
        "--allowedTools=Bash(loop blocked:*)",
        "--allowedTools=Bash(loop status:*)",
        "--allowedTools=Bash(loop criteria:*)",
        "--allowedTools=Bash(loop step:*)",
        "--output-format=stream-json",
        "--verbose",
        "--include-partial-messages",
        "--session-id=8c7b1f0e-0000-4000-8000-000000000001",
      ],
    },
    stdin: "Mend the cart.",
    env: {},
    envDefaults: {},
  });
});

test("the loop's checks may be run exactly as they are, and never as a pattern for something else", () => {
  const rulesOf = (turn: Partial<Turn>): readonly string[] =>
    words(turn).flatMap((word) => /^--allowedTools=(?!Bash\(loop )(.*)$/s.exec(word)?.[1] ?? []);

  const lines = ["npx vitest run", "cd web && npm test", "pytest -k 'a, b' 2>&1"];
  expect(rulesOf({ checks: lines })).toEqual(lines.map((line) => `Bash(${line})`));
  for (const line of [
    "pytest tests/*.py",
    "npm test:*",
    'node -p "1) Bash (2"',
    "make (all)",
    "echo \\",
    "true\nrm -rf /",
    "true\rrm",
    "",
    " make",
  ])
    expect(rulesOf({ checks: [line] })).toEqual([]);
  // The user's own mode replaces all of ours.
  expect(rulesOf({ checks: lines, permissionMode: "plan" })).toEqual([]);
});

test("an old conversation is resumed, and the user's arguments come before those that our reading depends on", () => {
  expect(
    words({
      conversation: "0b8e6f0c-1f57-4a53-9d0a-3c6f5f0a7e11",
      model: "opus",
      permissionMode: "acceptEdits",
      budgetUsd: 1.25,
      args: ["--output-format", "text", "--allowedTools", "Bash(npm test:*)"],
    }),
  ).toEqual([
    "claude",
    "-p",
    "--model=opus",
    "--permission-mode=acceptEdits",
    "--max-budget-usd=1.25",
    "--output-format",
    "text",
    "--allowedTools",
    "Bash(npm test:*)",
    "--output-format=stream-json",
    "--verbose",
    "--include-partial-messages",
    "--resume=0b8e6f0c-1f57-4a53-9d0a-3c6f5f0a7e11",
  ]);
});

test.each([0, -1, 1e-9])("of a budget of %d, too little is left for a turn", (budgetUsd) => {
  expect(words({ budgetUsd })).toContain("--max-budget-usd=0.000001");
});

test.each([["--permission-mode", "plan"], ["--permission-mode=plan"], ["--dangerously-skip-permissions"]])(
  "a mode among the user's arguments is the only one: %s",
  (...args) => {
    expect(words({ args }).slice(2, 2 + args.length)).toEqual(args);
  },
);

test("what is allowed beside the preset is a rule of its own, and stands beside a mode, too", () => {
  const rule = "--allowedTools=Bash(npm test:*)";
  expect(words({ allow: ["Bash(npm test:*)"] }).filter((word) => word.includes("npm"))).toEqual([rule]);
  expect(words({ allow: ["Bash(npm test:*)"], permissionMode: "plan" }).slice(2, 4)).toEqual([
    "--permission-mode=plan",
    rule,
  ]);
});

test("Claude Code may run as many subagents at once as it is told, or none", () => {
  expect(launchOf({ ...A_TURN, subagents: 3 }).envDefaults).toEqual({
    CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: "3",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  });
  expect(words({ subagents: 3 }).join(" ")).not.toContain("--disallowedTools");
  expect(words({ subagents: 0 })).toEqual(
    expect.arrayContaining(["--disallowedTools=Agent", "--disallowedTools=Task"]),
  );
});
