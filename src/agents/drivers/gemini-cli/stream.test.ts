import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_USAGE, type Usage } from "../../cost/transcript.ts";
import { LONGEST_MESSAGE, LONGEST_SAID } from "../bounded-text.ts";
import { NO_BILL, type AgentEnding, type Bill, type AgentEvent, type TurnReport } from "../driver.ts";
import { readStream } from "./stream.ts";

const AT = Date.UTC(2026, 10, 16, 12);

function exited(code: number): AgentEnding {
  return { type: "exited", code, stderr: "" };
}

/** Reads what the client (0.61.0) printed in such a turn. */
function read(
  name: string,
  ending: AgentEnding = exited(0),
  conversation: string | null = null,
): { readonly agentEvents: readonly AgentEvent[]; readonly report: TurnReport } {
  const lines = readFileSync(`test/streams/gemini-cli/${name}.jsonl`, "utf8").split("\n");
  return readLines(lines, ending, conversation);
}

function readLines(
  lines: readonly string[],
  ending: AgentEnding = exited(0),
  conversation: string | null = null,
): { readonly agentEvents: readonly AgentEvent[]; readonly report: TurnReport } {
  const reader = readStream({ conversation });
  const agentEvents = lines.flatMap((line) => reader.line(line));
  return { agentEvents, report: reader.end(ending, AT) };
}

function billOf(usage: Partial<Usage>): Bill {
  return { usd: null, usage: [{ model: "gemini-2.5-flash", usage: { ...NO_USAGE, ...usage } }] };
}

test("a turn with edits, commands and a final answer", () => {
  const { agentEvents, report } = read("finished");
  const bill = billOf({ input: 6500, output: 680, cacheRead: 200 });
  expect(agentEvents).toEqual([
    { type: "conversation", id: "769115b6-9522-49be-83b8-92768884fa18" },
    { type: "said", text: "I will write the file first." },
    { type: "said", text: "Now the file." },
    { type: "used", tool: "write_file", detail: "hello.txt" },
    { type: "used", tool: "replace", detail: "a.txt" },
    { type: "edited", path: "hello.txt" },
    { type: "edited", path: "a.txt" },
    { type: "used", tool: "run_shell_command", detail: "cat hello.txt" },
    { type: "used", tool: "run_shell_command", detail: "exit 3" },
    { type: "failed", output: "Command exited with code: 3" },
    { type: "used", tool: "run_shell_command", detail: "echo bad; exit 3" },
    { type: "used", tool: "read_file", detail: "nope.txt" },
    { type: "failed", output: "File not found: /project/nope.txt" },
    { type: "said", text: "All is done here." },
    { type: "billed", bill },
  ]);
  expect(report).toEqual({
    trouble: null,
    lastMessage: "All is done here.",
    conversation: "769115b6-9522-49be-83b8-92768884fa18",
    toolUses: 6,
    bill,
    reportedUsd: null,
    denials: [],
  });
});

test("a turn that goes on with a conversation is billed alone", () => {
  const { report } = read("resumed", exited(0), "769115b6-9522-49be-83b8-92768884fa18");
  expect(report).toMatchObject({
    trouble: null,
    lastMessage: "I went on.",
    conversation: "769115b6-9522-49be-83b8-92768884fa18",
    toolUses: 0,
    bill: billOf({ input: 1000, output: 100 }),
  });
});

test("what is not allowed is a denial, and no use of a tool", () => {
  expect(read("denied").report).toMatchObject({
    trouble: null,
    toolUses: 0,
    lastMessage: "I was not allowed to.",
    denials: [
      { tool: "write_file", rule: "--permission-mode auto_edit" },
      { tool: "run_shell_command", rule: "run_shell_command(npm)" },
      { tool: "run_shell_command", rule: "--permission-mode yolo" },
    ],
  });
  expect(read("denied-shell").report).toMatchObject({
    toolUses: 1,
    denials: [{ tool: "run_shell_command", rule: "run_shell_command(npm)" }],
  });
  expect(read("plan-mode").report.denials).toEqual([
    { tool: "write_file", rule: "--permission-mode auto_edit" },
  ]);
});

test("a tool that is unknown to the client is not denied", () => {
  const lines = [
    '{"type":"tool_use","tool_name":"make_coffee","tool_id":"1","parameters":{}}',
    '{"type":"tool_result","tool_id":"1","status":"error","error":{"type":"tool_not_registered","message":"Tool \\"make_coffee\\" not found."}}',
  ];
  expect(readLines(lines).report).toMatchObject({ denials: [], toolUses: 1 });
});

test("an outcome is told once", () => {
  const outcome = '{"type":"tool_result","tool_id":"1","status":"success"}';
  const use = '{"type":"tool_use","tool_name":"write_file","tool_id":"1","parameters":{"file_path":"a.txt"}}';
  expect(readLines([use, outcome, outcome]).agentEvents).toEqual([
    { type: "used", tool: "write_file", detail: "a.txt" },
    { type: "edited", path: "a.txt" },
  ]);
});

