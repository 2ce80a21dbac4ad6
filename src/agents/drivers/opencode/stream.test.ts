import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_USAGE, type Usage } from "../../cost/transcript.ts";
import type { AgentEnding, AgentEvent, TurnReport } from "../driver.ts";
import { readEvents } from "./stream.ts";

const AT = Date.UTC(2026, 10, 16, 5);
const FINISHED: AgentEnding = { type: "exited", code: 0, stderr: "" };
const FAILED: AgentEnding = { type: "exited", code: 1, stderr: "" };
const CUT_OFF: AgentEnding = { type: "cut-off", why: "it was stopped" };
const NEW: Parameters<typeof readEvents>[0] = { model: "mock/scripted", conversation: null };

interface Read {
  readonly seen: readonly AgentEvent[];
  readonly report: TurnReport;
}

function linesOf(name: string): readonly string[] {
  return readFileSync(`test/streams/opencode/${name}.jsonl`, "utf8").trimEnd().split("\n");
}

function read(lines: readonly string[], ending: AgentEnding, turn = NEW): Read {
  const reader = readEvents(turn);
  const seen = lines.flatMap((line) => reader.line(line));
  return { seen, report: reader.end(ending, AT) };
}

/** What the real client printed, kept in `test/streams/opencode`. */
function readRecorded(name: string, ending: AgentEnding): Read {
  return read(linesOf(name), ending);
}

function asked(...permissions: readonly string[]): AgentEnding {
  const line = (permission: string): string =>
    `\u001b[93m\u001b[1m! \u001b[0mpermission requested: ${permission}; auto-rejecting\n`;
  return { type: "exited", code: 0, stderr: permissions.map(line).join("") };
}

const withoutBills = (seen: readonly AgentEvent[]): readonly AgentEvent[] =>
  seen.filter(({ type }) => type !== "billed" && type !== "conversation");

test("a turn is seen as it goes on, and reported at its end", () => {
  const { seen, report } = readRecorded("finished", FINISHED);
  const conversation = "ses_e1d55618effe7XCz1v3Mqo23bi";
  expect(seen.filter(({ type }) => type === "conversation")).toEqual([
    { type: "conversation", id: conversation },
  ]);
  expect(withoutBills(seen)).toEqual([
    { type: "said", text: "Writing." },
    { type: "used", tool: "write", detail: "hello.txt" },
    { type: "edited", path: "/project/hello.txt" },
    { type: "used", tool: "bash", detail: "cat hello.txt; exit 3" },
    { type: "failed", output: "hello\n" },
    { type: "used", tool: "bash", detail: "echo two > two.txt" },
    { type: "said", text: "All done." },
  ]);
  expect(report).toMatchObject({
    trouble: null,
    lastMessage: "All done.",
    conversation,
    toolUses: 3,
    reportedUsd: null,
    denials: [],
  });
});

/** One answer of the recorded model: 1,200 tokens of prompt, 200 of them cached; 100 of output, 30 of them reasoned. */
function answers(count: number): Usage {
  return { ...NO_USAGE, input: 1000 * count, output: 100 * count, cacheRead: 200 * count };
}

test("the bill grows with each answer, and counts each token once", () => {
  const bills = readRecorded("finished", FINISHED).seen.flatMap((each) =>
    each.type === "billed" ? [each.bill] : [],
  );
  expect(bills.map(({ usage }) => usage)).toEqual(
    [1, 2, 3, 4].map((count) => [{ model: "mock/scripted", usage: answers(count) }]),
  );
  // 1,000 at $3, 200 at $0.30 and 100 at $15 a million.
  for (const [index, { usd }] of bills.entries()) expect(usd).toBeCloseTo(0.00456 * (index + 1), 10);
});

test("a model without a price costs nobody knows what", () => {
  const { report } = readRecorded("no-price", FINISHED);
  expect(report.bill).toEqual({ usd: null, usage: [{ model: "mock/scripted", usage: answers(1) }] });
});

test("a conversation that is gone on with is billed for this turn alone", () => {
  const { report } = read(linesOf("resumed"), FINISHED, {
    ...NEW,
    conversation: "ses_e1d55618effe7XCz1v3Mqo23bi",
  });
  expect(report).toMatchObject({ lastMessage: "Second.", bill: { usage: [{ usage: answers(1) }] } });
});

test("what was edited is told where the file is, and what failed is told", () => {
  expect(withoutBills(readRecorded("edits", FINISHED).seen)).toEqual([
    { type: "used", tool: "read", detail: "a.txt" },
    { type: "used", tool: "edit", detail: "a.txt" },
    { type: "failed", output: expect.stringMatching(/^Could not find oldString/) },
    { type: "used", tool: "edit", detail: "a.txt" },
    { type: "edited", path: "/project/a.txt" },
    { type: "failed", output: expect.stringContaining("unavailable tool 'nosuch'") },
    { type: "said", text: "Edited." },
  ]);
  expect(readRecorded("edits", FINISHED).report.toolUses).toBe(3);
});

test("a patch has edited what it left behind", () => {
  const { seen } = readRecorded("patch", FINISHED);
  expect(seen.filter(({ type }) => type === "edited")).toEqual([
    { type: "edited", path: "/project/new.txt" },
    { type: "edited", path: "/project/a.txt" },
  ]);
});

test("a command that was ended at its time limit failed", () => {
  const { seen } = readRecorded("timed-out-command", FINISHED);
  expect(seen).toContainEqual({
    type: "failed",
    output: expect.stringContaining("exceeding timeout 700 ms"),
  });
});

