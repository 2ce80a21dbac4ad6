import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { RunNews } from "../../views/news/news.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";

/** Listens to a run's news to know whether the run itself decided the completion, since an agent can write to the journal too. */
export function witnessCompletion(tell: (news: RunNews) => void): {
  readonly tell: (news: RunNews) => void;
  readonly hasSeen: () => boolean;
} {
  let seen = false;
  return {
    tell: (news) => {
      if (news.type === "judged" && news.verdict.type === "let-go")
        seen ||= news.verdict.because === "completed";
      tell(news);
    },
    hasSeen: () => seen,
  };
}

export interface WitnessedLoop {
  readonly live: LiveLoop;
  /** Results, merges, reviews and gates in the journal that came after the beginning, and that nobody recorded here. */
  readonly strangers: () => readonly string[];
}

/** An agent can write to the journal, too. So a run remembers which results it has recorded itself. */
export function witnessResults(live: LiveLoop): WitnessedLoop {
  const known = new Set(resultsIn(live.loop));
  return {
    strangers: () => resultsIn(live.loop).filter((each) => !known.has(each)),
    live: {
      id: live.id,
      project: live.project,
      journal: live.journal,
      get loop() {
        return live.loop;
      },
      get cursor() {
        return live.cursor;
      },
      refresh: live.refresh,
      look: live.look,
      transact: live.transact,
      onChange: live.onChange,
      record: async (decide) => {
        let decided: readonly LoopEvent[] = [];
        const loop = await live.record(async (now) => (decided = await decide(now)));
        for (const event of decided) for (const each of resultsOf(event)) known.add(each);
        return loop;
      },
    },
  };
}

const COMPLETION = "the completion";

function resultsIn({ phase, workflow, stages }: Loop): readonly string[] {
  const attempts = workflow?.attempts ?? [];
  return [
    ...(phase === "completed" ? [COMPLETION] : []),
    ...attempts
      .filter(({ state }) => state.type === "finished" || state.type === "integrated")
      .map(({ task, number }) => attemptResult(task, number)),
    ...Array.from({ length: mergesEnded(workflow) }, (_, index) => `merge ${index + 1}`),
    ...(stages?.reviews ?? []).flatMap(({ round, resolved }) => [
      reviewOf(round),
      ...resolved.map(({ finding }) => resolutionOf(round, finding)),
    ]),
    ...(stages?.gates ?? []).map(({ round }) => `gate ${round}`),
  ];
}

function mergesEnded(workflow: Loop["workflow"]): number {
  return workflow === null ? 0 : workflow.merges - (workflow.merge === null ? 0 : 1);
}

function resultsOf(event: LoopEvent): readonly string[] {
  if (event.type === "loop.completed") return [COMPLETION];
  if (event.type === "attempt.finished") return [attemptResult(event.task, event.number)];
  if (event.type === "merge.ended") return [`merge ${event.merge}`];
  if (event.type === "work.reviewed") return [reviewOf(event.round)];
  if (event.type === "finding.resolved") return [resolutionOf(event.round, event.finding)];
  return event.type === "gate.judged" ? [`gate ${event.round}`] : [];
}

function reviewOf(round: number): string {
  return `review ${round}`;
}

function resolutionOf(round: number, finding: string): string {
  return `what became of ${finding} in review ${round}`;
}

function attemptResult(task: string, number: number): string {
  return `the result of ${task}, attempt ${number}`;
}
