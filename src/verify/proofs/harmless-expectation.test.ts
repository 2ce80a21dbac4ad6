import { expect, it } from "vitest";
import { harmlessExpectation } from "./harmless-expectation.ts";
import type { ProofScene } from "./proof-site.ts";
import type { InjectedRun } from "./seen-failures.ts";

const NAMED = { name: "tests", check: {} } as unknown as Parameters<typeof harmlessExpectation>[1];
/** Without a clean room, so that whoever runs something fails. */
const SCENE = {
  comparison: {
    checks: new Map([
      ["tests", { changes: [{ kind: "test", change: "added", path: "a_test.go", part: null }] }],
    ]),
  },
} as unknown as ProofScene;

function run(altered: readonly number[], seen: readonly string[]): InjectedRun {
  const file = {
    file: 0,
    path: "a_test.go",
    isSure: true,
    endsItself: false,
    comesLast: false,
    isToldPassed: () => false,
    altered: new Set(altered),
    isConditional: false,
  };
  const counts = { passed: 0, skipped: 0, todo: 0, deselected: 0, errors: 0 };
  const report = {
    ...counts,
    runner: "go",
    unit: "tests",
    names: null,
    reports: 1,
    withoutTests: [],
    isCutShort: false,
    isContradictory: false,
    isPartial: false,
  } as const;
  return {
    files: [file],
    marks: new Map(seen.map((mark) => [mark, 1])),
    isGreen: false,
    own: { ...report, executed: 1, failed: 0 },
    report: { ...report, executed: 2, failed: 2 },
    output: "",
    tookMs: 100,
  };
}

it("a test file without a recognised expectation, or whose expectations all failed, isn't asked again", async () => {
  expect(await harmlessExpectation(SCENE, NAMED, run([], []))).toBeNull();
  const unread = { ...run([], []), own: null, report: null };
  expect(await harmlessExpectation(SCENE, NAMED, unread)).toBeNull();
  expect(await harmlessExpectation(SCENE, NAMED, run([1], ["reached-0-1"]))).toBeNull();
  await expect(harmlessExpectation(SCENE, NAMED, run([1, 2], ["reached-0-1"]))).rejects.toThrow(TypeError);
});
