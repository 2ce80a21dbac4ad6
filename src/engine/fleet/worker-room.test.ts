import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import type { Machine } from "../../storage/loops/machine.ts";
import type { AttemptOutcome } from "../plan/executor.ts";
import { elsewhereIfFull } from "./worker-room.ts";

function paused(reason: "blocked" | "rate-limit" | "unknown-error"): AttemptOutcome {
  return { type: "paused", reason, detail: "ENOSPC" };
}

const on = (home: string) => ({ machine: { home } as Machine, name: "w1" });

/** No file system of Linux has less room than this one. */
const FULL = on("/proc");

describe.runIf(process.platform === "linux")("on a full disk", () => {
  test.each(["blocked", "unknown-error"] as const)("what paused as %s is made elsewhere", (reason) => {
    expect(elsewhereIfFull(paused(reason), FULL)).toEqual({
      type: "set-back",
      setback: {
        kind: "lost",
        detail: "The disk of its worker w1 is full (ENOSPC).",
        carry: null,
        failing: [],
      },
    });
  });

  test("what waits for a usage limit or was stopped stays so", () => {
    for (const outcome of [paused("rate-limit"), { type: "stopped" } as const])
      expect(elsewhereIfFull(outcome, FULL)).toBe(outcome);
  });
});

test("where there is room, what paused stays so", () => {
  const outcome = paused("blocked");
  expect(elsewhereIfFull(outcome, on(tmpdir()))).toBe(outcome);
});
