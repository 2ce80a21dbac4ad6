import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_USAGE } from "../../cost/transcript.ts";
import type { AgentEnding, AgentEvent, TurnReport } from "../driver.ts";
import { readEvents, usageFrom, usageSince } from "./stream.ts";

const AT = new Date(2026, 10, 16, 4, 12).getTime();
const FINISHED: AgentEnding = { type: "exited", code: 0, stderr: "" };
const FAILED: AgentEnding = { type: "exited", code: 1, stderr: "" };
const NEW = { model: "gpt-5.5", conversation: null };

interface Read {
  readonly seen: readonly AgentEvent[];
  readonly report: TurnReport;
}

/** What the real client printed, kept in `test/streams/codex`. */
function readRecorded(name: string, ending: AgentEnding, turn: Parameters<typeof readEvents>[0] = NEW): Read {
  return read(readFileSync(`test/streams/codex/${name}.jsonl`, "utf8").trimEnd().split("\n"), ending, turn);
}

function read(
  lines: readonly string[],
  ending: AgentEnding,
  turn: Parameters<typeof readEvents>[0] = NEW,
): Read {
  const reader = readEvents(turn);
  const seen = lines.flatMap((line) => reader.line(line));
  return { seen, report: reader.end(ending, AT) };
}

const tokens = (input: number, output: number, cacheRead: number) => ({
  ...NO_USAGE,
  input,
  output,
  cacheRead,
});

test("a turn is seen as it goes on, and reported at its end", () => {
  const { seen, report } = readRecorded("finished", FINISHED);
  const bill = { usd: null, usage: [{ model: "gpt-5.5", usage: tokens(3200, 200, 800) }] };
  const conversation = "01a1e28b-84c5-7d90-ace4-978ea3e5ab0b";
  expect(seen).toEqual([
    { type: "conversation", id: conversation },
    { type: "used", tool: "apply_patch", detail: "/project/hello.txt" },
    { type: "edited", path: "/project/hello.txt" },
    { type: "used", tool: "shell", detail: "cat hello.txt && false" },
    { type: "failed", output: "hello\n" },
    { type: "said", text: "Working." },
    { type: "used", tool: "shell", detail: "echo two > two.txt; cat two.txt" },
    { type: "said", text: "Done." },
    { type: "billed", bill },
  ]);
  expect(report).toEqual({
    trouble: null,
    lastMessage: "Done.",
    conversation,
    toolUses: 3,
    bill,
    reportedUsd: null,
    reportedUsage: tokens(3200, 200, 800),
    denials: [],
  });
});

test("of a conversation's figures a turn is billed for what is new", () => {
  const conversation = "01a1e28c-45f0-7b62-9289-147b39b549b5";
  const first = readRecorded("first", FINISHED);
  expect(first.report).toMatchObject({ conversation, reportedUsage: tokens(1600, 100, 400) });
  const turn = { ...NEW, conversation, reportedUsage: tokens(1600, 100, 400) };
  const second = readRecorded("resumed", FINISHED, turn);
  expect(second.report).toMatchObject({
    bill: { usage: [{ usage: tokens(1600, 100, 400) }] },
    reportedUsage: tokens(3200, 200, 800),
  });
});

test("a conversation that never told its figures is billed whole", () => {
  const conversation = "01a1e28c-45f0-7b62-9289-147b39b549b5";
  const { report } = readRecorded("resumed", FINISHED, { ...NEW, conversation, reportedUsage: null });
  expect(report.bill.usage).toEqual([{ model: "gpt-5.5", usage: tokens(3200, 200, 800) }]);
});

test("another conversation than the one that was asked for counts anew", () => {
  const turn = { ...NEW, conversation: "elsewhere", reportedUsage: tokens(1, 1, 1) };
  const { report } = readRecorded("resumed", FINISHED, turn);
  expect(report).toMatchObject({
    conversation: "01a1e28c-45f0-7b62-9289-147b39b549b5",
    bill: { usage: [{ usage: tokens(3200, 200, 800) }] },
  });
});

test("a turn that broke off leaves the figures of its conversation as they were", () => {
  const conversation = "01a1e29e-4db2-7f62-b052-abd81fbb243a";
  const turn = { ...NEW, conversation, reportedUsage: tokens(1, 2, 3) };
  const { report } = readRecorded("killed", { type: "cut-off", why: "paused" }, turn);
  expect(report).toMatchObject({
    trouble: { kind: "interrupted", detail: "paused" },
    bill: { usd: null, usage: [] },
    reportedUsage: tokens(1, 2, 3),
    toolUses: 1,
    lastMessage: null,
  });
});

