import { evolveAll } from "../../src/core/events/evolve.ts";
import type { LoopEvent } from "../../src/core/events/event.ts";
import { counselFor } from "../../src/engine/plan/stages/retry-advice.ts";
import { opening } from "../../test/support/loop-builders.ts";
import { stagesBegun } from "../../test/support/stage-builders.ts";
import { adopted, branchBegun, failed, planned, started } from "../../test/support/workflow-builders.ts";
import type { Talk } from "./scripted-asker.ts";
import { scriptedAsker } from "./scripted-asker.ts";

/** Somebody who advises always in the same way. */
interface Counsellor {
  readonly name: string;
  readonly what: string;
  readonly says: (failures: number, turn: number) => string;
}

const advice = (approach: string): string => JSON.stringify({ views: [], approach });

export const COUNSELLORS: readonly Counsellor[] = [
  {
    name: "good",
    what: "another approach after each failure",
    says: (failures) =>
      advice(
        `After failure ${failures}: look at module ${failures} first, where the sum is made, and not at the tests.`,
      ),
  },
  {
    name: "repeating",
    what: "the same approach, in other blanks and case",
    says: (failures) =>
      advice(
        failures % 2 === 1
          ? "Look at the place where the sum is made."
          : "LOOK at the  place where the sum is made!",
      ),
  },
  { name: "empty", what: "an approach without words", says: () => advice("") },
  { name: "silent", what: "nothing", says: () => "" },
];

export interface Counselled extends Talk {
  readonly counsellor: Counsellor;
  readonly failures: number;
  /** Advice of the model that the next attempt got. */
  readonly own: number;
  /** Different approaches that the attempts got, with the plain ones. */
  readonly different: number;
  readonly ms: number;
}

const FAILURES = 3;

/** A task that fails again and again, with counsel after each failure. */
export async function playCounsel(counsellor: Counsellor): Promise<Counselled> {
  const talk: Talk = { asked: 0, answered: 0, turns: 0 };
  const task = planned("T-001");
  const events: LoopEvent[] = [
    opening({ goal: { spec: "Write total() in src/cart.js", exitRule: "tasks" } }),
    stagesBegun,
    adopted([task], { attemptLimit: FAILURES + 1 }),
    branchBegun,
  ];
  const given: { readonly approach: string; readonly agent: string | null }[] = [];
  const began = performance.now();
  for (let after = 1; after <= FAILURES; after += 1) {
    events.push(started(task.id, after), failed(task.id, after, { detail: `expected 12, got ${after}` }));
    const context = {
      asker: scriptedAsker(counsellor.name, (turn) => counsellor.says(after, turn), talk),
      live: { loop: evolveAll(null, events, 0) },
      machine: { env: {} },
    };
    const counsel = await counselFor(context, task, after, new AbortController().signal);
    events.push({ type: "counsel.given", ...counsel });
    given.push(counsel);
  }
  return {
    ...talk,
    counsellor,
    failures: FAILURES,
    own: given.filter(({ agent }) => agent !== null).length,
    different: new Set(given.map(({ approach }) => approach)).size,
    ms: performance.now() - began,
  };
}
