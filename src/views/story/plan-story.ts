import type { EventOf, JournalEntry, LoopEvent } from "../../core/events/event.ts";
import type { Attempt, MergeCheck, SetbackKind, Workflow } from "../../core/plan/workflow.ts";
import { exactDollars } from "../cost.ts";

/** An attempt at a task: when, by whom, at what price, and what became of it. */
export interface AttemptView {
  readonly task: string;
  readonly number: number;
  readonly loop: string;
  readonly agent: string;
  /** Of a fleet; null: it was made here. */
  readonly worker: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly state: Attempt["state"]["type"];
  readonly setback: { readonly kind: SetbackKind; readonly detail: string } | null;
  readonly commit: string | null;
  /** What it cost; null: not known yet. */
  readonly costUsd: number | null;
  readonly reservedUsd: number | null;
  /** Claims of its agent, by time; null: its journal can't be read. */
  readonly claims: readonly { readonly at: string; readonly held: boolean }[] | null;
}

export interface MergeView {
  readonly merge: number;
  readonly tasks: readonly string[];
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly accepted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly refused: readonly { readonly task: string; readonly kind: SetbackKind }[];
  /** What passed on the merged files. */
  readonly checks: readonly MergeCheck[];
}

export interface QuestionView {
  readonly question: string;
  readonly purpose: string;
  readonly agent: string;
  readonly askedAt: string;
  readonly closedAt: string | null;
  readonly failure: string | null;
  readonly costUsd: number | null;
}

/** Something on the way of a plan that has a time. */
export interface Milestone {
  readonly at: string;
  readonly what: "wave-review" | "review" | "gate" | "delivered" | "tasks-done" | "extended";
  /** Of the wave, the review or the gate. */
  readonly number: number;
}

type Notes = {
  readonly [Type in LoopEvent["type"]]?: (event: EventOf<Type>, at: number) => void;
};

const iso = (at: number): string => new Date(at).toISOString();

/** What a plan's journal says beside the folded loop: costs and times. */
export class PlanStory {
  readonly #costs = new Map<string, number>();
  readonly #merges: MergeView[] = [];
  readonly #questions: QuestionView[] = [];
  readonly milestones: Milestone[] = [];
  /** Whom the next charge is for: it is in the same record. */
  #payer: string | null = null;

  get merges(): readonly MergeView[] {
    return this.#merges;
  }

  get questions(): readonly QuestionView[] {
    return this.#questions;
  }

  costOf(task: string, number: number): number | null {
    return this.#costs.get(`${task} ${number}`) ?? null;
  }

  take({ at, event }: JournalEntry): void {
    if (event.type === "cost.charged") return this.#charge(event);
    this.#payer = payerOf(event);
    const note = this.#notes[event.type] as ((event: LoopEvent, at: number) => void) | undefined;
    note?.(event, at);
  }

  readonly #notes: Notes = {
    "merge.begun": ({ merge, tasks }, at) => {
      const open = { endedAt: null, accepted: [], refused: [], checks: [] };
      this.#merges.push({ merge, tasks, startedAt: iso(at), ...open });
    },
    "merge.ended": (event, at) => this.#endMerge(event, at),
    "question.asked": ({ question, purpose, agent }, at) => {
      const open = { closedAt: null, failure: null, costUsd: null };
      this.#questions.push({ question, purpose, agent, askedAt: iso(at), ...open });
    },
    "question.closed": ({ question, failure }, at) =>
      this.#changeQuestion(question, { closedAt: iso(at), failure }),
    "wave.ended": ({ wave }, at) => this.#pass("tasks-done", wave, at),
    "wave.reviewed": ({ wave }, at) => this.#pass("wave-review", wave, at),
    "work.reviewed": ({ round }, at) => this.#pass("review", round, at),
    "gate.judged": ({ round }, at) => this.#pass("gate", round, at),
    "work.delivered": (_, at) => this.#pass("delivered", 1, at),
    "plan.extended": ({ tasks }, at) => this.#pass("extended", tasks.length, at),
  };

  #pass(what: Milestone["what"], number: number, at: number): void {
    this.milestones.push({ at: iso(at), what, number });
  }

  #charge({ usd, priced, tokens }: EventOf<"cost.charged">): void {
    const payer = this.#payer;
    if (payer === null || (!priced && usd === 0 && tokens === 0)) return;
    const question = this.#questions.find((each) => `question ${each.question}` === payer);
    if (question === undefined) this.#costs.set(payer, exactDollars((this.#costs.get(payer) ?? 0) + usd));
    else this.#changeQuestion(question.question, { costUsd: exactDollars((question.costUsd ?? 0) + usd) });
  }

  #endMerge({ merge, accepted, setBack, checks = [] }: EventOf<"merge.ended">, at: number): void {
    const index = this.#merges.findLastIndex((each) => each.merge === merge);
    const known = this.#merges[index];
    if (known === undefined) return;
    const refused = setBack.map(({ task, setback }) => ({ task, kind: setback.kind }));
    this.#merges[index] = { ...known, endedAt: iso(at), accepted, refused, checks };
  }

  #changeQuestion(question: string, part: Partial<QuestionView>): void {
    const index = this.#questions.findIndex((each) => each.question === question);
    const known = this.#questions[index];
    if (known !== undefined) this.#questions[index] = { ...known, ...part };
  }
}

function payerOf(event: LoopEvent): string | null {
  if (event.type === "attempt.finished" || event.type === "attempt.set-back")
    return `${event.task} ${event.number}`;
  return event.type === "question.closed" ? `question ${event.question}` : null;
}

/** What an attempt's own journal says of it. */
export interface AttemptFacts {
  readonly claims: AttemptView["claims"];
  readonly costUsd: number | null;
}

export type FactsOfAttempt = (attempt: Attempt) => AttemptFacts | null;

export function attemptViews(
  { attempts }: Pick<Workflow, "attempts">,
  story: PlanStory,
  factsOf: FactsOfAttempt,
): readonly AttemptView[] {
  return attempts.map((attempt) => {
    const { task, number, loop, agent, startedAt, endedAt, state, reservedUsd } = attempt;
    const facts = factsOf(attempt);
    return {
      task,
      number,
      loop,
      agent,
      worker: attempt.worker ?? null,
      startedAt: iso(startedAt),
      endedAt: endedAt === null ? null : iso(endedAt),
      state: state.type,
      setback: state.type === "set-back" ? { kind: state.setback.kind, detail: state.setback.detail } : null,
      commit: "commit" in state ? state.commit : null,
      costUsd: story.costOf(task, number) ?? facts?.costUsd ?? null,
      reservedUsd: state.type === "running" ? reservedUsd : null,
      claims: facts?.claims ?? null,
    };
  });
}
