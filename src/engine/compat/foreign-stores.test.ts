import { describe, expect, test } from "vitest";
import { readIdleLoopFile, writeIdleLoopFile, readStateJson } from "./foreign-formats.ts";
import { continuedMessage, endedMessage, readJwzMessage } from "./jwz.ts";

describe("state.json", () => {
  const running = {
    spec: "s",
    criteria: ["a"],
    criteriaStatus: { a: false, b: true },
    status: "in_progress",
  };

  test("lists its criteria from both places", () => {
    const state = readStateJson(JSON.stringify(running));
    expect(state).toMatchObject({ type: "running", loop: { criteria: ["a", "b"], exitRule: "criteria" } });
  });

  test.each([
    ["completed", { status: "completed" }],
    ["cancelled", { status: "cancelled" }],
    ["paused", { status: "paused" }],
    ["an open breaker", { circuitBreaker: { stuckCount: 5 } }],
  ])("%s is over", (_, part) => {
    expect(readStateJson(JSON.stringify({ ...running, ...part })).type).toBe("over");
  });

  test.each([
    ["a counter in words", { iteration: "two" }],
    ["a counter that is null", { iteration: null }],
    ["a negative counter", { circuitBreaker: { stuckCount: -1 } }],
    ["a list of statuses", { criteriaStatus: [] }],
  ])("%s is corrupt", (_, part) => {
    expect(readStateJson(JSON.stringify({ ...running, ...part })).type).toBe("corrupt");
  });

  test("is a view of a loop of ours when it names one", () => {
    expect(readStateJson(JSON.stringify({ ...running, loopId: "x-1234" })).type).toBe("none");
  });
});

describe("idle-loop.local.md", () => {
  const text =
    '---\r\nactive: true\r\nmode:   issue\r\nnote: "iteration: 9"\r\niteration: 3\r\nmax_iterations: 10\r\n---\r\nDo it.\r\niteration: 7\r\n';

  test("is read from its front matter", () => {
    expect(readIdleLoopFile(text)).toMatchObject({
      type: "running",
      loop: { frames: [{ mode: "issue", iteration: 3, iterationLimit: 10 }], spec: "Do it.\r\niteration: 7" },
    });
  });

  test("keeps every byte but its counter and its end", () => {
    expect(writeIdleLoopFile(text, { active: true, iteration: 14 })).toBe(
      text.replace("\niteration: 3\r", "\niteration: 14\r"),
    );
    expect(writeIdleLoopFile(text, { active: false, iteration: 3 })).toBe(
      text.replace("active: true", "active: false"),
    );
  });

  test("with a counter that is no number is corrupt", () => {
    expect(readIdleLoopFile(text.replace("iteration: 3", "iteration: x")).type).toBe("corrupt");
    expect(readIdleLoopFile("no front matter").type).toBe("corrupt");
  });
});

describe("loop:current", () => {
  const message = {
    schema: 1,
    event: "STATE",
    run_id: "r",
    updated_at: "2026-01-05T09:00:00+00:00",
    stack: [
      { id: "g", mode: "grind", iter: 3, max: 100, prompt_file: "/tmp/p" },
      { id: "i", mode: "issue", iter: 2, max: 10, issue_id: "auth-1" },
    ],
  };

  test("is the last line, outermost frame first", () => {
    const { state, writtenAt } = readJwzMessage(`{"schema":1}\n${JSON.stringify(message)}\n`);
    expect(state).toMatchObject({ type: "running", loop: { frames: [{ mode: "grind" }, { id: "i" }] } });
    expect(writtenAt).toBe(Date.UTC(2026, 0, 5, 9));
  });

  test.each([
    ["nothing", "", "none"],
    ["words", "no messages", "none"],
    ["half a message", '{"schema":1,', "corrupt"],
    ["no schema", JSON.stringify({ ...message, schema: undefined }), "none"],
    ["an empty stack", JSON.stringify({ ...message, stack: [] }), "none"],
    ["an abort", JSON.stringify({ ...message, event: "ABORT" }), "over"],
    ["a counter in words", JSON.stringify({ ...message, stack: [{ iter: "2", max: 10 }] }), "corrupt"],
  ])("with %s is read as what it is", (_, output, type) => {
    expect(readJwzMessage(output).state.type).toBe(type);
  });

  test("goes on with a shorter stack and with what is not ours, in one line", () => {
    const text = continuedMessage(message, [4], Date.UTC(2026, 0, 5, 10));
    expect(text).not.toContain("\n");
    expect(JSON.parse(text)).toEqual({
      ...message,
      updated_at: "2026-01-05T10:00:00Z",
      stack: [{ ...message.stack[0], iter: 4 }],
    });
  });

  test("ends with its reason and no frame", () => {
    expect(JSON.parse(endedMessage(message, "DONE", "COMPLETE", Date.UTC(2026, 0, 5, 10)))).toEqual({
      schema: 1,
      event: "DONE",
      reason: "COMPLETE",
      run_id: "r",
      updated_at: "2026-01-05T10:00:00Z",
      stack: [],
    });
  });
});
