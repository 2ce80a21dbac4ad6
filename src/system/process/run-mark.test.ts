import { describe, expect, it } from "vitest";
import { carriesRunMark, markWithRun, withoutRunMark } from "./run-processes.ts";

function environ(env: NodeJS.ProcessEnv): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join("");
}

describe("the mark of a run", () => {
  it("is found by the id of the run, and of the run around it", () => {
    const env = markWithRun(markWithRun({ PATH: "/bin", EDITOR: "vi" }, "outer"), "inner");
    expect(["outer", "inner", "vi"].map((id) => carriesRunMark(environ(env), id))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ["another run's id begins with it", "LOOP_RUN_ID=run-10\0", "run-1"],
    ["another run's id ends with it", "LOOP_RUN_ID=my-run-1\0", "run-1"],
    ["another variable has it", "LAST_LOOP_RUN_ID=run-1\0NOTE=LOOP_RUN_ID=run-1\0", "run-1"],
    ["the id is empty", "LOOP_RUN_ID=\0", ""],
    ["there is no environment", "", "run-1"],
  ])("is not seen where %s", (_why, text, id) => {
    expect(carriesRunMark(text, id)).toBe(false);
  });

  it("can be taken away", () => {
    const env = { PATH: "/bin" };
    expect(withoutRunMark(markWithRun(env, "run-1"))).toEqual(env);
  });
});
