import type { Loop } from "../core/loop/loop.ts";
import { topFrame } from "../core/loop/loop.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { confidenceText } from "./completion-text.ts";
import { planCompleteText } from "./plan-complete.ts";
import { nameList } from "./shortened.ts";

type EndedLoop = Loop & { readonly phase: "completed" | "paused" };

/** For the next session of the project: what became of a loop whose own session was gone by then. `resume`: what the user types. */
export function endedMeanwhileLine(loop: EndedLoop, resume: string): string {
  if (loop.phase === "paused") {
    const detail = loop.detail === null ? "" : ` (${oneLine(loop.detail, 200)})`;
    return `[LOOP] ⏸ ${loop.id} was paused meanwhile: ${loop.reason}${detail}. To resume it here: ${resume}`;
  }
  const names = topFrame(loop).criteria.map(({ name }) => name);
  const shown = names.length === 0 ? "" : `: ${nameList(names)}`;
  return `[LOOP] ✓ ${loop.id} was completed meanwhile${shown} (${confidenceText(loop)})`;
}

/** The same with the tasks and the verdict of a plan. */
export function endedMeanwhileText(loop: EndedLoop, resume: string): string {
  const line = endedMeanwhileLine(loop, resume);
  if (loop.phase === "paused" || loop.workflow === null) return line;
  return `${line}\n${planCompleteText(loop, loop.workflow)}`;
}
