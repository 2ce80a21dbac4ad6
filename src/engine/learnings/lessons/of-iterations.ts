import type { LoopEvent } from "../../../core/event.ts";
import type { Loop } from "../../../core/loop.ts";
import { errorSignature, withoutDigest } from "../../../core/stop/error-signature.ts";
import { oneLine, wholeWords } from "../../../system/text/plain-text.ts";
import type { Fact } from "./lessons-of.ts";
import { isPlumbing } from "../task-lessons.ts";

const FAILED = 0.5;
const FIXED = { verified: 0.7, weak: 0.5, unverified: 0 } as const;
const MOST_FAILURES = 3;
const SAID_LIMIT = 140;
const SHOWN_FILES = 4;

/** An iteration whose check failed: the agent's words, where a run heard them. */
interface FailedTry {
  readonly said: string | null;
  readonly failure: string;
}

/** Approaches after which a check failed, and what worked in the end. `titleOf`: what a check is called. */
export function ofIterations(
  loop: Loop,
  events: readonly LoopEvent[],
  titleOf: (name: string) => string = (name) => name,
): readonly Fact[] {
  const { tries, last } = triesIn(events, titleOf);
  const failures = tries.slice(-MOST_FAILURES).map(({ said, failure }): Fact => {
    const approach = said === null ? "" : `"${wholeWords(said, SAID_LIMIT)}" did not do it: `;
    return { kind: "failure", text: `${approach}afterwards ${failure}`, confidence: FAILED };
  });
  return [...fixOf(loop, tries, last), ...failures];
}

function fixOf(loop: Loop, tries: readonly FailedTry[], last: string | null): readonly Fact[] {
  const failed = tries.at(-1);
  if (loop.phase !== "completed" || loop.confidence === "unverified" || failed === undefined) return [];
  const files = (loop.changed?.source ?? []).slice(0, SHOWN_FILES).map((file) => oneLine(file, 80));
  const work = [
    ...(last === null ? [] : [`"${wholeWords(last, SAID_LIMIT)}"`]),
    ...(files.length === 0 ? [] : [`in ${files.join(", ")}`]),
  ];
  if (work.length === 0) return [];
  const text = `After ${failed.failure}, this worked: ${work.join(" ")}`;
  return [{ kind: "discovery", text, confidence: FIXED[loop.confidence] }];
}

/** One for each iteration: the first check that failed after it. Failures of the opening are the work itself. */
function triesIn(
  events: readonly LoopEvent[],
  titleOf: (name: string) => string,
): {
  readonly tries: readonly FailedTry[];
  readonly last: string | null;
} {
  const tries: FailedTry[] = [];
  let said: string | null = null;
  let hasFailed = false;
  for (const event of events) {
    if (event.type === "turn.ended") {
      ({ said } = event);
      hasFailed = false;
    }
    if (event.type === "iteration.held") hasFailed = false;
    if (event.type !== "check.ran" || event.atStart || event.evidence.passed || hasFailed) continue;
    hasFailed = true;
    if (isPlumbing(event.evidence.outputTail)) continue;
    const signature = withoutDigest(errorSignature(event.name, event.evidence.outputTail));
    tries.push({
      said,
      failure: `"${oneLine(titleOf(event.name), 80)}" failed (${shortOf(signature, event.name)})`,
    });
  }
  return { tries, last: said };
}

/** A signature begins with the name of its check. */
function shortOf(signature: string, name: string): string {
  const message = signature.startsWith(`${name}: `) ? signature.slice(name.length + 2) : signature;
  return wholeWords(message, SAID_LIMIT);
}
