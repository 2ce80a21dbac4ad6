import { expect, test } from "vitest";
import { unreadableView } from "../status.ts";
import { storyMarkdown } from "./markdown.ts";

const EVIL = "<script>x</script> | [a](http://evil) `b`\n# c";

function story(part: object): string {
  return storyMarkdown({
    ...unreadableView("fix-it-1234", null, ""),
    needs: null,
    ...part,
  });
}

test("a plan's story has the claims that did not hold, what became of findings, and the gate", () => {
  const task = (id: string, part: object = {}): object => ({
    ...{ id, subject: `Do ${id}`, state: "done", confidence: "verified", attempts: 1, worker: null },
    ...part,
  });
  const finding = {
    ...{ severity: "BLOCKER", file: "src/log.js", line: 2, quote: "x", problem: EVIL },
    ...{ resolution: "task", task: "R-1", round: 1 },
  };
  const text = story({
    workflow: {
      tasks: [task("T-001"), task("R-1", { confidence: "weak" })],
      attempts: [{ task: "T-001", claims: [{ held: false }, { held: false }, { held: true }] }],
      judgement: {
        findings: [finding, { ...finding, severity: "WARNING", resolution: "skipped", task: null }],
        gate: { passed: true, items: [{ state: "met" }, { state: "weak" }] },
      },
    },
  });
  expect(text).toContain("1 of 1 tasks, 1 of 1 repair merged");
  expect(text).toContain("2 claims did not hold: T\\-001 2 times.");
  expect(text).toMatch(/- BLOCKER src\/log\.js:2: .*\(put right by R\\-1, weak\)/);
  expect(text).toMatch(/- WARNING .*\(left as it is: /);
  expect(text).toContain(
    "**Gate** passed: nothing contradicts it; 1 of 2 items is shown by a check, 1 unproven.",
  );
  expect(text).not.toContain("<script>");
  expect(text).not.toMatch(/^# c/m);
});

test("of a long output, what failed comes first, and frames are left out", () => {
  const output = [
    "not ok 1 - adds",
    "  error: 'expected 3, got 2 in /home/sam/shop/a.js'",
    ...Array.from({ length: 40 }, (_, at) => `    at Test.run (node:internal/test_runner/test:${at}:1)`),
    "# fail 1",
  ].join("\n");
  const text = story({
    root: "/home/sam/shop",
    iterations: [
      {
        ...{ iteration: 1, depth: 1, claimed: true, said: "Done.", verdict: "held", proofs: [] },
        checks: [{ name: "tests pass", passed: false, output, tests: null }],
        contradiction: { by: "check", name: "tests pass", sentence: "failed with exit code 1" },
      },
    ],
  });
  expect(text).toContain("“tests pass” failed with exit code 1");
  expect(text).toMatch(/```\nadds: expected 3, got 2 in a\.js/);
  expect(text).not.toContain("node:internal");
});