test("what was refused ends the turn, names its permission, and is no use of a tool", () => {
  const { seen, report } = readRecorded("denied", asked("edit (hello.txt)"));
  expect(report).toMatchObject({
    trouble: null,
    lastMessage: "Writing.",
    toolUses: 0,
    denials: [{ tool: "write", rule: "edit" }],
  });
  expect(withoutBills(seen).map(({ type }) => type)).toEqual(["said", "failed"]);
});

test("the permission that was asked for is not always the tool's own", () => {
  const { denials } = readRecorded("outside", asked("external_directory (/etc/*)")).report;
  expect(denials).toEqual([{ tool: "read", rule: "external_directory" }]);
});

test("of several refusals each is told", () => {
  const ending = asked("external_directory (/etc/*)", "bash (echo 1)");
  expect(readRecorded("denied-two", ending).report.denials).toEqual([
    { tool: "read", rule: "external_directory" },
    { tool: "bash", rule: "bash(echo *)" },
  ]);
});

test("refusals whose permissions were not seen are told by their tools", () => {
  expect(readRecorded("denied-two", CUT_OFF).report.denials).toEqual([
    { tool: "read", rule: "read" },
    { tool: "bash", rule: "bash(echo *)" },
  ]);
  expect(readRecorded("denied", CUT_OFF).report.denials).toEqual([{ tool: "write", rule: "edit" }]);
});

test("refusals that cannot be told apart are told by their tools", () => {
  const ending = asked("doom_loop (bash)", "external_directory (/etc/*)", "bash (echo 1)");
  expect(readRecorded("denied-two", ending).report.denials.map(({ rule }) => rule)).toEqual([
    "read",
    "bash(echo *)",
  ]);
});

test("a client that goes on after a refusal has not ended", () => {
  const [begun, , tool, finished] = linesOf("finished");
  const more = [begun, tool, finished].map((line) => line ?? "");
  expect(read([...linesOf("denied"), ...more], CUT_OFF).report.trouble).toMatchObject({
    kind: "interrupted",
  });
});

test("an event that nobody knows tells of no conversation", () => {
  const { seen, report } = read(['{"type":"nobody.knows","sessionID":"ses_1"}'], FAILED);
  expect(seen).toEqual([]);
  expect(report.conversation).toBeNull();
});

test("a tool whose name is no name of a permission is allowed by auto", () => {
  const lines = linesOf("denied").map((line) => line.replace('"tool":"write"', `"tool":"x'; rm -rf ~"`));
  expect(read(lines, FINISHED).report.denials).toEqual([
    { tool: "x'; rm -rf ~", rule: "--permission-mode auto" },
  ]);
});

test("what the user's own rule denies is a failure, and the turn goes on", () => {
  const { seen, report } = readRecorded("denied-by-rule", FINISHED);
  expect(report).toMatchObject({ trouble: null, lastMessage: "Could not.", denials: [] });
  expect(seen).toContainEqual({ type: "failed", output: expect.stringContaining('"pattern":"rm *"') });
});

test("a summary of what was too long is neither the end nor the last word", () => {
  const lines = linesOf("too-long-summed-up");
  const { seen, report } = read(lines, FAILED);
  expect(seen).toContainEqual({
    type: "retrying",
    detail: "the conversation got too long and is being summarized",
  });
  expect(report).toMatchObject({
    trouble: null,
    lastMessage: "After.",
    bill: { usage: [{ usage: answers(2) }] },
  });
  const upToSummary = lines.slice(0, 4);
  expect(read(upToSummary, CUT_OFF).report.trouble).toMatchObject({ kind: "interrupted" });
});

test("a summary before it is too long is no last word either", () => {
  const lines = linesOf("summed-up");
  expect(read(lines, FINISHED).report).toMatchObject({ trouble: null, lastMessage: "Final." });
  const upToRequest = lines.slice(0, 7);
  expect(upToRequest.at(-1)).toContain('"synthetic":true');
  expect(read(upToRequest, CUT_OFF).report).toMatchObject({
    trouble: { kind: "interrupted" },
    lastMessage: null,
  });
});

test("an answer that broke off is asked for again", () => {
  const { seen, report } = readRecorded("broken-off", CUT_OFF);
  expect(seen.filter(({ type }) => type === "retrying")).toHaveLength(2);
  expect(report).toMatchObject({ trouble: { kind: "interrupted" }, bill: { usd: null } });
});

test("an agent that was done before it was ended is done", () => {
  expect(readRecorded("finished", CUT_OFF).report).toMatchObject({ trouble: null, lastMessage: "All done." });
});

test("a tool that a rule prevents altogether is denied, and the turn goes on; the user's rule for one pattern is theirs", () => {
  const prevented = (...rules: readonly object[]): readonly string[] => {
    const [begun, , , finished] = linesOf("finished");
    const state = {
      status: "error",
      input: { command: "curl http://127.0.0.1/" },
      error: `The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules ${JSON.stringify(rules)}`,
    };
    const tool = { type: "tool_use", sessionID: "ses_1", part: { type: "tool", tool: "bash", state } };
    return [begun ?? "", JSON.stringify(tool), finished ?? ""];
  };
  const all = { permission: "bash", pattern: "*", action: "deny" };
  const ours = { permission: "bash", pattern: "loop check", action: "allow" };
  const theirs = { permission: "bash", pattern: "curl *", action: "deny" };
  const { report } = read(prevented(all, ours), FINISHED);
  expect(report).toMatchObject({ toolUses: 0, denials: [{ tool: "bash", rule: "bash(curl *)" }] });
  expect(read(prevented(all, ours, theirs), FINISHED).report.denials).toEqual([]);
});
