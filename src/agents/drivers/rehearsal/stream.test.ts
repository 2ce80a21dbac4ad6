import { expect, test } from "vitest";
import type { TurnReport } from "../driver.ts";
import { readPlay, type PlayerMessage } from "./stream.ts";

const AT = Date.UTC(2026, 0, 5, 9);
const FREE = { usd: null, tokens: null, model: null };
const ENDED: PlayerMessage = { type: "ended", message: "Done.", trouble: null, ...FREE };

function report(...messages: readonly PlayerMessage[]): TurnReport {
  const reader = readPlay({ conversation: "talk-1" });
  for (const message of messages) reader.line(JSON.stringify(message));
  return reader.end({ type: "exited", code: 0, stderr: "" }, AT);
}

test("what is printed after the end counts for nothing", () => {
  const after: readonly PlayerMessage[] = [
    { type: "conversation", id: "talk-2" },
    { type: "used", tool: "Bash", detail: "" },
    { type: "billed", usd: 9, tokens: null, model: null },
    { ...ENDED, message: "No, not done." },
  ];
  expect(report(ENDED, ...after)).toEqual(report(ENDED));
});

test("a bill that falls is not believed", () => {
  const dear = { usd: 2, tokens: { input: 10, output: 5 }, model: "m" };
  const cheap = { usd: 1, tokens: { input: 4, output: 6 }, model: "m" };
  const { bill } = report({ type: "billed", ...dear }, { ...ENDED, ...cheap });
  expect(bill).toMatchObject({ usd: 2, usage: [{ model: "m", usage: { input: 10, output: 6 } }] });
});

test("a limit that was over before the turn ended is over when it ends", () => {
  const trouble = { kind: "usage-limit", resetsInMs: -5 } as const;
  expect(report({ ...ENDED, trouble }).trouble).toMatchObject({ resetsAt: AT });
});

test("of long final words the end is kept", () => {
  const { lastMessage } = report({ ...ENDED, message: `${"word ".repeat(100_000)}\nEXIT_SIGNAL: true` });
  expect(lastMessage).toBe("EXIT_SIGNAL: true");
});

test("a turn that was never begun leaves its conversation as it was", () => {
  expect(report().conversation).toBe("talk-1");
});
