import { describe, expect, test } from "vitest";
import type { Dimension } from "../../spec/rule.ts";
import { scoreSpec } from "../../spec/score.ts";
import { DIMENSIONS } from "../../spec/rule.ts";
import { answeredSpec } from "./answered-spec.ts";

const VAGUE = "Make it better";

function answered(spec: string, ...texts: readonly string[]): string {
  return answeredSpec(
    spec,
    texts.map((text, index) => ({ about: DIMENSIONS[index % 5] ?? "outcome", text })),
  );
}

function pointsOf(about: Dimension, text: string): number {
  return scoreSpec(answeredSpec(VAGUE, [{ about, text }]))[about];
}

describe("a spec with answers", () => {
  test("tells what each of them is about", () => {
    const text = answered(VAGUE, "GET /users answers faster", "src/api.ts", "none", "npm test", "PR merged");

    expect(text).toBe(
      "Make it better.\n\nOutcome: GET /users answers faster.\nScope: src/api.ts.\nBoundaries: none.\nChecking: `npm test` passes.\nEnding: Until PR merged.",
    );
  });

  test("collects what was answered to the same question later", () => {
    const answers = [
      { about: "scope", text: "The login form" },
      { about: "outcome", text: "It is faster" },
      { about: "scope", text: "src/login.ts" },
    ] as const;

    expect(answeredSpec(VAGUE, answers)).toBe(
      "Make it better.\n\nOutcome: It is faster.\nScope: The login form; src/login.ts.",
    );
  });
});

describe("its points", () => {
  test.each(["dunno", "No idea.", "whatever", "?", "none"])("%s earns none, however often", (word) => {
    for (const spec of [VAGUE, "Improve the login form", "Fix it.\n\n# Constraints\n\n- none"]) {
      const { total, questions } = scoreSpec(spec);
      const after = scoreSpec(answered(spec, ...Array<string>(10).fill(word)));

      expect(after).toMatchObject({ total, questions });
    }
  });

  test.each([
    ["scope", "src/api.ts", 2],
    ["scope", "Only src/api.ts and src/cache.ts.", 2],
    ["constraints", "no new dependencies", 2],
    ["success", "npm test", 1],
    ["success", "`npm test`.", 1],
    ["success", "npm test and npm run lint", 2],
    ["success", "./verify.sh", 1],
    ["success", "All tests pass", 1],
    ["done", "PR merged", 2],
    ["done", "When the build is green", 2],
    ["done", "done.txt exists", 2],
    ["done", "coverage is over 90 %", 2],
    ["done", "Done when the PR is merged", 2],
    ["done", "it works", 1],
  ] as const)("%s: %s", (about, text, points) => {
    expect(pointsOf(about, text)).toBe(points);
  });
});
