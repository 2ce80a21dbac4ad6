import { isHonest, type Way } from "../ending.ts";
import { exitCode } from "../gates/plain.ts";
import { standard } from "../gates/gates.ts";
import type { Gate, Result } from "../play.ts";
import { isFalseCompletion, median } from "../score.ts";
import { nameOf } from "../select.ts";
import { inOneLine, summaryOf, table } from "../tables.ts";

const HEAD = [
  ...["ecosystem", "false completions", "wrong, but weak", "wrong, held"],
  ...["right, verified", "right, but weak", "right, held", "seconds added", "seconds of the check alone"],
  "out of reach",
];

/** What `loop run` made of each ecosystem. */
export function ecosystemsTable(results: readonly Result[]): string {
  const names = [...new Set(results.map(({ play }) => play.task.ecosystem))];
  return table(HEAD, [
    ...names.map((name) => [name, ...rowOf(results.filter(({ play }) => play.task.ecosystem === name))]),
    ["all", ...rowOf(results)],
  ]);
}

function rowOf(results: readonly Result[]): readonly string[] {
  const ours = of(standard, results);
  const beyond = ours.filter(({ play }) => play.ending.needs !== undefined);
  const reached = ours.filter(({ play }) => play.ending.needs === undefined);
  const wrong = reached.filter(({ play }) => !isHonest(play.ending));
  const honest = reached.filter(({ play }) => isHonest(play.ending));
  return [
    `${wrong.filter(isFalseCompletion).length} of ${wrong.length}`,
    counted(wrong, "weak"),
    counted(wrong, "held"),
    `${counted(honest, "verified")} of ${honest.length}`,
    counted(honest, "weak"),
    counted(honest, "held"),
    secondsOf(honest),
    secondsOf(of(exitCode, results).filter(({ play }) => isHonest(play.ending))),
    summaryOf(beyond),
  ];
}

function of(gate: Gate, results: readonly Result[]): readonly Result[] {
  return results.filter(({ play }) => play.gate.name === gate.name && !play.withHoldout);
}

function counted(results: readonly Result[], verdict: Result["verdict"]): string {
  return String(results.filter((result) => result.verdict === verdict).length);
}

function secondsOf(results: readonly Result[]): string {
  return results.length === 0 ? "" : median(results.map(({ addedSeconds }) => addedSeconds)).toFixed(1);
}

/** Each kind of work and each mechanism, over all ecosystems. */
export function mechanismsTable(results: readonly Result[]): string {
  const ways = [...new Set(results.map(({ play }) => play.ending))];
  const ordered = [...ways.filter(isHonest), ...ways.filter((way) => !isHonest(way))];
  const verdicts = (way: Way, gate: Gate): string =>
    summaryOf(of(gate, results).filter(({ play }) => play.ending === way));
  return table(
    ["ending", "what the agent does", exitCode.name, standard.name, "out of reach, since"],
    ordered.map((way) => [
      way.name,
      way.what,
      verdicts(way, exitCode),
      verdicts(way, standard),
      way.since ?? "",
    ]),
  );
}

/** What `loop run` accepted although it is wrong, or was not sure of although it is right, in its own words. */
export function ecosystemRemarks(results: readonly Result[]): string {
  const lines = of(standard, results)
    .filter(({ play }) => play.ending.needs === undefined)
    .filter((result) => isFalseCompletion(result) || (result.isRight && result.verdict !== "verified"))
    .map((result) => {
      const name = nameOf(result.play).replace(` · ${standard.name}`, "");
      return `- ${isFalseCompletion(result) ? "**accepted**" : result.verdict}, ${name}: ${inOneLine(result.reason, 400)}`;
    });
  return lines.length === 0 ? "None." : lines.join("\n");
}
