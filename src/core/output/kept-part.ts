import { failingIn, failingText } from "./failing-line.ts";
import type { Failing } from "./failure-block.ts";

const CUT = "…\n";
const LONGEST_FAILURE = 60;
/** Lines that may begin a failure: the last ones that have its words. */
const MOST_TRIED = 50;

/**
 * What is kept of an output that is too long: its end, which usually says what went wrong. A failure that is told before that end
 * comes first.
 */
export function keptPart(output: string, most: number): string {
  if (output.length <= most) return output;
  const end = output.slice(-most);
  const failing = failingIn(output);
  if (failing === null || isTold(end, failing)) return end;
  const failure = failureIn(output, failing)?.slice(0, Math.floor(most / 3));
  return failure === undefined ? end : `${failure}\n${CUT}${end.slice(failure.length + 1 + CUT.length)}`;
}

function isTold(part: string, failing: Failing): boolean {
  const told = failingIn(part);
  return told !== null && failingText(told) === failingText(failing);
}

/** The lines of an output that tell a failure by themselves. */
function failureIn(output: string, failing: Failing): string | undefined {
  const words = (failing.test ?? failing.message).slice(0, 60);
  const lines = output.split("\n");
  const beginning = lines.flatMap((line, index) => (line.includes(words) ? [index] : []));
  return beginning
    .slice(0, MOST_TRIED)
    .map((at) => lines.slice(at, at + LONGEST_FAILURE).join("\n"))
    .findLast((part) => isTold(part, failing));
}
