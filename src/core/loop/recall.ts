export const LEARNING_KINDS = ["failure", "discovery", "constraint", "delegation"] as const;
/** What a learning is about: what didn't work, what did, what has to be kept to, who did the work. */
export type LearningKind = (typeof LEARNING_KINDS)[number];

/** Something learned in an earlier loop that was found for this spec. */
export interface Recalled {
  readonly id: string;
  readonly kind: LearningKind;
  readonly text: string;
  /** From 0 to 1, when it was found. */
  readonly confidence: number;
  /** null: nobody was asked, or nobody decided. */
  readonly confirmed: boolean | null;
}

/** What a loop knew from earlier ones when it began. */
export interface Recall {
  readonly learnings: readonly Recalled[];
  /** With the spec's subject in this project, 0 to 10; part of the fit. */
  readonly familiarity: number;
}

/** Less sure ones need a person's word before an agent is told. */
const ENOUGH_CONFIDENCE = 0.5;

/** What the agent is told: what a person confirmed, or what is sure enough where nobody decided. */
export function toldLearnings(recall: Recall | null): readonly Recalled[] {
  return (recall?.learnings ?? []).filter(
    ({ confirmed, confidence }) => confirmed ?? confidence >= ENOUGH_CONFIDENCE,
  );
}

/** After a person said which of them apply. */
export function judgedRecall(
  { learnings }: Recall,
  {
    confirmed,
    dismissed,
    familiarity,
  }: {
    readonly confirmed: readonly string[];
    readonly dismissed: readonly string[];
    readonly familiarity: number;
  },
): Recall {
  const judged = learnings.map((each) => {
    if (confirmed.includes(each.id)) return { ...each, confirmed: true };
    return dismissed.includes(each.id) ? { ...each, confirmed: false } : each;
  });
  return { learnings: judged, familiarity };
}
