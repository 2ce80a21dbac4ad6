import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_USAGE, type Usage } from "../../cost/transcript.ts";
import { LONGEST_MESSAGE, LONGEST_SAID } from "../bounded-text.ts";
import type { AgentEnding, AgentEvent, TurnReport } from "../driver.ts";
import { readMessages } from "./stream.ts";

const AT = Date.UTC(2026, 10, 16, 12);
const CONVERSATION = "0b8e6f0c-1f57-4a53-9d0a-3c6f5f0a7e11";
const NEW = { model: null, conversation: null, reportedUsd: null };
const EXITED: AgentEnding = { type: "exited", code: 0, stderr: "" };
const CUT_OFF: AgentEnding = { type: "cut-off", why: "it was stopped" };

interface Reading {
  readonly seen: readonly AgentEvent[];
  readonly report: TurnReport;
}

/** What Claude Code 2.1.197 printed in such a turn. */
function recorded(name: string): readonly string[] {
  return readFileSync(`test/streams/claude-code/${name}.jsonl`, "utf8").split("\n").slice(0, -1);
}

function read(lines: readonly string[], ending: AgentEnding = EXITED, turn = {}): Reading {
  const reader = readMessages({ ...NEW, ...turn });
  const seen = lines.flatMap((line) => reader.line(line));
  return { seen, report: reader.end(ending, AT) };
}

const tokens = (input: number, output: number, cacheRead = 0): Usage => ({
  ...NO_USAGE,
  input,
  output,
  cacheRead,
});

function withoutBills(seen: readonly AgentEvent[]): readonly AgentEvent[] {
  return seen.filter(({ type }) => type !== "billed");
}

/** Input and output of all answers, bill by bill. */
function billed(seen: readonly AgentEvent[]): readonly string[] {
  return seen.flatMap((each) =>
    each.type === "billed"
      ? [each.bill.usage.map(({ usage }) => `${usage.input}/${usage.output}`).join(" ")]
      : [],
  );
}

test("a turn with commands, edits and final words", () => {
  const { seen, report } = read(recorded("finished"));
  expect(withoutBills(seen)).toEqual([
    { type: "conversation", id: CONVERSATION },
    { type: "said", text: "I look first." },
    { type: "used", tool: "Bash", detail: "cat notes.txt" },
    { type: "used", tool: "Bash", detail: "echo broken; exit 3" },
    { type: "failed", output: "Exit code 3\nbroken" },
    { type: "used", tool: "Write", detail: "src/new.txt" },
    { type: "used", tool: "Read", detail: "notes.txt" },
    { type: "edited", path: "/project/src/new.txt" },
    { type: "used", tool: "Edit", detail: "notes.txt" },
    { type: "edited", path: "/project/notes.txt" },
    { type: "said", text: "All done.\n\nEXIT_SIGNAL: true" },
  ]);
  expect(report).toEqual({
    trouble: null,
    lastMessage: "All done.\n\nEXIT_SIGNAL: true",
    conversation: CONVERSATION,
    toolUses: 5,
    bill: { usd: 0.0339, usage: [{ model: "claude-opus-4-8[1m]", usage: tokens(5000, 350, 300) }] },
    reportedUsd: 0.0339,
    denials: [],
  });
});

test("each answer is billed when it begins, and again when it has ended", () => {
  expect(billed(read(recorded("finished")).seen)).toEqual([
    "2000/1",
    "2000/50",
    "2000/50 1000/1",
    "2000/50 1000/100",
    "2000/50 1000/100 1000/1",
    "2000/50 1000/100 1000/100",
    "2000/50 1000/100 1000/100 1000/1",
    "2000/50 1000/100 1000/100 1000/100",
  ]);
});

test("a turn that was cut off has cost what was seen of it", () => {
  expect(read(recorded("killed"), CUT_OFF).report).toMatchObject({
    bill: {
      usd: null,
      usage: [
        { model: "claude-opus-4-8", usage: tokens(1000, 100) },
        { model: "claude-opus-4-8", usage: tokens(1000, 100) },
      ],
    },
    reportedUsd: null,
  });
});

