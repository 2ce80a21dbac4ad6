import { topFrame, type Loop } from "../core/loop/loop.ts";
import type { Verdict } from "../core/stop/verdict.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { renderChecksRunning, renderHold, renderHoldLine } from "./prompts/hold.ts";
import { pausedText } from "./loop-lines.ts";
import { completionText, handedBackText } from "./session-texts.ts";
import type { Host } from "../agents/hosts/host.ts";
import { NO_REPLY, type Reply } from "../agents/hosts/reply.ts";
import { typedAs } from "../agents/hosts/typed-command.ts";

/** `isFirstHold`: a person is there, and hasn't seen this turn being held before. */
export function replyTo(
  verdict: Verdict,
  loop: Loop | null,
  host: Host,
  { isFirstHold }: { readonly isFirstHold: boolean },
): Reply {
  if (verdict.type === "let-go") {
    if (loop?.phase === "completed" && verdict.because === "completed")
      return {
        type: "completion",
        text: completionText(loop),
        byMarker: topFrame(loop).exitRule === "marker",
      };
    const text = messageFor(verdict, loop, host);
    return text === null ? NO_REPLY : { type: "message", text };
  }
  const brake = isFirstHold ? brakeLine(host) : "";
  return verdict.because === "unfinished"
    ? {
        type: "hold",
        reason: `${renderHold(verdict.reason)}${verdict.reason.bare ? "" : brake}`,
        line: renderHoldLine(verdict.reason),
      }
    : {
        type: "hold",
        reason: `${renderChecksRunning(verdict.names)}${brake}`,
        line: `next: wait for ${verdict.names.join(", ")}`,
      };
}

/** A command that is typed waits until the turn ends, and a hold keeps it from ending. */
function brakeLine(host: Host): string {
  return host.commandPrefix === null
    ? ""
    : `\nFor the user, to stop this: Esc, then ${typedAs(host, "pause")}`;
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
      return `[LOOP] Aborted, not held: ${oneLine(verdict.why, 300)}. Something other than loop changed its files; nothing was touched. See what to do: loop doctor`;
    case "unusable":
      return `[LOOP] Not held: ${oneLine(verdict.why, 300)}`;
    case "paused":
      return loop?.phase === "paused" ? pausedInSession(loop, host) : null;
    case "handed-back":
      return loop === null ? null : handedBackText(loop);
  }
}

/** What the user has no command for in the session, they type in a terminal. */
export function pausedInSession(loop: Loop & { readonly phase: "paused" }, host: Host): string {
  return pausedText(loop)
    .replace("Resume: loop ", `Resume: ${typedAs(host, "")}`)
    .replace("done: loop continue --deliver done", `done: ${typedAs(host, "continue")} --deliver=done`)
    .replaceAll(/^(First|Try it again): (?=loop task )/gm, `$1, in a terminal: `)
    .replace('Answer: loop continue --say "YOUR ANSWER"', `Answer: ${answerTyped(host)}`);
}

/** Where the user types commands, the words follow as they are. */
function answerTyped(host: Host): string {
  return host.commandPrefix === null
    ? 'loop continue --say "YOUR ANSWER"'
    : `${typedAs(host, "continue")} YOUR ANSWER`;
}
