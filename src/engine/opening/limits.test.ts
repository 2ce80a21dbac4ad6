import { describe, expect, test } from "vitest";
import type { ProjectConfig } from "../../storage/home/project-config.ts";
import { setLimits, type AskedLimits } from "./limits.ts";

function limitsOf(asked: AskedLimits, env: NodeJS.ProcessEnv, limits: ProjectConfig["limits"] = {}) {
  const { limits: set, iterationLimit, notices } = setLimits(asked, env, { limits });
  return { budgetUsd: set.budgetUsd, iterationLimit, notices };
}

const TOO_MUCH = { LOOP_BUDGET: "500", LOOP_MAX_ITERATIONS: "90" };

describe("limits", () => {
  test("without a flag are cut down to their bounds, which is told", () => {
    const cut = {
      budgetUsd: 100,
      iterationLimit: 50,
      notices: [
        "The budget 500 is more than 100, which only a flag may exceed; using 100.",
        "The iteration limit 90 is more than 50, which only a flag may exceed; using 50.",
      ],
    };

    expect(limitsOf({}, TOO_MUCH)).toEqual(cut);
    expect(limitsOf({}, {}, { budget: 500, iterations: 90 })).toEqual(cut);
  });

  test.each([
    ["the environment", TOO_MUCH, {}],
    ["the config", {}, { budget: 500, iterations: 90 }],
    ["an environment that cannot be read", { LOOP_BUDGET: "much", LOOP_MAX_ITERATIONS: "1.5" }, {}],
  ])("by flag leave nothing to tell about %s", (_, env, config) => {
    expect(limitsOf({ budgetUsd: 10, iterations: 5 }, env, config)).toEqual({
      budgetUsd: 10,
      iterationLimit: 5,
      notices: [],
    });
    expect(limitsOf({ budgetUsd: null, iterations: null }, env, config)).toEqual({
      budgetUsd: null,
      iterationLimit: null,
      notices: [],
    });
  });

  test("one flag says nothing about the other limit", () => {
    expect(limitsOf({ budgetUsd: 10 }, TOO_MUCH)).toEqual({
      budgetUsd: 10,
      iterationLimit: 50,
      notices: ["The iteration limit 90 is more than 50, which only a flag may exceed; using 50."],
    });
  });
});
