import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { effort } from "../../../test/support/effort.ts";
import { untilMet } from "../../../test/support/until-met.ts";
import { randomScenario } from "../../../test/support/random-scenarios.ts";
import { SimulatedWorkflow } from "../../../test/support/simulated-workflow.ts";
import { checkEnding, watchOver } from "../../../test/support/workflow-invariants.ts";
import { parseEvent } from "../../storage/journal/event-schema.ts";
import { EVENT_VERSION, type LoopEvent } from "../events/event.ts";
import { evolve } from "../events/evolve.ts";
import { topFrame, type Loop, type Task } from "../loop/loop.ts";
import { tasksAfter } from "./shown-task.ts";
import { isWorkflowEvent } from "./workflow-event.ts";

describe("a plan, whatever happens to it", () => {
  test("is done, or says what isn't; never too much at once, and nothing of a failed attempt lands", () => {
    const seen = new Set<string>();
    const property = fc.property(randomScenario, (scenario) => {
      const world = new SimulatedWorkflow(scenario, watchOver(scenario));
      let loop = world.run();
      checkEnding(world);
      // A person pays for the rest. After a dear attempt one time may not be enough for another.
      for (let more = 0; loop.phase === "paused" && loop.reason === "budget"; more += 1) {
        expect(more).toBeLessThan(10 * scenario.tasks.length * scenario.attemptLimit);
        world.continue({ addedUsd: 4 });
        loop = world.run();
        checkEnding(world);
        seen.add("budget");
      }
      expect(foldedFromText(world)).toEqual(loop);

      seen.add(loop.phase);
      if (loop.phase === "paused") seen.add(loop.reason);
      if (world.lives > 1) seen.add("killed");
      for (const { event } of world.journal) {
        seen.add(event.type);
        if (event.type === "merge.ended") for (const { setback } of event.setBack) seen.add(setback.kind);
        if (event.type === "merge.begun" && event.tasks.length > 1) seen.add("several together");
      }
    });
    const numRuns = effort(75, 2_000, 600);
    const kinds = [
      "completed",
      "paused",
      "budget",
      "killed",
      "conflict",
      "red-together",
      "several together",
      "attempt.set-back",
      "agent.limited",
      "task.given-up",
      "counsel.given",
      "wave.reviewed",
      "work.reviewed",
      "finding.resolved",
      "gate.judged",
      "plan.extended",
      "iterations",
      "blocked",
    ];
    untilMet(seen, kinds, () => fc.assert(property, { numRuns }));
  });

  test("goes on after a pause for want of attempts with those that were given up", () => {
    fc.assert(
      fc.property(randomScenario, (scenario) => {
        const world = new SimulatedWorkflow(scenario, () => undefined);
        let loop = world.run();
        for (let more = 0; loop.phase === "paused"; more += 1) {
          expect(more).toBeLessThan(200);
          world.continue({ addedUsd: 4, addedIterations: 2 });
          loop = world.run();
        }
        const done = world.workflow.plan.tasks.filter(({ id }) => !world.isIdle(id));
        expect(world.branch.landed).toHaveLength(done.length);
      }),
      { numRuns: effort(30, 200) },
    );
  });
});

/** As a process that reads the journal sees it; each event that is folded is a prefix that loads. */
function foldedFromText({ journal }: SimulatedWorkflow): Loop | null {
  let loop: Loop | null = null;
  for (const { at, event } of journal) {
    const stored: unknown = JSON.parse(JSON.stringify({ ...event, v: EVENT_VERSION[event.type] }));
    const parsed = parseEvent(stored);
    if (parsed.type !== "event") throw new Error(`${event.type} is ${parsed.type}`);
    loop = evolve(loop, parsed.event, at);
    expect(topFrame(loop).tasks).toEqual(workedOutAnew(loop, parsed.event));
  }
  return loop;
}

/** The tasks without what was known of them before the event. */
function workedOutAnew(loop: Loop, event: LoopEvent): readonly Task[] {
  return loop.workflow === null || !isWorkflowEvent(event)
    ? topFrame(loop).tasks
    : tasksAfter(event, [], loop.workflow);
}
