import type { Loop } from "../core/loop/loop.ts";
import { topFrame } from "../core/loop/loop.ts";
import { stageOf } from "../core/stages/stages.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { reviewsView } from "./reviews-text.ts";
import { fitOf } from "./fit.ts";

/** `workflow-state.json`: a loop with tasks, in the format that earlier workflow hooks read. */
export function workflowView(loop: Loop): object {
  return {
    version: 1,
    stage: stageOf(loop),
    task: topFrame(loop).spec,
    spec_score: loop.score.total,
    fit_score: fitOf(loop),
    shape_chosen: loop.shape,
    started_at: new Date(loop.openedAt).toISOString(),
    last_updated: new Date(loop.updatedAt).toISOString(),
    recall_surfaced: loop.recall?.learnings.map(({ text }) => oneLine(text, 120)) ?? [],
    reviews: reviewsView(loop.stages),
  };
}
