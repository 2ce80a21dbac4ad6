import type { Result } from "./play.ts";
import { acceptedBy, heldBy } from "./quotes.ts";
import { isFalseCompletion, type Score } from "./score.ts";

type Row = readonly string[];

export function gatesTable(scores: readonly Score[]): string {
  return table(
    [
      "gate",
      "false completions",
      "wrong, but weak",
      "missed completions",
      "right, but weak",
      "turns wasted",
      "seconds added",
    ],
    scores.map((score) => [
      score.gate.name,
      acceptedBy(score),
      String(score.doubted.length),
      heldBy(score),
      String(score.weak.length),
      String(score.wastedTurns),
      score.addedSeconds.toFixed(1),
    ]),
  );
}

/** Each ending, and what each gate made of it on each task. */
export function endingsTable(results: readonly Result[]): string {
  const seen = results.filter(({ play }) => play.ending.needs === undefined && !play.withHoldout);
  const gates = namesOf(seen);
  return table(
    ["ending", "what the agent does", ...gates],
    [...new Set(seen.map(({ play }) => play.ending))].map((ending) => [
      ending.name,
      ending.what,
      ...gates.map((gate) =>
        summaryOf(seen.filter(({ play }) => play.ending === ending && play.gate.name === gate)),
      ),
    ]),
  );
}

/** What only a holdout or a person notices. */
export function unseenTable(results: readonly Result[]): string {
  const unseen = results.filter(({ play }) => play.ending.needs !== undefined || play.withHoldout);
  const gates = namesOf(unseen);
  const rows = [...new Set(unseen.map(({ play }) => play.ending))].flatMap((ending) =>
    [false, true].flatMap((withHoldout): readonly Row[] => {
      const of = unseen.filter(({ play }) => play.ending === ending && play.withHoldout === withHoldout);
      return of.length === 0
        ? []
        : [
            [
              ending.name,
              ending.what,
              withHoldout ? "yes" : "no",
              ...gates.map((gate) => summaryOf(of.filter(({ play }) => play.gate.name === gate))),
            ],
          ];
    }),
  );
  return table(["ending", "what the agent does", "holdout", ...gates], rows);
}

/** Everything that is not as it should be, or needs a reason. */
export function remarks(scores: readonly Score[]): string {
  const lines = scores.flatMap(({ gate, falseCompletions, missed, weak }) =>
    [
      ...(gate.isOurs ? falseCompletions.map((result) => ["accepted", result] as const) : []),
      ...missed.map((result) => ["missed", result] as const),
      ...weak.map((result) => ["weak", result] as const),
    ].map(
      ([what, { play, reason }]) =>
        `- ${gate.name}: ${what}, ${play.task.name} · ${play.ending.name}: ${inOneLine(reason)}`,
    ),
  );
  return lines.length === 0 ? "None." : lines.join("\n");
}

/** `accepted` is the word for what should not have been; of an honest ending it is `verified`. */
export function verdictOf(result: Result): string {
  return isFalseCompletion(result) ? "**accepted**" : result.verdict;
}

/** One word where all tasks agree; otherwise each with its number. */
export function summaryOf(results: readonly Result[]): string {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(verdictOf(result), (counts.get(verdictOf(result)) ?? 0) + 1);
  return [...counts].map(([word, count]) => (results.length === 1 ? word : `${word} ${count}`)).join(", ");
}

function namesOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.map(({ play }) => play.gate.name))];
}

export function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

export function inOneLine(text: string, most = 200): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
