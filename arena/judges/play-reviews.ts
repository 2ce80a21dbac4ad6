import { decidedByPolicy } from "../../src/core/questions/review/counted-findings.ts";
import type { Finding } from "../../src/core/stages/stages.ts";
import { askReview } from "../../src/engine/plan/stages/ask-review.ts";
import { thoroughReview, readWork } from "../../src/engine/plan/stages/review-work.ts";
import { opening } from "../../test/support/loop-builders.ts";
import { evolveAll } from "../../src/core/events/evolve.ts";
import { stagesBegun } from "../../test/support/stage-builders.ts";
import { adopted, planned } from "../../test/support/workflow-builders.ts";
import type { Loop } from "../../src/core/loop/loop.ts";
import type { Reviewer } from "./reviewers.ts";
import type { Talk } from "./scripted-asker.ts";
import { scriptedAsker } from "./scripted-asker.ts";
import type { WorkPlace } from "./work-place.ts";
import type { Defect, Work } from "./work.ts";

/** What one review of one work came to. */
export interface Reviewed extends Talk {
  readonly reviewer: Reviewer;
  readonly work: Work;
  /** The defect blocks the end, and becomes a task. */
  readonly caught: boolean;
  /** The defect is shown to the user, and blocks nothing. */
  readonly shown: boolean;
  /** Tasks about anything else. */
  readonly falseAlarms: number;
  readonly dropped: number;
  /** Why there is no review; null: there is one. */
  readonly failure: string | null;
  readonly ms: number;
}

/** The thorough review as a workflow has it, with a reviewer who follows a script. */
export async function playReview(place: WorkPlace, reviewer: Reviewer): Promise<Reviewed> {
  const { work, root, home, from, to } = place;
  const talk: Talk = { asked: 0, answered: 0, turns: 0 };
  const began = performance.now();
  const diff = await readWork({ machine: { home }, live: { project: { root } } }, from, to);
  const context = {
    agents: [reviewer.name],
    asker: scriptedAsker(reviewer.name, (turn) => reviewer.says(work, turn), talk),
    live: { loop: loopOf(work) },
    machine: { env: {} },
  };
  const review = await askReview(context, diff, thoroughReview(1, to), new AbortController().signal);
  const ms = performance.now() - began;
  if (review === null) throw new Error("a review was stopped");
  const { findings, dropped, failure } = review;
  const decided = decidedByPolicy(findings, [], "tasks") ?? [];
  const blocking = findings.filter(({ id }) =>
    decided.some(({ finding, how }) => finding === id && how === "task"),
  );
  const about = blocking.filter((finding) => isAbout(finding, work.defect));
  return {
    ...talk,
    reviewer,
    work,
    caught: about.length > 0,
    shown: about.length === 0 && findings.some((finding) => isAbout(finding, work.defect)),
    falseAlarms: blocking.length - about.length,
    dropped,
    failure,
    ms,
  };
}

function isAbout({ file, quote }: Finding, defect: Defect | null): boolean {
  return defect !== null && file === defect.file && quote === defect.quote;
}

function loopOf({ spec, criteria }: Work): Loop {
  const shape = {
    kind: "build" as const,
    aspects: [],
    criteria: criteria.map((name) => ({ name, check: null, proposed: null })),
    decisions: [],
  };
  return evolveAll(
    null,
    [
      opening({ goal: { spec, exitRule: "tasks" } }),
      stagesBegun,
      { type: "shape.drawn", shape, mustNots: [] },
      adopted([planned("T-001")]),
    ],
    0,
  );
}