test("without partial messages the stream says the same, with less of what it cost before the end", () => {
  const whole = recorded("finished").filter((line) => !line.includes('"stream_event"'));
  const { seen, report } = read(whole);
  expect(report).toEqual(read(recorded("finished")).report);
  expect(withoutBills(seen)).toEqual(withoutBills(read(recorded("finished")).seen));
  expect(billed(seen).at(-1)).toBe("2000/1 1000/1 1000/1 1000/1");
});

test("subagents work and cost, but do not speak for the agent", () => {
  const { seen, report } = read(recorded("subagent"));
  expect(withoutBills(seen).slice(1)).toEqual([
    { type: "said", text: "Delegating." },
    { type: "used", tool: "Agent", detail: "look around" },
    { type: "used", tool: "Write", detail: "SUB" },
    { type: "used", tool: "Bash", detail: "exit 1" },
    { type: "edited", path: "SUB" },
    { type: "failed", output: "Exit code 1" },
    { type: "said", text: "All done." },
  ]);
  expect(billed(seen).at(-1)).toBe("1000/100 1000/1 1000/100");
  expect(report).toMatchObject({ lastMessage: "All done.", bill: { usd: 0.03 } });
});

test("subagents do not speak for the agent where their words are shown, either", () => {
  const message = { id: "msg_sub", model: "m", content: [{ type: "text", text: "I am only a helper." }] };
  const line = JSON.stringify({ type: "assistant", message, parent_tool_use_id: "toolu_1" });
  expect(read([...recorded("killed"), line], CUT_OFF)).toMatchObject({
    seen: read(recorded("killed"), CUT_OFF).seen,
    report: { lastMessage: "Still." },
  });
});

test("background work that has ended calls the model back, and the turn is over when that is", () => {
  const lines = recorded("background");
  const results = lines.flatMap((line, index) => (line.includes('"type":"result"') ? [index] : []));
  expect(results).toHaveLength(2);
  const [first = 0] = results;
  const calledBack = lines.findIndex((line, index) => index > first && line.includes('"init"'));
  expect(read(lines).report).toMatchObject({
    trouble: null,
    lastMessage: "It is over.",
    bill: { usd: 0.0225 },
    reportedUsd: 0.0225,
  });
  expect(read(lines.slice(0, first + 1), CUT_OFF).report).toMatchObject({
    trouble: null,
    lastMessage: "It runs.",
  });
  expect(read(lines.slice(0, calledBack + 1), CUT_OFF).report).toMatchObject({
    trouble: { kind: "interrupted" },
  });
  expect(read(lines).seen.filter(({ type }) => type === "conversation")).toHaveLength(1);
});

test.each([
  ["began anew", 0.015, { inputTokens: 2000, outputTokens: 200 }],
  ["goes on", 0.0489, { inputTokens: 7000, outputTokens: 550, cacheReadInputTokens: 300 }],
])("a resumed turn costs its own, where the client's total %s", (_, total, usage) => {
  const lines = recorded("resumed").map((line) => {
    if (!line.includes('"type":"result"')) return line;
    const result = JSON.parse(line) as object;
    return JSON.stringify({ ...result, total_cost_usd: total, modelUsage: { "claude-opus-4-8": usage } });
  });
  const { report } = read(lines, EXITED, { conversation: CONVERSATION, reportedUsd: 0.0339 });
  expect(report.bill.usd).toBeCloseTo(0.015, 10);
  expect(report.bill.usage.reduce((sum, each) => sum + each.usage.input, 0)).toBe(2000);
  expect(report.reportedUsd).toBe(total);
});

/** The last line of a turn as Claude Code 2.1.325 prints it: in any order, with what it counted since its last one. */
function resultOf(totalUsd: number, added: { readonly usd: number; readonly input: number }): string {
  const model = { inputTokens: added.input, outputTokens: 0, costUSD: added.usd };
  return JSON.stringify({
    total_cost_usd: totalUsd,
    modelUsage: { "claude-opus-4-8": { inputTokens: 20_000, outputTokens: 700, costUSD: totalUsd } },
    is_error: false,
    subtype: "success",
    result: "Done again.",
    type: "result",
    model_usage_since_last_result: { "claude-opus-4-8": model },
  });
}