test.each([
  ["quota-with-delay", 173, "usage-limit", /429: You exceeded .* retry after 3600s\.$/],
  ["quota-resets-after", 173, "usage-limit", /429: .* reset after 3h15m20s\.$/],
  ["quota", 173, "usage-limit", /429: Resource has been exhausted/],
  ["daily-quota", 173, "usage-limit", /429: You have exhausted your daily quota/],
  ["overloaded", 247, "transient", /503: The model is overloaded/],
  ["internal-error", 244, "transient", /500: An internal error has occurred\.$/],
  ["no-network", 1, "transient", /fetch failed/],
  ["empty-answer", 0, "transient", /empty response/],
  ["invalid-key", 144, "blocking", /400: API key not valid\. Please pass a valid API key\.$/],
  ["unauthenticated", 145, "blocking", /401: Request had invalid/],
  ["forbidden", 147, "blocking", /403: Permission denied/],
  ["unknown-model", 1, "blocking", /gemini-9-none is not found/],
  ["too-long", 144, "lost-conversation", /400: The input token count/],
])("a turn that ends with %s is in trouble", (name, code, kind, detail) => {
  const seen = read(name, exited(code)).report.trouble;
  expect(seen).toMatchObject({ kind, detail: expect.stringMatching(detail) as string });
  // The exit code of a client that was ended after its result is not known; the words are.
  const ending: AgentEnding = { type: "cut-off", why: "the time is up" };
  expect(read(name, ending).report.trouble?.kind).toBe(kind);
});

test("a limit resets as long after the failure as it says", () => {
  expect(read("quota-with-delay", exited(173)).report.trouble).toMatchObject({
    resetsAt: Date.parse("2026-11-16T04:27:37.002Z") + 3_600_000,
  });
  expect(read("quota", exited(173)).report.trouble).toMatchObject({ resetsAt: null });
});

test("what was used before a failure is billed", () => {
  const { report } = read("quota-with-delay", exited(173));
  expect(report).toMatchObject({ toolUses: 1, bill: billOf({ input: 1000, output: 100 }) });
});

test("a turn that the client limits or stops for itself is over, and no trouble", () => {
  expect(read("turn-limit", exited(53)).report).toMatchObject({ trouble: null, toolUses: 2 });
  expect(read("stopped-loop").report).toMatchObject({ trouble: null, toolUses: 4, lastMessage: null });
});

test("a turn without a result was interrupted, whatever the exit code", () => {
  const killed: AgentEnding = { type: "signalled", signal: "SIGKILL", stderr: "" };
  const { agentEvents, report } = read("killed", killed);
  expect(agentEvents).toContainEqual({ type: "edited", path: "hello.txt" });
  expect(report).toMatchObject({
    trouble: { kind: "interrupted", detail: "Gemini CLI was ended by SIGKILL" },
    conversation: "806f80cb-3a78-412f-ad65-4c2ca7a4d156",
    toolUses: 1,
    bill: NO_BILL,
  });
  expect(read("asked-to-end", exited(0)).report.trouble).toMatchObject({ kind: "interrupted" });
});

test("a turn that came to its end stays so when the process is ended later", () => {
  const ending: AgentEnding = { type: "cut-off", why: "the time is up" };
  expect(read("finished", ending).report.trouble).toBeNull();
});

test("a turn in which the model was never asked costs nothing", () => {
  const lines = [
    '{"type":"init","session_id":"s1","model":"m"}',
    '{"type":"result","status":"success","stats":{}}',
  ];
  expect(readLines(lines, exited(0), "s1").report.trouble?.kind).toBe("lost-conversation");
  expect(readLines(lines).report.trouble?.kind).toBe("unknown");
});

test("lines that are no messages, and fields that are no text, are passed over", () => {
  const lines = [
    "YOLO mode is enabled.",
    "{",
    "[1]",
    '{"type":5}',
    '{"type":"init","session_id":"../../etc"}',
    '{"type":"message","role":"assistant","content":{"a":1}}',
    '{"type":"tool_use","tool_name":"write_file","tool_id":"1","parameters":"x"}',
    '{"type":"tool_result","tool_id":"1","status":"success"}',
    '{"type":"tool_result","tool_id":"2","status":"error"}',
    '{"type":"message","role":"assistant","content":"Done."}',
    '{"type":"result","status":"success","stats":{"models":{"m":{"input_tokens":"many","output_tokens":-1}}}}',
    '{"type":"message","role":"assistant","content":"After the end."}',
  ];
  const { agentEvents, report } = readLines(lines);
  expect(agentEvents).toEqual([
    { type: "used", tool: "write_file", detail: "" },
    { type: "said", text: "Done." },
  ]);
  expect(report).toMatchObject({
    trouble: null,
    lastMessage: "Done.",
    conversation: null,
    toolUses: 1,
    bill: NO_BILL,
  });
});

test("text of any length is bounded, and of final words the end is kept", () => {
  const piece = JSON.stringify({ type: "message", role: "assistant", content: "x".repeat(99_999) + "\n" });
  const end = JSON.stringify({ type: "message", role: "assistant", content: "EXIT" });
  const result = '{"type":"result","status":"success"}';
  const { agentEvents, report } = readLines([...Array<string>(9).fill(piece), end, result]);
  expect(agentEvents).toMatchObject([{ type: "said" }]);
  expect(agentEvents[0]?.type === "said" && agentEvents[0].text.length).toBe(LONGEST_SAID);
  expect(report.lastMessage?.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
  expect(report.lastMessage?.endsWith("x\nEXIT")).toBe(true);
});
