import { expect, test } from "vitest";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import type { Usage } from "../../src/agents/cost/transcript.ts";
import { opencode } from "../../src/agents/drivers/opencode/driver.ts";
import type { MoveUsage } from "./agent.ts";
import { carriedOver, setDriverStage } from "./driver-stage.ts";
import { opencodeAgent } from "./opencode.ts";

const setStage = () => setDriverStage(opencode, opencodeAgent, { model: "scripted/model" });

function tokens(...uses: readonly MoveUsage[]): Usage {
  const sum = (each: (use: MoveUsage) => number): number => uses.reduce((all, use) => all + each(use), 0);
  return {
    ...NO_USAGE,
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cached }) => cached ?? 0),
  };
}

function dollars(...uses: readonly MoveUsage[]): number {
  return uses.reduce((sum, use) => sum + opencodeAgent.dollars(use), 0);
}

test("a turn writes a file, runs a command, and costs what its script says", async () => {
  const stage = await setStage();
  const uses = [
    { input: 700, output: 70, cached: 300 },
    { input: 10, output: 5 },
    { input: 1, output: 2, cached: 3 },
  ] as const;
  const { report, seen } = await stage.turn(
    [
      { write: "notes/hello.txt", text: "hello\n", usage: uses[0] },
      { run: "cat notes/hello.txt && exit 3", usage: uses[1] },
      { say: "Done.", usage: uses[2] },
    ],
    { permissionMode: "default" },
  );
  expect(stage.read("notes/hello.txt")).toBe("hello\n");
  expect(report).toMatchObject({ trouble: null, lastMessage: "Done.", toolUses: 2, denials: [] });
  expect(report.bill.usage).toEqual([{ model: "scripted/model", usage: tokens(...uses) }]);
  expect(report.bill.usd).toBeCloseTo(dollars(...uses), 10);
  expect(seen.map(({ type }) => type)).toEqual([
    "conversation",
    "used",
    "edited",
    "billed",
    "used",
    "failed",
    "billed",
    "said",
    "billed",
  ]);
  expect(stage.model.heard[0]).toContain("Do the work.");
  expect(stage.model.heard[2]).toContain("hello");
  expect(stage.model).toMatchObject({ played: 3, outside: [] });
});

test("a conversation is gone on with, and each of its turns costs its own", async () => {
  const stage = await setStage();
  const first = await stage.turn([{ say: "One." }]);
  const { conversation } = first.report;
  const second = await stage.turn([{ run: "true" }, { say: "Two." }], {
    ...carriedOver(first.report),
    prompt: "Go on.",
  });
  expect(second.report).toMatchObject({ trouble: null, conversation, lastMessage: "Two." });
  expect(stage.model.heard[1]).toBe("Go on.");
  const { usage } = opencodeAgent;
  expect(first.report.bill.usd).toBeCloseTo(dollars(usage), 10);
  expect(second.report.bill.usd).toBeCloseTo(dollars(usage, usage), 10);
});

test.each([
  [{ fail: 401 }, "blocking"],
  [{ fail: 503 }, "transient"],
])("a refusal with %j is %s, and one move", async (move, kind) => {
  const stage = await setStage();
  const { report } = await stage.turn([move]);
  expect(report.trouble).toMatchObject({ kind });
  expect(stage.model.played).toBe(1);
});

test("a limit with a time to wait is over then, and the conversation goes on", async () => {
  const stage = await setStage();
  const before = Date.now();
  const { report } = await stage.turn([{ run: "true" }, { fail: 429, headers: { "retry-after": "2" } }]);
  expect(report.trouble).toMatchObject({ kind: "usage-limit" });
  const resetsAt = report.trouble?.kind === "usage-limit" ? report.trouble.resetsAt : null;
  expect(resetsAt).toBeGreaterThanOrEqual(before + 2000);
  expect(resetsAt).toBeLessThanOrEqual(Date.now() + 2000);
  expect(report.bill.usage).toMatchObject([{ usage: tokens(opencodeAgent.usage) }]);
  const next = await stage.turn([{ say: "Now." }], carriedOver(report));
  expect(next.report).toMatchObject({ trouble: null, lastMessage: "Now." });
});

test("where everything is asked, nothing is written, and what would allow it is named", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([{ write: "a.txt", text: "a\n" }], { permissionMode: "ask" });
  const rule = "edit";
  expect(report).toMatchObject({ trouble: null, lastMessage: null, denials: [{ tool: "write", rule }] });
  expect(() => stage.read("a.txt")).toThrow("ENOENT");
  const allowed = await stage.turn([{ write: "a.txt", text: "a\n" }], {
    permissionMode: "ask",
    allow: [rule],
  });
  expect(allowed.report).toMatchObject({ trouble: null, denials: [] });
  expect(stage.read("a.txt")).toBe("a\n");
});

test.each([
  [{ conversation: "ses_e1d55618effe7XCz1v3Mqo23bi" }, "lost-conversation", /does not know/],
  [{ model: "scripted/nothing" }, "blocking", /Model not found: scripted\/nothing/],
  [{ permissionMode: "bypassPermissions" }, "blocking", /does not understand its arguments/],
])("%j is %s", async (turn, kind, detail) => {
  const stage = await setStage();
  const { report } = await stage.turn([], turn);
  expect(report.trouble).toMatchObject({ kind, detail: expect.stringMatching(detail) });
  expect(stage.model.played).toBe(0);
});