test.each([
  ["holds", 0.0639],
  ["does not hold", 0.0489],
])("a turn after a killed one costs its own, where the total %s that one", (_, total) => {
  const lines = [...recorded("resumed").slice(0, -1), resultOf(total, { usd: 0.015, input: 2500 })];
  const { report } = read(lines, EXITED, { conversation: CONVERSATION, reportedUsd: 0.0339 });
  expect(report).toMatchObject({ trouble: null, reportedUsd: total });
  expect(report.bill).toEqual({
    usd: 0.015,
    usage: [{ model: "claude-opus-4-8", usage: tokens(2500, 0) }],
  });
});

test("what a client counted is told with each result of its process, and adds up", () => {
  const [called, ...results] = [
    recorded("resumed").slice(0, -1),
    resultOf(0.0489, { usd: 0.015, input: 2200 }),
    resultOf(0.0589, { usd: 0.01, input: 1000 }),
  ] as const;
  const { report } = read([...called, ...results], EXITED, { reportedUsd: 0.0339 });
  expect(report.bill.usd).toBeCloseTo(0.025, 10);
  expect(report.bill.usage.reduce((sum, each) => sum + each.usage.input, 0)).toBe(3200);
});

test("the client's own tries are told of", () => {
  expect(read(recorded("overloaded")).seen).toContainEqual({
    type: "retrying",
    detail: "529 overloaded: trying again in 1 s (attempt 1 of 1)",
  });
  expect(read(recorded("unreachable")).seen).toContainEqual({
    type: "retrying",
    detail: "error: trying again in 1 s (attempt 1 of 1)",
  });
});

test("a limit that was met on the way is none when the turn went well", () => {
  const limit = recorded("usage-limit").findLast((line) => line.includes("rate_limit_event")) ?? "";
  expect(limit).toContain("rejected");
  expect(read([...recorded("finished").slice(0, 3), limit, ...recorded("finished").slice(3)]).report).toEqual(
    read(recorded("finished")).report,
  );
});

test("of several limits, the last that was met is waited for", () => {
  const limit = (status: string, resetsAt: number): string =>
    JSON.stringify({ type: "rate_limit_event", rate_limit_info: { status, resetsAt } });
  const [last = "", ...before] = recorded("rate-limit").toReversed();
  const limits = [
    limit("rejected", 1_800_000_000),
    limit("rejected", 1_800_000_500),
    limit("allowed", 1_900_000_000),
  ];
  expect(read([...before.toReversed(), ...limits, last]).report.trouble).toMatchObject({
    kind: "usage-limit",
    resetsAt: 1_800_000_500_000,
  });
});

test("a total of nothing is not what the conversation has cost", () => {
  const turn = { conversation: CONVERSATION, reportedUsd: 0.5 };
  expect(read(recorded("rate-limit"), EXITED, turn).report).toMatchObject({
    bill: { usd: 0 },
    reportedUsd: null,
  });
});

test("long texts are cut: words at their end, the last message at its beginning", () => {
  const text = `begin ${"x".repeat(LONGEST_MESSAGE)} end`;
  const message = { id: "msg_1", model: "m", content: [{ type: "text", text }] };
  const { seen, report } = read([JSON.stringify({ type: "assistant", message })], CUT_OFF);
  expect(seen).toEqual([{ type: "said", text: `${text.slice(0, LONGEST_SAID - 1)}…` }]);
  expect(report.lastMessage).toHaveLength(LONGEST_MESSAGE);
  expect(report.lastMessage?.endsWith("x end")).toBe(true);
});

test("what the client says in the model's place is not the agent's word", () => {
  const { seen, report } = read(recorded("invalid-key"));
  expect(seen).toEqual([{ type: "conversation", id: CONVERSATION }]);
  expect(report).toMatchObject({ lastMessage: null, toolUses: 0, bill: { usd: 0, usage: [] } });
});
