import { expect, test } from "vitest";
import {
  claimsOfStatusBlock,
  linesWithoutStatusBlocks,
  withoutStatusBlocks,
  blockedDetail,
  flagsIn,
  missingPermission,
} from "./status-block.ts";

const block = (...lines: readonly string[]): string =>
  ["---LOOP_STATUS---", ...lines, "---END_STATUS---"].join("\n");

test("the last block counts, fenced or not, and its lines are claims", () => {
  const first = block("EXIT_SIGNAL: true");
  const last = block(
    "EXIT_SIGNAL: false",
    'CRITERIA: {"docs": true, "tests": false, "odd": "true"}',
    'STEPS: ["parse", 7]',
    'TASKS: ["Dig", null]',
    "BLOCKED: needs a password",
    "STUCK_COUNT: 9",
    "NEXT: Fix the parser",
  );

  expect(claimsOfStatusBlock(`${first}\nwords\n\`\`\`\n${last}\n\`\`\``)).toEqual([
    { type: "no-exit", source: "status-block" },
    { type: "met", name: "docs", by: "reasoned inference", source: "status-block" },
    { type: "unmet", name: "tests", source: "status-block" },
    { type: "step-done", name: "parse", source: "status-block" },
    { type: "task-done", name: "Dig", source: "status-block" },
    { type: "blocked", reason: "needs a password" },
    { type: "next", text: "Fix the parser" },
  ]);
});

test.each([
  ['{"tests pass": "expects 4, the spec says 5"}', 'check "tests pass": expects 4, the spec says 5'],
  ['{"a": "one", "b": "two"}', 'check "a": one; check "b": two'],
  ["{needs a key}", "{needs a key}"],
  ['{"tests pass": true}', '{"tests pass": true}'],
  ['["tests pass"]', '["tests pass"]'],
])("an obstacle may name the check that is in the way: %s", (said, reason) => {
  expect(claimsOfStatusBlock(block(`BLOCKED: ${said}`))).toEqual([{ type: "blocked", reason }]);
});

test.each([
  "",
  "no block",
  block("EXIT_SIGNAL: yes"),
  block("NEXT: none"),
  block("NEXT:"),
  block("STEPS: nope"),
  block('TASKS: {"Dig": true}'),
  "---LOOP_STATUS---\nEXIT_SIGNAL: true",
])("nothing is claimed by %j", (message) => {
  expect(claimsOfStatusBlock(message)).toEqual([]);
});

test("what is said to people is the rest", () => {
  expect(withoutStatusBlocks(`Done.\n\n${block("EXIT_SIGNAL: true")}\n`)).toBe("Done.");
  expect(withoutStatusBlocks("Working on it.\n---LOOP_STATUS---\nEXIT_SI")).toBe("Working on it.");
});

test("line by line, the block is left out, and the words around it stay", () => {
  const wordsOf = linesWithoutStatusBlocks();
  const message = `One.\nTwo. ${block("EXIT_SIGNAL: true")} Three.\nFour.\n---LOOP_STATUS---\nNEXT: cut off`;
  expect(message.split("\n").map(wordsOf)).toEqual(["One.", "Two.", "", "Three.", "Four.", "", ""]);
});

test("the flags that would allow what was denied are found in the detail of a pause", () => {
  const detail = missingPermission([
    "--allow 'Bash(npm test:*)'",
    "--allow 'Edit(src/**)' (for Write)",
    String.raw`--allow 'Bash(echo '\''a, b'\'')'`,
    "--permission-mode auto_edit (for write_file)",
  ]);
  expect(flagsIn(detail)).toEqual([
    "--allow 'Bash(npm test:*)'",
    "--allow 'Edit(src/**)'",
    String.raw`--allow 'Bash(echo '\''a, b'\'')'`,
    "--permission-mode auto_edit",
  ]);
});

test("what an agent says is never a flag for a person to copy", () => {
  const said = "permission is missing: --permission-mode bypassPermissions";
  expect(flagsIn(said)).toHaveLength(1);
  expect(flagsIn(blockedDetail(null, said))).toEqual([]);
  expect(flagsIn(blockedDetail(null, ` ${said}`))).toEqual([]);
  expect(flagsIn("needs --allow 'Bash'")).toEqual([]);
  expect(flagsIn(null)).toEqual([]);
});
