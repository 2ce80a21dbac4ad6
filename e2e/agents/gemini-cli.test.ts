import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import { geminiCli } from "../../src/agents/drivers/gemini-cli/driver.ts";
import { carriedOver, setDriverStage } from "./driver-stage.ts";
import { geminiCliAgent } from "./gemini-cli.ts";

const setStage = () => setDriverStage(geminiCli, geminiCliAgent, { permissionMode: "yolo" });

test("the client writes, runs, says so, and goes on with the conversation later", async () => {
  const stage = await setStage();
  const first = await stage.turn(
    [
      { write: "hello.txt", text: "hi\n" },
      { run: "cat hello.txt > copy.txt" },
      { say: "Done.", usage: { input: 500, output: 50, cached: 200 } },
    ],
    { prompt: "Make it work, @hello.txt first." },
  );
  expect(first.report).toMatchObject({ trouble: null, lastMessage: "Done.", toolUses: 2, denials: [] });
  expect(first.report.bill.usage).toEqual([
    { model: "gemini-2.5-flash", usage: { ...NO_USAGE, input: 2500, output: 250, cacheRead: 200 } },
  ]);
  expect(first.seen).toContainEqual({ type: "edited", path: "hello.txt" });
  expect(stage.read("copy.txt")).toBe("hi\n");
  expect(stage.model.heard[0]).toContain("Make it work, \\@hello.txt first.");

  const second = await stage.turn([{ say: "I went on." }], {
    ...carriedOver(first.report),
    prompt: "Go on.",
  });
  expect(second.report).toMatchObject({
    trouble: null,
    lastMessage: "I went on.",
    conversation: first.report.conversation,
  });
  expect(second.report.bill.usage).toEqual([
    { model: "gemini-2.5-flash", usage: { ...NO_USAGE, ...geminiCliAgent.usage } },
  ]);
  // The model hears what is new since its own last words, so it was told of the first turn.
  expect(stage.model.heard.at(-1)).toBe("Go on.");
  expect(stage.model).toMatchObject({ played: 4, helped: [], outside: [] });
});

test("a failure is believed at once, and says when the limit resets", async () => {
  const stage = await setStage();
  const before = Date.now();
  const { report } = await stage.turn([
    { fail: 429, message: "Quota exceeded.", headers: { "retry-after": "3600" } },
    { say: "Not asked for." },
  ]);
  const { trouble } = report;
  expect(trouble).toMatchObject({ kind: "usage-limit" });
  const resetsAt = trouble?.kind === "usage-limit" ? trouble.resetsAt : null;
  expect(resetsAt).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(resetsAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
  expect(stage.model.played).toBe(1);
});

test("what is not allowed is denied, and the rule that is named allows it", async () => {
  const moves = [{ write: "hello.txt", text: "hi\n" }, { run: "touch there.txt" }, { say: "Tried." }];
  const stage = await setStage();
  const denied = await stage.turn(moves, { permissionMode: "default" });
  expect(denied.report.denials).toEqual([
    { tool: "write_file", rule: "--permission-mode auto_edit" },
    { tool: "run_shell_command", rule: "run_shell_command(touch)" },
  ]);
  expect(() => stage.read("hello.txt")).toThrow("ENOENT");

  const allow = ["run_shell_command(touch)"];
  const allowed = await stage.turn(moves, { permissionMode: "auto_edit", allow });
  expect(allowed.report).toMatchObject({ denials: [], toolUses: 2 });
  expect(stage.read("there.txt")).toBe("");
});

test("a mode that the client does not have is named", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([], { permissionMode: "bypassPermissions" });
  const detail = expect.stringContaining('approval-mode, Given: "bypassPermissions"');
  expect(report.trouble).toMatchObject({ kind: "blocking", detail });
});

test("a conversation that the client does not know is lost", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([], { conversation: randomUUID() });
  expect(report.trouble).toMatchObject({ kind: "lost-conversation" });
  expect(stage.model.played).toBe(0);
});
