import { expect, test } from "vitest";
import { boardRow } from "./board.ts";
import { unreadableView, type StatusView } from "./status.ts";
import type { IterationView } from "./story/iterations.ts";

const claim = (kind: string | null): IterationView =>
  ({
    claimed: true,
    verdict: "held",
    checks: [{ passed: kind !== null }],
    proofs: kind === null ? [] : [{ kind, result: "fails" }],
    contradiction: { by: kind ?? "check", name: null, sentence: "" },
  }) as unknown as IterationView;

test("what caught each claim is said beside their number, unless all were caught by checks", () => {
  const caught = (...iterations: readonly IterationView[]): string | null =>
    boardRow({ ...unreadableView("fix-it-1234", null, ""), iterations }, "shop", "shop/fix-it-1234").caughtBy;
  expect(caught(claim(null), claim("judge"), claim("holdout"))).toBe(
    "1 by its checks, 1 by the original tests, 1 by tests it never saw",
  );
  expect(caught(claim("holdout"))).toBe("by tests it never saw");
  expect(caught(claim("judge"), claim("judge"))).toBe("all by the original tests");
  expect(caught(claim(null))).toBeNull();
});

test("a task whose agent waits for a usage limit is not shown as at work", () => {
  const live = (until: string | null) => ({
    doing: until === null ? "working" : "waiting",
    tool: null,
    since: "",
    until,
  });
  const tasks = [live("2026-01-01T22:35:00.000Z"), live(null)].map((each, index) => ({
    id: `T-${index}`,
    subject: "",
    state: "running",
    setback: null,
    confidence: null,
    live: each,
  }));
  const workflow = { tasks, attempts: [], waits: [], counts: { done: 0 }, judgement: null };
  const view = {
    ...unreadableView("plan-it-1234", null, ""),
    phase: "active",
    workflow,
  } as unknown as StatusView;
  expect(boardRow(view, "shop", "shop/plan-it-1234").plan?.cells).toEqual(["waiting", "running"]);
});
