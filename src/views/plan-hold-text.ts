import type { PlanHold } from "../core/stop/verdict.ts";
import { WAY_OUT } from "./way-out.ts";

/** What a session does next for the tasks of its plan. */
export function planLines(hold: PlanHold): readonly string[] {
  const { lacksPlan, ready, atWork, rejected, stuck, mergedWave, isReviewDue } = hold;
  return [
    ...(lacksPlan
      ? [
          "Show the user what was agreed (.loop/shape/SHAPE.md), and split it into tasks: `loop start --plan -`, in the form that `loop task --help` shows, without the spec.",
        ]
      : []),
    ...rejected.map(({ task, why }) => `✗ ${task} isn't done:\n${withoutHead(why)}`),
    ...(atWork.length === 0
      ? []
      : [
          `At work: ${atWork.join(", ")}. Finish each, then \`loop task done ID\`; \`loop task claim ${atWork.join(" ")}\` shows what to do.`,
        ]),
    ...stuck.map(
      (task) =>
        `${task} failed. First give \`loop task counsel ${task}\` to a fresh loop:reviewer subagent, for another approach.`,
    ),
    ...(ready.length === 0
      ? []
      : [
          `Ready: ${ready.join(", ")}. Run \`loop task claim ${ready.join(" ")}\`, then give each to a subagent of its own, all at once.`,
        ]),
    ...(mergedWave === null
      ? []
      : [
          `Beside them, a loop:reviewer subagent may look at what was merged: \`loop review brief --wave ${mergedWave}\`. Nothing waits for it.`,
        ]),
    ...(isReviewDue
      ? [
          "Every task is merged. Give `loop review brief` to a fresh subagent that has not seen the work; it answers with `loop review record`. Then stop.",
        ]
      : []),
    WAY_OUT,
  ];
}

/** The agent has read that line already. */
function withoutHead(why: string): string {
  return why.replace(/^\[ITERATION [^\n]*\n/, "").replace(`\n${WAY_OUT}`, "");
}
