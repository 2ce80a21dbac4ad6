import type { Loop } from "../core/loop/loop.ts";
import { topFrame } from "../core/loop/loop.ts";
import type { Verdict } from "../core/stop/verdict.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { renderChecksRunning, renderHold, renderHoldLine } from "./prompts/hold.ts";
import { completedLine, completeText } from "./completion.ts";
import type { CompletedLoop } from "./completion.ts";
import { iterationLine, pausedText, progressLine } from "./loop-lines.ts";
import { unmetNames } from "./criterion.ts";
import { nextAction } from "./next-action.ts";
import type { Host } from "../agents/hosts/host.ts";
import { NO_REPLY } from "../agents/hosts/reply.ts";
import type { Reply } from "../agents/hosts/reply.ts";
import { typedAs } from "../agents/hosts/typed-command.ts";

export function replyTo(verdict: Verdict, loop: Loop | null, host: Host): Reply {
  if (verdict.type === "let-go") {
    if (loop?.phase === "completed" && verdict.because === "completed")
      return { type: "completion", text: completion(loop) };
    const text = messageFor(verdict, loop, host);
    return text === null ? NO_REPLY : { type: "message", text };
  }
  return verdict.because === "unfinished"
    ? { type: "hold", reason: renderHold(verdict.reason), line: renderHoldLine(verdict.reason) }
    : {
        type: "hold",
        reason: renderChecksRunning(verdict.names),
        line: `next: wait for ${verdict.names.join(", ")}`,
      };
}

/** One line; of a plan, also its tasks and the verdict, which nothing else shows in a session. */
function completion(loop: CompletedLoop): string {
  const line = completedLine(loop);
  return loop.workflow === null ? line : `${line}\n${completeText(loop)}`;
}

function messageFor(verdict: Verdict & { type: "let-go" }, loop: Loop | null, host: Host): string | null {
  switch (verdict.because) {
    case "disabled":
    case "no-loop":
    case "other-session":
    case "untrusted":
    case "ended":
    case "paused-before":
    case "not-an-end":
    case "completed":
    case "frame-popped":
      return null;
    case "deleted":
      return "[LOOP] The loop's folder was deleted, which cancels the loop.";
    case "aborted":
      return `[LOOP] Aborted, not held: ${oneLine(verdict.why, 300)}`;
    case "newer":
      return `[LOOP] Not held: ${oneLine(verdict.why, 300)}`;
    case "paused":
      return loop?.phase === "paused"
        ? pausedText(loop).replace("Resume: loop ", `Resume: ${typedAs(host, "")}`)
        : null;
    case "handed-back":
      return loop === null ? null : handedBackText(loop);
  }
}

const MOST_NAMED = 3;

/** What a colleague says when it hands back: what was done, and what is next. */
function handedBackText(loop: Loop): string {
  const { criteria, steps } = topFrame(loop);
  const unmet = unmetNames(loop);
  const met = criteria.map(({ name }) => name).filter((name) => !unmet.includes(name));
  const done = [...steps.filter((step) => step.done).map(({ name }) => name), ...met]
    .slice(-MOST_NAMED)
    .map((name) => oneLine(name, 80));
  return [
    iterationLine(loop),
    ...(done.length === 0 ? [] : [`Done: ${done.join(", ")}`]),
    `${progressLine(loop)}; ${criteria.length - unmet.length} of ${criteria.length} criteria met`,
    `Next: ${nextAction(loop, unmet)}. Your next prompt continues the loop.`,
  ].join("\n");
}
