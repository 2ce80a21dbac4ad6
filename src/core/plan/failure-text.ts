import { errorSignature } from "../stop/error-signature.ts";
import { failingLine } from "../output/failing-line.ts";
import type { Setback } from "./workflow.ts";

/** Before the name of each check that failed; its output follows. */
const HEADING = "--- ";

interface Failure {
  readonly why: string;
  /** What the agent said after each turn. */
  readonly said: readonly string[];
  readonly checks: readonly { readonly name: string; readonly ending: string; readonly output: string }[];
}

/** The detail of a setback, for the next attempt and for people. */
export function failureText({ why, said, checks }: Failure): string {
  const words = said.map((each) => `- ${each}`).join("\n");
  return [
    why,
    words === "" ? "" : `The agent said:\n${words}`,
    ...checks.map(({ name, ending, output }) => `${HEADING}${name}: ${ending}\n${output}`),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** What the checks printed, without the rest of a setback's detail. */
export function printedIn(detail: string): string {
  const lines = detail.split("\n");
  const first = lines.findIndex((line) => line.startsWith(HEADING));
  if (first === -1) return lines.slice(1).join("\n");
  return lines
    .slice(first)
    .filter((line) => !line.startsWith(HEADING))
    .join("\n");
}

/** Why an attempt came to nothing, in a line: why it ended, and the most telling line of what its checks printed. */
export function failureLine(detail: string): string {
  const [why = ""] = detail.split("\n");
  const telling = failingLine(printedIn(detail));
  return telling === null ? why : `${why.replace(/\.$/, "")}: ${telling}`;
}

const TOLD_WHOLE = 3;
const LONGEST_TOLD = 4_000;

/** What failed, for whoever tries next: the last attempts with what was printed, those before in a line each. */
export function failuresTold(details: readonly string[]): readonly string[] {
  return details.map((detail, index) =>
    index < details.length - TOLD_WHOLE ? failureLine(detail) : detail.slice(-LONGEST_TOLD),
  );
}

/** Whether two attempts came to nothing in the same way, whatever their agents said. */
export function isSameFailure(one: Setback, other: Setback): boolean {
  return one.kind === other.kind && signatureOf(one) === signatureOf(other);
}

function signatureOf({ detail }: Setback): string {
  const printed = printedIn(detail);
  return errorSignature("", printed.trim() === "" ? detail : printed);
}
