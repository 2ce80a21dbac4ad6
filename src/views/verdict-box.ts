import type { Confidence } from "../core/loop.ts";
import type { WorkflowTask } from "./workflow-status.ts";

const VERDICTS = {
  verified: "🟢 SHIP",
  weak: "🟡 MONITOR",
  unverified: "🔴 RESEARCH",
} as const satisfies { readonly [Each in Confidence]: string };

const HOW = {
  verified: "execution output",
  weak: "execution output, some of it weak",
  unverified: "not all of it",
} as const satisfies { readonly [Each in Confidence]: string };

const LEAST_WIDTH = 36;
const MOST_WIDTH = 76;

/** What to do with the result of a plan, and what speaks against it. Each of its characters is as wide as it is long, the circles too. */
export function verdictBox(confidence: Confidence, tasks: readonly WorkflowTask[]): string {
  const done = tasks.filter(({ state }) => state === "done").length;
  const above = [
    `Verified: ${HOW[confidence]}`,
    `Tasks: ${done}/${tasks.length} complete`,
    `Confidence: ${confidence}`,
  ];
  const below = ["↳ Alt: look at it yourself, loop review", `↳ Risk: ${riskOf(tasks)}`];
  const head = `─ ${VERDICTS[confidence]} `;
  const width = Math.min(
    MOST_WIDTH,
    Math.max(LEAST_WIDTH, ...[...above, ...below].map((line) => line.length + 2)),
  );
  const rule = (text: string): string => text + "─".repeat(Math.max(0, width - text.length));
  const row = (text: string): string => `│ ${text.slice(0, width - 2).padEnd(width - 2)} │`;
  return [`╭${rule(head)}╮`, ...above.map(row), `├${rule("")}┤`, ...below.map(row), `╰${rule("")}╯`].join(
    "\n",
  );
}

/** The first thing that somebody should look at. */
function riskOf(tasks: readonly WorkflowTask[]): string {
  const named = (some: readonly WorkflowTask[]): string => {
    const names = some
      .slice(0, 3)
      .map(({ id }) => id)
      .join(", ");
    return some.length > 3 ? `${names} and ${some.length - 3} more` : names;
  };
  const unverified = tasks.filter(({ confidence }) => confidence !== "verified" && confidence !== "weak");
  if (unverified.length > 0) return `nothing shows that ${named(unverified)} is done`;
  const weak = tasks.filter(({ confidence }) => confidence === "weak");
  if (weak.length > 0) return `weak evidence for ${named(weak)}`;
  const retried = tasks.filter(({ setbacks }) => setbacks > 0);
  if (retried.length > 0) return `${named(retried)} needed more than one attempt`;
  return "what no check looks at";
}
