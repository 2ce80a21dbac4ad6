import { expect, test } from "vitest";
import { claudeCode } from "../../src/agents/drivers/claude-code/driver.ts";
import type { Move } from "./agent.ts";
import { claudeCodeAgent } from "./claude-code.ts";
import { carriedOver, setDriverStage } from "./driver-stage.ts";

const setStage = () => setDriverStage(claudeCode, claudeCodeAgent, { permissionMode: "bypassPermissions" });

test("a turn writes files, runs a command, and costs what its script says", async () => {
  const stage = await setStage();
  const uses = [
    { input: 700, output: 70, cached: 300 },
    { input: 10, output: 5 },
    { input: 2, output: 1 },
    { input: 1, output: 2, cached: 3 },
  ] as const;
  const { report, seen } = await stage.turn([
    { write: "notes/hello.txt", text: "hello\n", usage: uses[0] },
    { run: "cat notes/hello.txt && exit 3", usage: uses[1] },
    { write: "notes/hello.txt", text: "hello again\n", usage: uses[2] },
    { say: "Done.", usage: uses[3] },
  ]);
  expect(stage.read("notes/hello.txt")).toBe("hello again\n");
  expect(report).toMatchObject({ trouble: null, lastMessage: "Done.", denials: [] });
  const dollars = uses.reduce((sum, usage) => sum + claudeCodeAgent.dollars(usage), 0);
  expect(report.bill.usd).toBeCloseTo(dollars, 10);
  expect(report.bill.usage).toMatchObject([{ usage: { input: 713, output: 78, cacheRead: 303 } }]);
  // What was seen on the way comes to the same.
  const bills = seen.flatMap((each) => (each.type === "billed" ? [each.bill.usage] : []));
  expect(bills.at(-1)?.map(({ usage }) => usage.input)).toEqual([700, 10, 2, 1]);
  expect(bills.at(-1)?.map(({ usage }) => usage.output)).toEqual([70, 5, 1, 2]);
  expect(seen.filter(({ type }) => type === "edited")).toHaveLength(2);
  expect(seen).toContainEqual({ type: "failed", output: "Exit code 3\nhello" });
  expect(stage.model.heard[0]).toContain("Do the work.");
  expect(stage.model).toMatchObject({ played: 4, outside: [] });
});

test("a conversation is gone on with, and each of its turns costs its own", async () => {
  const stage = await setStage();
  const freshConversation = "0b8e6f0c-1f57-4a53-9d0a-3c6f5f0a7e11";
  const { report: first } = await stage.turn([{ say: "One." }], { freshConversation });
  expect(first).toMatchObject({ trouble: null, conversation: freshConversation });
  const { report: second } = await stage.turn([{ run: "true" }, { say: "Two." }], {
    ...carriedOver(first),
    prompt: "Go on.",
  });
  expect(second).toMatchObject({ trouble: null, conversation: first.conversation, lastMessage: "Two." });
  expect(stage.model.heard[1]).toContain("Go on.");
  const each = claudeCodeAgent.dollars(claudeCodeAgent.usage);
  expect(first.bill.usd).toBeCloseTo(each, 10);
  expect(second.bill.usd).toBeCloseTo(2 * each, 10);
});

test.each([
  [401, "blocking"],
  [429, "usage-limit"],
  [529, "transient"],
])("a refusal with %i is %s, and tried once", async (fail, kind) => {
  const stage = await setStage();
  const { report } = await stage.turn([{ fail, headers: { "retry-after": "60" } }]);
  expect(report.trouble).toMatchObject({ kind });
  expect(stage.model.played).toBe(1);
});

test("a limit that tells its end is over then", async () => {
  const stage = await setStage();
  const before = Date.now();
  const { report } = await stage.turn([{ fail: 429, headers: { "retry-after": "60" } }]);
  const resetsAt = report.trouble?.kind === "usage-limit" ? report.trouble.resetsAt : null;
  expect(resetsAt).toBeGreaterThanOrEqual(before + 60_000);
  expect(resetsAt).toBeLessThanOrEqual(Date.now() + 61_000);
});

test("a turn stops at the budget that it was given", async () => {
  const stage = await setStage();
  const each = claudeCodeAgent.dollars(claudeCodeAgent.usage);
  const { report } = await stage.turn([{ run: "true" }, { run: "true" }, { say: "Done." }], {
    budgetUsd: 1.5 * each,
  });
  expect(report.trouble).toMatchObject({ kind: "budget" });
  expect(report.bill.usd).toBeCloseTo(2 * each, 10);
});

test("a conversation that is unknown is said to be lost", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([], { conversation: "5763f44f-2fa9-435c-9cf5-1093b35ab0ab" });
  expect(report.trouble).toMatchObject({ kind: "lost-conversation" });
  expect(stage.model.played).toBe(0);
});

test("the rules that are named for what was denied allow it", async () => {
  const stage = await setStage();
  const moves: readonly Move[] = [
    { run: "mkdir -p made && touch made/here" },
    { run: "rm -r made" },
    { write: "src/deep/a.txt", text: "a\n" },
    { say: "Over." },
  ];
  const { report: denied } = await stage.turn(moves, { permissionMode: "default" });
  expect(denied).toMatchObject({ trouble: null, lastMessage: "Over." });
  const rules = denied.denials.map(({ rule }) => rule);
  expect(rules).toEqual(["Bash(mkdir:*)", "Bash(touch made/here:*)", "Bash(rm -r made)", "Edit(src/**)"]);
  expect(() => stage.read("src/deep/a.txt")).toThrow("ENOENT");

  const { report: allowed, seen } = await stage.turn(moves, {
    ...carriedOver(denied),
    permissionMode: "default",
    args: ["--allowedTools", ...rules],
  });
  expect(allowed.denials).toEqual([]);
  expect(seen.filter(({ type }) => type === "failed")).toEqual([]);
  expect(stage.read("src/deep/a.txt")).toBe("a\n");
});
