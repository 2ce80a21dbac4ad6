import { expect, test } from "vitest";
import { A_TURN } from "../../../../test/support/turn.ts";
import type { Turn } from "../driver.ts";
import { launchOf } from "./command.ts";

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

test("an old one is gone on with, and the user's arguments stand before what our reading depends on", () => {
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

test.each([0, -1, 1e-9])("of a budget of %d, hardly anything is left", (budgetUsd) => {
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

test("it may run so many agents of its own at once, or none", () => {
  expect(launchOf({ ...A_TURN, subagents: 3 }).envDefaults).toEqual({
    CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: "3",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  });
  expect(words({ subagents: 3 }).join(" ")).not.toContain("--disallowedTools");
  expect(words({ subagents: 0 })).toEqual(
    expect.arrayContaining(["--disallowedTools=Agent", "--disallowedTools=Task"]),
  );
});
