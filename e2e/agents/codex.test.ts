import { expect, test } from "vitest";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import { codex } from "../../src/agents/drivers/codex/driver.ts";
import { codexAgent } from "./codex.ts";
import { carriedOver, setDriverStage } from "./driver-stage.ts";

const setStage = () =>
  setDriverStage(codex, codexAgent, { model: "gpt-5.5", permissionMode: "danger-full-access" });

const tokens = (input: number, output: number, cacheRead = 0) => ({ ...NO_USAGE, input, output, cacheRead });

test("a turn writes a file, runs a command, and costs what its script says", async () => {
  const stage = await setStage();
  const { report, seen } = await stage.turn([
    { write: "notes/hello.txt", text: "hello\n", usage: { input: 700, output: 70, cached: 300 } },
    { run: "cat notes/hello.txt && exit 3", usage: { input: 10, output: 5 } },
    { say: "Done.", usage: { input: 1, output: 2, cached: 3 } },
  ]);
  expect(stage.read("notes/hello.txt")).toBe("hello\n");
  expect(report).toMatchObject({
    trouble: null,
    lastMessage: "Done.",
    toolUses: 2,
    bill: { usd: null, usage: [{ model: "gpt-5.5", usage: tokens(711, 77, 303) }] },
    denials: [],
  });
  expect(seen.map(({ type }) => type)).toEqual([
    "conversation",
    "used",
    "edited",
    "used",
    "failed",
    "said",
    "billed",
  ]);
  expect(seen).toContainEqual({ type: "failed", output: "hello\n" });
  expect(stage.model.heard[0]).toContain("Do the work.");
  expect(stage.model.heard[2]).toContain("exited with code 3");
  expect(stage.model).toMatchObject({ played: 3, outside: [] });
});

test("a file is written over", async () => {
  const stage = await setStage();
  await stage.turn([
    { write: "a.txt", text: "one\n" },
    { write: "a.txt", text: "two\nthree\n" },
    { say: "Done." },
  ]);
  expect(stage.read("a.txt")).toBe("two\nthree\n");
});

test("a conversation is gone on with, and each of its turns costs its own tokens", async () => {
  const stage = await setStage();
  const first = await stage.turn([{ say: "One." }]);
  const { conversation } = first.report;
  const second = await stage.turn([{ run: "true" }, { say: "Two." }], {
    ...carriedOver(first.report),
    prompt: "Go on.",
  });
  expect(second.report).toMatchObject({ trouble: null, conversation, lastMessage: "Two." });
  expect(stage.model.heard[1]).toBe("Go on.");
  expect(first.report.bill.usage).toEqual([{ model: "gpt-5.5", usage: tokens(1000, 100) }]);
  expect(second.report.bill.usage).toEqual([{ model: "gpt-5.5", usage: tokens(2000, 200) }]);
});

test("what a failed turn cost is on the next turn's bill", async () => {
  const stage = await setStage();
  const failed = await stage.turn([{ run: "true" }, { fail: 503 }]);
  expect(failed.report).toMatchObject({ trouble: { kind: "transient" }, bill: { usage: [] } });
  const next = await stage.turn([{ say: "Now." }], carriedOver(failed.report));
  expect(next.report.bill.usage).toEqual([{ model: "gpt-5.5", usage: tokens(2000, 200) }]);
});

test.each([
  [401, "blocking"],
  [429, "usage-limit"],
  [503, "transient"],
])("a refusal with %i is %s, and tried once", async (fail, kind) => {
  const stage = await setStage();
  const { report } = await stage.turn([{ fail }]);
  expect(report.trouble).toMatchObject({ kind });
  expect(stage.model.played).toBe(1);
});

test("a limit with a time to wait is over then", async () => {
  const stage = await setStage();
  const before = Date.now();
  const { report } = await stage.turn([{ fail: 429, headers: { "retry-after": "2" } }]);
  expect(report.trouble).toMatchObject({ kind: "usage-limit" });
  const resetsAt = report.trouble?.kind === "usage-limit" ? report.trouble.resetsAt : null;
  expect(resetsAt).toBeGreaterThanOrEqual(before + 2000);
  expect(resetsAt).toBeLessThanOrEqual(Date.now() + 2000);
});

test("a turn that is ended from outside is interrupted, in a conversation that is known", async () => {
  const stage = await setStage();
  const { report } = await stage.endedTurn();
  expect(report.trouble).toMatchObject({ kind: "interrupted" });
  const next = await stage.turn([{ say: "Done." }], carriedOver(report));
  expect(next.report).toMatchObject({ trouble: null, conversation: report.conversation });
});

test("a conversation that is unknown is said to be lost", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([], { conversation: "01a1e28b-0000-7000-8000-000000000000" });
  expect(report.trouble).toMatchObject({ kind: "lost-conversation" });
  expect(stage.model.played).toBe(0);
});

test("what was refused is told, however much the client logs after it", async () => {
  const stage = await setStage();
  const noPatch = { write: `b.txt\n${"no patch ".repeat(600)}`, text: "b\n" };
  const { report } = await stage.turn([{ write: "a.txt", text: "a\n" }, noPatch, { say: "I cannot." }], {
    permissionMode: "read-only",
  });
  expect(report.denials).toEqual([{ tool: "apply_patch", rule: "--permission-mode workspace-write" }]);
});

test("where nothing may be written, the mode that would allow it is named", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([{ write: "a.txt", text: "a\n" }, { say: "I cannot." }], {
    permissionMode: "read-only",
  });
  expect(report).toMatchObject({
    trouble: null,
    denials: [{ tool: "apply_patch", rule: "--permission-mode workspace-write" }],
  });
  expect(() => stage.read("a.txt")).toThrow("ENOENT");
});
