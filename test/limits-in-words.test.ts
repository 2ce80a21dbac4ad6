import { expect, test } from "vitest";
import { DONE, Stage } from "./support/driven.ts";
import { expectCode, PlanStage } from "./support/plan-stage.ts";
import { found, review } from "./support/played-judges.ts";

const PLAN = `Write notes.js. The public API must not change.

### T-001: Write the notes
verify: test -f notes.js
files: notes.js
`;
const LINE = "export const notes = [];";
const WRITES = { do: [{ write: "notes.js", text: `${LINE}\n` }], say: DONE, usd: 0.01 };

test("a constraint in words has a short name for reviewers, and a blocker that names it stops the work", () => {
  const stage = new PlanStage(PLAN);
  const blocker = found("notes.js", LINE, { breaks: "M-1", problem: "It adds to the API." });
  const ran = stage.work({
    "T-001": [WRITES],
    "R-1": [{ do: [{ write: "notes.js", text: "const notes = [];\n" }], say: DONE, usd: 0.01 }],
    "light-review": review(8),
    "review-1": review(4, blocker),
    "review-2": review(9),
  });
  expect(stage.own("runs/review-1-correctness-1/prompt.md")).toContain(
    "M-1: The public API must not change\n",
  );
  expect(stage.eventsOf("work.reviewed")[0]?.findings).toMatchObject([
    { severity: "BLOCKER", breaks: "The public API must not change" },
  ]);
  expect(stage.eventsOf("finding.resolved")).toMatchObject([{ finding: "F-1", how: "task", task: "R-1" }]);
  expect(ran.out).not.toContain("blocker accepted");
  expect(stage.loop("review").out).toContain(
    "limits in words kept  looked at by a reviewer, who found nothing against: M-1 The public API must not change",
  );
});

test("a reviewer's low score keeps the work from being shown", () => {
  const stage = new PlanStage(PLAN);
  const ran = stage.work({ "T-001": [WRITES], "light-review": review(8), "review-1": review(3) });
  expectCode(ran, 6);
  expect(ran.out).toContain("MONITOR");
  expect(ran.out).toContain("review 1 gave 3/10, and below 7 somebody has to look");
});

test("SHAPE.md has whole clauses, boundaries over all their files, and no means", () => {
  const limits = (spec: string): string => {
    const stage = new Stage({ "src/auth.js": "1;\n", "src/api.js": "1;\n" });
    stage.loop("start", spec);
    return /## Must not\n([\s\S]*?)\n\n/.exec(stage.read(".loop/shape/SHAPE.md"))?.[1] ?? "";
  };
  expect(limits("Refactor all API routes to use validation middleware")).toBe("- none");
  expect(limits("Fix the login. Only change src/auth.js and src/api.js.")).toBe(
    "- watched, as the spec says it: Only change src/auth.js and src/api.js",
  );
  expect(limits("Fix the login. The public API must not change, and no new dependencies.")).toBe(
    "- watched, as the spec says it: no new dependencies\n- in words, which no check watches: The public API must not change",
  );
});

test("a plan whose tasks change what the spec leaves alone is refused, with the line and the sentence", () => {
  const stage = new Stage({
    "PLAN.md":
      "Fix it. Only src/a.js may change; leave docs/ alone.\n\n### T-001: Fix it\nfiles: src/a.js, src/b.js, docs/c.js\nverify: true\n",
    "docs/c.js": "1;\n",
  });
  const linted = stage.loop("plan", "PLAN.md");
  expect(linted.code).toBe(1);
  const said = linted.out + linted.err;
  expect(said).toContain('T-001 changes src/b.js, docs/c.js, but the spec says "Only src/a.js may change".');
  expect(said).toContain("T-001 changes docs/c.js, which the spec says must not change.");
});