test("tools within code, searches and thoughts are seen in a turn", () => {
  const { seen, report } = readRecorded("code-mode", FINISHED);
  expect(seen.slice(1, -2)).toEqual([
    { type: "used", tool: "apply_patch", detail: "/project/sol.txt" },
    { type: "edited", path: "/project/sol.txt" },
    { type: "used", tool: "shell", detail: "cat sol.txt; false" },
    { type: "failed", output: "hello\n" },
    { type: "used", tool: "web_search", detail: "weather" },
  ]);
  expect(report).toMatchObject({ toolUses: 3, lastMessage: "Done." });
});

test("tools of other servers are seen, and how they fail", () => {
  const { seen, report } = readRecorded("mcp", FINISHED);
  expect(seen.slice(1, -2)).toEqual([
    { type: "used", tool: "win.look", detail: "" },
    { type: "used", tool: "win.look", detail: "" },
    { type: "failed", output: "it failed" },
    { type: "used", tool: "win.look", detail: "" },
    {
      type: "failed",
      output:
        "tool call error: tool call failed for `win/look`\n\nCaused by:\n    Mcp error: -32000: broken server",
    },
  ]);
  expect(report.toolUses).toBe(3);
});

test.each<readonly [name: string, trouble: object, retries: number]>([
  ["usage-limit", { kind: "usage-limit", resetsAt: new Date(2026, 10, 16, 5, 13).getTime() }, 0],
  ["usage-limit-days", { kind: "usage-limit", resetsAt: new Date(2026, 10, 18, 11, 47).getTime() }, 0],
  ["too-many-requests", { kind: "usage-limit", resetsAt: null }, 1],
  ["rate-limit", { kind: "usage-limit", resetsAt: AT + 1_500 }, 1],
  ["quota", { kind: "blocking", detail: "Quota exceeded. Check your plan and billing details." }, 0],
  ["unauthorized", { kind: "blocking" }, 1],
  ["unknown-model", { kind: "blocking" }, 0],
  ["unavailable", { kind: "transient" }, 1],
  ["high-demand", { kind: "transient" }, 1],
  ["at-capacity", { kind: "transient" }, 0],
  ["disconnected", { kind: "transient" }, 1],
  ["context-window", { kind: "lost-conversation" }, 0],
  ["refused-request", { kind: "unknown", detail: "Unsupported value: xyz" }, 0],
])("recorded trouble: %s", (name, trouble, retries) => {
  const { seen, report } = readRecorded(name, FAILED);
  expect(report).toMatchObject({ trouble, bill: { usd: null, usage: [] }, reportedUsage: null });
  expect(report.conversation).toMatch(/^01a1e2/);
  expect(seen.filter(({ type }) => type === "retrying")).toHaveLength(retries);
});

test("waiting for the network is no failure yet", () => {
  const { seen, report } = readRecorded("unreachable", { type: "cut-off", why: "it took too long" });
  expect(seen.at(-1)).toEqual({
    type: "retrying",
    detail: "Reconnecting... waiting for network (Connection failed: error sending request)",
  });
  expect(report.trouble).toEqual({ kind: "interrupted", detail: "it took too long" });
});

test("what the log says was refused is told with the mode that would allow it", () => {
  const stderr =
    "2026-11-16T04:09:19.180349Z ERROR codex_core::tools::router: error=patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings\n";
  const { report } = readRecorded("read-only", { ...FINISHED, stderr });
  expect(report).toMatchObject({
    trouble: null,
    denials: [{ tool: "apply_patch", rule: "--permission-mode workspace-write" }],
  });
});

test("where no sandbox can be had, nothing can be written", () => {
  const { seen, report } = readRecorded("no-sandbox", FINISHED);
  expect(seen).toContainEqual({ type: "failed", output: "apply_patch /project/inside.txt: failed" });
  expect(seen.some(({ type }) => type === "edited")).toBe(false);
  expect(report.denials).toEqual([{ tool: "apply_patch", rule: "--permission-mode danger-full-access" }]);
});

const completed = (item: object): string => JSON.stringify({ type: "item.completed", item });

