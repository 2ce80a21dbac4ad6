import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NO_USAGE, type Usage } from "../../src/cost/usage.ts";
import type { AgentEnding, Sighting, Turn, TurnReport } from "../../src/drivers/driver.ts";
import { opencode } from "../../src/drivers/opencode/driver.ts";
import { runAgentProcess, type AgentProcessOutcome } from "../../src/process/agent-process.ts";
import type { Move, MoveUsage } from "./agent.ts";
import type { ChatCompletionsModel } from "./chat-completions-server.ts";
import { opencodeAgent } from "./opencode.ts";

interface Played {
  readonly report: TurnReport;
  readonly seen: readonly Sighting[];
}

interface Stage {
  readonly model: ChatCompletionsModel;
  read(path: string): string;
  /** One turn of the real client, as `loop run` would have it. */
  turn(moves: readonly Move[], turn?: Partial<Turn>): Promise<Played>;
}

const FIRST: Turn = {
  prompt: "Do the work.",
  conversation: null,
  freshConversation: "00000000-0000-4000-8000-000000000000",
  reportedUsd: null,
  model: "scripted/model",
  permissionMode: null,
  args: [],
  budgetUsd: null,
  folder: "/nowhere",
};
const TIME_LIMIT_MS = 100_000;

async function setStage(): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-opencode-")));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(home);
  mkdirSync(project);
  const model = (await opencodeAgent.startModel([])) as ChatCompletionsModel;
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const path = [opencodeAgent.bin, dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const env = { PATH: path, HOME: home, PWD: project, ...opencodeAgent.environment(home, model) };
  return {
    model,
    read: (file) => readFileSync(join(project, file), "utf8"),
    turn(moves, turn = {}) {
      model.play(moves);
      return play({ ...FIRST, ...turn }, project, env);
    },
  };
}

async function play(turn: Turn, cwd: string, env: { readonly [name: string]: string }): Promise<Played> {
  const launch = opencode.command(turn);
  const reader = opencode.readStream(turn);
  const seen: Sighting[] = [];
  const outcome = await runAgentProcess({
    command: launch.command,
    cwd,
    env: { ...launch.envDefaults, ...env, ...launch.env },
    stdin: launch.stdin,
    runId: randomUUID(),
    onLine: (line) => seen.push(...reader.line(line)),
    silenceLimitMs: null,
    timeLimitMs: TIME_LIMIT_MS,
  });
  return { report: reader.end(endingOf(outcome), Date.now()), seen };
}

function endingOf({ ending, stderrTail }: AgentProcessOutcome): AgentEnding {
  if (ending.type === "exited") return { type: "exited", code: ending.code, stderrTail };
  throw new Error(`opencode did not exit by itself: ${JSON.stringify(ending)} ${stderrTail}`);
}

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
  const { report, seen } = await stage.turn([
    { write: "notes/hello.txt", text: "hello\n", usage: uses[0] },
    { run: "cat notes/hello.txt && exit 3", usage: uses[1] },
    { say: "Done.", usage: uses[2] },
  ]);
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
  const second = await stage.turn([{ run: "true" }, { say: "Two." }], { prompt: "Go on.", conversation });
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
  const next = await stage.turn([{ say: "Now." }], { conversation: report.conversation });
  expect(next.report).toMatchObject({ trouble: null, lastMessage: "Now." });
});

test("where everything is asked, nothing is written, and what would allow it is named", async () => {
  const stage = await setStage();
  const { report } = await stage.turn([{ write: "a.txt", text: "a\n" }], { permissionMode: "ask" });
  const rule = `--permission-mode '{"edit":"allow"}'`;
  expect(report).toMatchObject({ trouble: null, lastMessage: null, denials: [{ tool: "write", rule }] });
  expect(() => stage.read("a.txt")).toThrow("ENOENT");
  const allowed = await stage.turn([{ write: "a.txt", text: "a\n" }], { permissionMode: '{"edit":"allow"}' });
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
