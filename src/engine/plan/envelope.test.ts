import { describe, expect, it } from "vitest";
import { opening, START } from "../../../test/support/loop-builders.ts";
import {
  adopted,
  commit,
  done,
  failed,
  finished,
  mergeBegun,
  merged,
  planned,
  setback,
  started,
  workflowWith,
} from "../../../test/support/workflow-builders.ts";
import { evolve } from "../../core/events/evolve.ts";
import type { WorkflowEvent } from "../../core/plan/workflow-event.ts";
import { lastAttempt } from "../../core/plan/workflow.ts";
import { envelopeOf } from "./envelope.ts";

const TASKS = [planned("T-1"), planned("T-2"), planned("T-3"), planned("T-4", [], { check: null })];

function redTogether(task: string, ...failing: readonly string[]): readonly WorkflowEvent[] {
  return [
    started(task),
    finished(task),
    mergeBegun(2, task),
    {
      ...merged(2),
      setBack: [{ task, setback: setback({ kind: "red-together", carry: commit("c"), failing }) }],
    },
  ];
}

function criteriaOf(task: string, ...events: readonly WorkflowEvent[]): readonly string[] {
  const workflow = workflowWith(adopted(TASKS), ...done("T-1", 1), ...events);
  const attempt = lastAttempt(workflow, task);
  if (attempt === null) throw new Error(`nobody has begun ${task}`);
  const loop = evolve(null, opening(), START);
  return envelopeOf(loop, workflow, attempt).criteria.map(({ name }) => name);
}

describe("an attempt has to pass", () => {
  it("the check of its task", () => {
    expect(criteriaOf("T-2", started("T-2"))).toEqual(["T-2"]);
    expect(criteriaOf("T-4", started("T-4"))).toEqual([]);
  });

  it("the checks that failed when its work was merged", () => {
    const red = redTogether("T-2", "T-2", "T-1");
    expect(criteriaOf("T-2", ...red, started("T-2", 2))).toEqual(["T-2", "T-1"]);
    expect(criteriaOf("T-4", ...redTogether("T-4", "T-1"), started("T-4", 2))).toEqual(["T-1"]);
  });

  it("those of each earlier merge, also after an attempt that failed by itself", () => {
    const red = [...redTogether("T-2", "T-1"), started("T-2", 2), failed("T-2", 2)];
    expect(criteriaOf("T-2", ...red, started("T-2", 3))).toEqual(["T-2", "T-1"]);
  });
});
