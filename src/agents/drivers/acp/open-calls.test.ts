import { expect, test } from "vitest";
import { OpenCalls } from "./open-calls.ts";

test("a piece is taken with what was told before of the same call, and empty parts tell nothing", () => {
  const calls = new OpenCalls();
  calls.see("1", { toolCallId: "1", kind: "execute", title: "Bash", rawInput: { command: "ls" } });
  calls.see("2", { toolCallId: "2", kind: "read" });
  const asked = { toolCallId: "1", title: "Run it", kind: null, rawInput: {} };
  expect(calls.merged(asked)).toEqual({
    toolCallId: "1",
    kind: "execute",
    title: "Run it",
    rawInput: { command: "ls" },
  });
  calls.forget("1");
  expect(calls.has("1")).toBe(false);
  expect(calls.merged(asked)).toEqual({ toolCallId: "1", title: "Run it" });
});
