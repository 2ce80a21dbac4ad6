import { expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { expectCode } from "./support/plan-stage.ts";
import { WorkflowStage } from "./support/workflow-stage.ts";
import { isFullEffort } from "./support/effort.ts";

const SPEC = `Write done.txt until npm test passes

Scope: Only done.txt; Only files in docs/.
Boundaries: The greeting must not change; Must not change anything outside done.txt.`;

test.runIf(isFullEffort)(
  "a boundary that we proposed is watched, and other words are named as not watched",
  () => {
    const stage = new WorkflowStage();
    const write = (path: string) => ({ write: path, text: `${path}\n` });
    const ran = stage.spawnLoop(
      ...stage.staging(
        SPEC,
        {
          "T-001": [{ do: [write("done.txt"), write("other.txt")], say: DONE }],
          "R-1": [{ do: [{ run: "rm other.txt" }], say: DONE }],
        },
        "--no-model",
      ),
    );
    expectCode(ran, 6);
    expect(ran.out).toMatch(/Gate: shut .* not shown: .*scope kept.* \| refuted: boundary kept/);
    expect(stage.read("done.txt")).toBe("done.txt\n");
    expect(stage.git("ls-files", "other.txt")).toBe("");
    const review = stage.loop("review").out;
    expect(review).toContain("boundary kept  Must not change anything outside done.txt");
    expect(review).toContain("limits in words kept  looked at by nobody: M-2 The greeting must not change");
    expect(stage.read(".loop/shape/SHAPE.md")).toContain(
      "- watched at the gate: Must not change anything outside done.txt",
    );
  },
);
