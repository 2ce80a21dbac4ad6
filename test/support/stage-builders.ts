import type { EventOf } from "../../src/core/events/event.ts";
import type { SessionId } from "../../src/core/loop/id.ts";
import type { Finding, Review, Stages } from "../../src/core/stages/stages.ts";
import type { OwnEvent } from "../../src/core/stages/evolve-stages.ts";
import { evolveStages } from "../../src/core/stages/evolve-stages.ts";
import { scoreSpec } from "../../src/core/spec/score.ts";
import { shellCheck } from "./loop-builders.ts";
import { commit } from "./workflow-builders.ts";

export const stagesBegun: EventOf<"stages.begun"> = {
  type: "stages.begun",
  policy: { asks: true, rounds: 3 },
};

export function finding(id: string, part: Partial<Finding> = {}): Finding {
  return {
    id,
    severity: "BLOCKER",
    perspective: "correctness",
    file: "src/cart.js",
    line: 3,
    quote: "return 3;",
    problem: "The total is always 3.",
    breaks: "tests pass",
    command: null,
    failsNow: false,
    fix: null,
    refused: null,
    ...part,
  };
}

function review(part: Partial<Review> = {}): Review {
  return {
    perspectives: ["correctness", "tests"],
    score: 7,
    findings: [],
    dropped: 0,
    unseen: [],
    agent: "codex",
    failure: null,
    ...part,
  };
}

export function waveReviewed(wave: number, part: Partial<Review> = {}): EventOf<"wave.reviewed"> {
  return { type: "wave.reviewed", wave, ...review(part) };
}

export function workReviewed(round: number, part: Partial<Review> = {}): EventOf<"work.reviewed"> {
  return { type: "work.reviewed", round, commit: commit("b"), ...review(part) };
}

export function resolved(
  round: number,
  id: string,
  part: Partial<EventOf<"finding.resolved">> = {},
): EventOf<"finding.resolved"> {
  return { type: "finding.resolved", round, finding: id, how: "skipped", task: null, by: "person", ...part };
}

export const recalled: EventOf<"learnings.recalled"> = {
  type: "learnings.recalled",
  learnings: [
    {
      id: "l-1",
      kind: "constraint",
      text: "The tests need a built dist.",
      confidence: 0.7,
      confirmed: true,
    },
  ],
  familiarity: 4,
};

export const intentSettled: EventOf<"intent.settled"> = {
  type: "intent.settled",
  spec: "Fix total() in src/cart.js until npm test passes",
  score: scoreSpec("Fix total() in src/cart.js until npm test passes"),
  shape: "tool",
  intent: {
    answers: [{ question: "Which file?", answer: "src/cart.js" }],
    modelScores: [{ dimension: "scope", points: 2, quote: "src/cart.js" }],
    echo: { deliverable: "a total", firstFact: "it is 3", hardestConstraint: "none" },
  },
  by: "person",
};

export const shapeDrawn: EventOf<"shape.drawn"> = {
  type: "shape.drawn",
  shape: {
    kind: "debug",
    aspects: ["data"],
    criteria: [{ name: "tests pass", check: shellCheck("npm test"), proposed: null }],
    decisions: ["Keep the API."],
  },
  mustNots: [{ kind: "path", glob: "docs/**" }],
};

export function asked(question: string, run = "run-1" as SessionId): EventOf<"question.asked"> {
  return { type: "question.asked", question, run, purpose: "review", agent: "codex", model: null };
}

export function closed(question: string, failure: string | null = null): EventOf<"question.closed"> {
  return { type: "question.closed", question, failure };
}

export function counselGiven(task: string, after: number): EventOf<"counsel.given"> {
  return {
    type: "counsel.given",
    task,
    after,
    perspectives: ["the tester"],
    approach: `Not as in attempt ${after}.`,
    digest: commit(String(after)),
    agent: "codex",
  };
}

export function gateJudged(round: number, passed = true): EventOf<"gate.judged"> {
  return {
    type: "gate.judged",
    round,
    commit: commit("b"),
    tasks: 1,
    passed,
    items: [{ name: "thorough review passed", state: passed ? "met" : "open", detail: null }],
    survivors: [{ file: "src/cart.js", line: 3, change: "+ becomes -" }],
  };
}

export function stagesWith(...events: readonly OwnEvent[]): Stages {
  let stages = evolveStages(null, stagesBegun);
  for (const event of events) stages = evolveStages(stages, event);
  return stages;
}