test("a command that was declined is denied, once for the same rule", () => {
  const declined = { type: "command_execution", command: "rm x", exit_code: null, status: "declined" };
  const { seen, report } = read(
    [completed({ id: "item_0", ...declined }), completed({ id: "item_1", ...declined })],
    FINISHED,
  );
  expect(seen).toContainEqual({ type: "failed", output: "shell rm x: declined" });
  expect(report.denials).toEqual([{ tool: "shell", rule: "--permission-mode danger-full-access" }]);
});

test("a code other than 0 is a failure, also without output", () => {
  const item = { id: "item_0", type: "command_execution", command: "test -f x", exit_code: 1 };
  const { seen } = read([completed(item)], FINISHED);
  expect(seen.at(-1)).toEqual({ type: "failed", output: "shell test -f x: exit code 1" });
});

test("a deleted file is not edited, and a tool yet unknown is used", () => {
  const { seen } = read(
    [
      completed({
        id: "item_0",
        type: "file_change",
        changes: [
          { path: "/project/a", kind: "delete" },
          { path: "/project/b", kind: "update" },
        ],
        status: "completed",
      }),
      completed({ id: "item_1", type: "image_generation", status: "completed" }),
      completed({ id: "item_2", type: "todo_list", items: [] }),
    ],
    FINISHED,
  );
  expect(seen).toEqual([
    { type: "used", tool: "apply_patch", detail: "/project/a /project/b" },
    { type: "edited", path: "/project/b" },
    { type: "used", tool: "image_generation", detail: "" },
  ]);
});

test("a warning is no trouble, and an error after the end changes nothing", () => {
  const { seen, report } = read(
    [
      '{"type":"turn.started"}',
      completed({ id: "item_0", type: "error", message: "Model metadata for `x` not found." }),
      '{"type":"turn.completed","usage":{"input_tokens":1}}',
      '{"type":"error","message":"failed to shut down"}',
    ],
    FAILED,
  );
  expect(seen.map(({ type }) => type)).toEqual(["billed"]);
  expect(report.trouble).toBeNull();
});

test("an error counts also where no failed turn follows it", () => {
  const { report } = read(['{"type":"error","message":"request timed out"}'], FAILED);
  expect(report.trouble).toEqual({ kind: "transient", detail: "request timed out" });
});

test("what is not understood is skipped", () => {
  const { seen, report } = read(
    [
      "",
      "garbage",
      "[1]",
      '{"type":7}',
      '{"type":"item.completed"}',
      '{"type":"item.completed","item":{"type":"command_execution"}}',
      '{"type":"thread.started","thread_id":"../../etc"}',
      '{"type":"turn.failed"}',
      '{"type":"item.started","item":{"id":"x","type":"file_change","changes":"none"}}',
    ],
    FAILED,
  );
  expect(seen).toEqual([{ type: "used", tool: "apply_patch", detail: "" }]);
  expect(report).toMatchObject({
    trouble: { kind: "unknown", detail: "Codex gave no reason" },
    conversation: null,
    lastMessage: null,
  });
});

test("long words are kept within bounds", () => {
  const text = `${"x".repeat(300_000)}\nThe end.`;
  const { seen, report } = read([completed({ id: "item_0", type: "agent_message", text })], FINISHED);
  expect(seen[0]?.type === "said" && seen[0].text.length).toBe(2000);
  expect(report.lastMessage).toBe("The end.");
});

test("each token of a turn is counted once", () => {
  const usage = usageFrom({
    input_tokens: 1000,
    cached_input_tokens: 600,
    cache_write_input_tokens: 100,
    output_tokens: 50,
    reasoning_output_tokens: 40,
  });
  expect(usage).toEqual({ ...NO_USAGE, input: 300, cacheRead: 600, cacheWrite: 100, output: 50 });
});

test("figures that contradict each other are not negative", () => {
  expect(usageFrom({ input_tokens: 1, cached_input_tokens: 2, output_tokens: "many" })).toEqual({
    ...NO_USAGE,
    cacheRead: 2,
  });
});

const BEFORE = { ...NO_USAGE, input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };

test("a turn costs what its conversation has used since the last one", () => {
  const total = { ...NO_USAGE, input: 11, output: 22, cacheRead: 33, cacheWrite: 44 };
  expect(usageSince(BEFORE, total)).toEqual({
    ...NO_USAGE,
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
  });
});

test("a total that fell was counted anew", () => {
  const total = { ...NO_USAGE, input: 5, output: 25 };
  expect(usageSince(BEFORE, total)).toEqual(total);
});
