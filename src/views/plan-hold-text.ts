import type { PlanHold } from "../core/stop/verdict.ts";
import { WAY_OUT } from "./way-out.ts";

/** What a session does next for the tasks of its plan. */
export function planLines({ ready, atWork, rejected, isReviewDue }: PlanHold): readonly string[] {
  return [
    ...rejected.map(({ task, why }) => `✗ ${task} isn't done:\n${withoutHead(why)}`),
    ...(atWork.length === 0
      ? []
      : [
          `At work: ${atWork.join(", ")}. Finish each, then \`loop task done ID\`; \`loop task claim ID\` shows it again.`,
        ]),
    ...(ready.length === 0
      ? []
      : [
          `Ready: ${ready.join(", ")}. Run \`loop task claim ${ready.join(" ")}\`, then give each to a subagent of its own, all at once.`,
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
