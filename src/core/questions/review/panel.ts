import type { Review, Voice } from "../../stages/stages.ts";
import { inOrder, type Counted } from "./counted-findings.ts";

/** What one reviewer of a panel answered; without an answer, why there is none. */
export interface Answered extends Counted {
  readonly perspective: string;
  readonly agent: string | null;
  readonly failure: string | null;
}

type Heard = Pick<Review, "score" | "findings" | "dropped" | "unquoted" | "agent" | "failure"> & {
  readonly panel: readonly Voice[];
};

/**
 * What a panel says together. It is as sure of the work as its most doubtful member. What several hold against the same line
 * is one finding.
 */
export function heardPanel(answers: readonly Answered[]): Heard {
  const heard = answers.filter(({ failure }) => failure === null);
  const panel = answers.map(({ perspective, score, findings, failure }) => ({
    perspective,
    score: failure === null ? score : null,
    issues: findings.length,
    failure,
  }));
  const [first] = heard.length > 0 ? heard : answers;
  return {
    score: heard.length === 0 ? null : Math.min(...heard.map(({ score }) => score)),
    findings: inOrder(withoutRepetition(heard)),
    ...droppedBy(heard),
    agent: first?.agent ?? null,
    failure: heard.length === 0 ? (first?.failure ?? "nobody was asked") : null,
    panel,
  };
}

/** More are only counted. */
const MOST_UNQUOTED = 10;

function droppedBy(heard: readonly Answered[]): Pick<Review, "dropped" | "unquoted"> {
  const known = new Map(
    heard
      .flatMap(({ dropped }) => dropped)
      .map((each) => [JSON.stringify([each.file, each.quote, each.problem]), each]),
  );
  const unquoted = [...known.values()].slice(0, MOST_UNQUOTED);
  return { dropped: known.size, ...(unquoted.length === 0 ? {} : { unquoted }) };
}

function withoutRepetition(heard: readonly Answered[]): Counted["findings"] {
  const known = new Set<string>();
  return heard
    .flatMap(({ findings }) => findings)
    .filter(({ file, quote, severity, breaks }) => {
      const key = JSON.stringify([file, quote, severity, breaks]);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    });
}

/** From here on, two reviewers see different works. */
const FAR_APART = 3;

/** Whether its members see the work so differently that somebody should look at why. */
export function disagrees(panel: readonly Voice[]): boolean {
  const scores = panel.flatMap(({ score }) => score ?? []);
  return scores.length > 1 && Math.max(...scores) - Math.min(...scores) >= FAR_APART;
}
