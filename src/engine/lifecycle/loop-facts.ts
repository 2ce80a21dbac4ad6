import { isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Attempt } from "../../core/plan/workflow.ts";
import { running } from "../../core/plan/workflow.ts";
import type { Project } from "../../storage/home/project.ts";
import { isInRepository } from "../../storage/home/project.ts";
import { AT_THE_BEGINNING, type Follower } from "../../storage/journal/journal.ts";
import { placeOf } from "../../storage/loops/choose-loop.ts";
import { entriesOf } from "../../storage/loops/journal-entries.ts";
import { inspectLoop, isDrivenNow, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { readTestReport } from "../../verify/reports/read-test-report.ts";
import { isFalseClaim, Iterations, type TestCounts } from "../../views/story/iterations.ts";
import { PlanStory, type AttemptFacts } from "../../views/story/plan-story.ts";
import type { AttemptLive, PlanFacts } from "../../views/plan.ts";
import { liveView, type DriverView, type StatusFacts } from "../../views/status.ts";
import { agentOf } from "../run/agent-choice.ts";
import { readLiveNote } from "../run/live-note-file.ts";
import { lastHeard } from "../run/turn-folder.ts";
import type { LiveNote } from "../../views/news/live-state.ts";

/** Long outputs are only read where a report ends. */
const LONGEST_REPORT = 64 * 1024;

function countTests(output: string): TestCounts | null {
  const report = readTestReport(output.slice(-LONGEST_REPORT));
  if (report === null || report.isContradictory) return null;
  const { executed, passed, failed, skipped, unit } = report;
  return executed + skipped === 0 ? null : { executed, passed, failed, skipped, unit };
}

/** What a journal tells beside the folded loop. It remembers how far it has read, so that later calls only read what is new. */
export class JournalStory {
  readonly iterations = new Iterations(countTests);
  readonly plan = new PlanStory();
  readonly #follower: Follower;
  seq = 0;
  runBeganAt: number | null = null;
  /** The last iteration whose files can be restored; null: none. */
  undo: number | null = null;
  /** Whether a checkpoint was restored, so that the files after an iteration are no longer those that the next one began with. */
  hasUndone = false;

  constructor({ live }: Pick<KnownLoop, "live">) {
    this.#follower = live.journal.follow(AT_THE_BEGINNING);
  }

  async catchUp(): Promise<void> {
    await this.#follower.next((record, cursor) => {
      this.seq = cursor.seq;
      for (const entry of entriesOf(record, cursor)) {
        this.iterations.take(entry);
        this.plan.take(entry);
        if (entry.event.type === "run.began") this.runBeganAt = entry.at;
        if (entry.event.type === "turn.launched" && entry.event.checkpoint !== null)
          this.undo = entry.event.iteration;
        if (entry.event.type === "checkpoint.restored") this.hasUndone = true;
      }
    });
  }
}

/** Whoever looks often keeps what is known of attempts: of those that have ended, nothing is read again; of the others, what is new. */
export type AttemptMemory = Map<LoopId, KeptAttempt>;

interface KeptAttempt {
  readonly facts: AttemptFacts;
  /** null: it has ended. */
  readonly story: JournalStory | null;
}

export async function factsOfLoop(
  machine: Machine,
  known: KnownLoop,
  story: JournalStory,
  memory: AttemptMemory = new Map(),
): Promise<StatusFacts> {
  await story.catchUp();
  const { project } = known.live;
  const { loop } = known.live;
  const live = readLiveNote(project, loop);
  const askingIn = live?.doing.type === "asking" ? (loop.driven?.process?.pid ?? null) : null;
  return {
    root: project.root,
    seq: story.seq,
    driver: driverView(loop, story.runBeganAt),
    around: {
      isGone: false,
      askingIn,
      isDriven: isDrivenNow(loop),
      elsewhere: placeOf(machine, known),
      undo: loop.frames.length === 1 && isInRepository(project.root) ? story.undo : null,
    },
    live: live === null ? null : liveView(live, paceOf(project, loop, live)),
    opening: story.iterations.opening,
    iterations: story.iterations.list(),
    plan: loop.workflow === null ? null : await planFacts(machine, project, loop, story.plan, memory),
  };
}

/** What tells work that takes long from work that hangs. */
function paceOf(
  project: Project,
  loop: Loop,
  { doing, turn }: LiveNote,
): { readonly heardAt: number | null; readonly usualMs: number | null } {
  const check = doing.type === "checking" ? doing.name : null;
  return {
    heardAt: doing.type === "working" && turn !== null ? lastHeard(project, loop.id, turn) : null,
    usualMs: topFrame(loop).criteria.find(({ name }) => name === check)?.evidence?.durationMs ?? null,
  };
}

function driverView(loop: Loop, since: number | null): DriverView | null {
  const { driven } = loop;
  if (driven === null) return null;
  return {
    alive: !isEnded(loop) && isDrivenNow(loop),
    agent: agentOf(loop),
    model: driven.model,
    pid: driven.process?.pid ?? null,
    since: since === null ? null : new Date(since).toISOString(),
  };
}

async function planFacts(
  machine: Machine,
  project: Project,
  loop: Loop,
  story: PlanStory,
  memory: AttemptMemory,
): Promise<PlanFacts> {
  const { workflow } = loop;
  const live = new Map<string, AttemptLive>();
  for (const attempt of workflow?.attempts ?? []) {
    const isOver = attempt.endedAt !== null;
    const kept = memory.get(attempt.loop);
    if (isOver && kept?.story === null) continue;
    const known = await knownAttempt(machine, project, attempt);
    if (known === null) continue;
    const own = kept?.story ?? new JournalStory(known);
    await own.catchUp();
    memory.set(attempt.loop, { facts: attemptFacts(known.live.loop, own), story: isOver ? null : own });
    if (!isOver)
      live.set(
        attempt.task,
        attemptLive(project, known.live.loop, attempt.worker === undefined ? known.live.loop : loop),
      );
  }
  const atWork = new Set(workflow === null ? [] : running(workflow).map(({ task }) => task));
  return {
    story,
    factsOf: ({ loop: id }) => memory.get(id)?.facts ?? null,
    live: new Map([...live].filter(([task]) => atWork.has(task))),
  };
}

async function knownAttempt(
  machine: Machine,
  project: Project,
  { loop }: Attempt,
): Promise<KnownLoop | null> {
  const found = await inspectLoop(machine, project, loop).catch(() => null);
  return found?.type === "loop" ? found : null;
}

function attemptFacts({ spend }: Loop, { iterations }: JournalStory): AttemptFacts {
  const claims = iterations
    .list()
    .filter(({ claimed, endedAt }) => claimed && endedAt !== null)
    .map((each) => ({ at: each.endedAt ?? each.startedAt, held: !isFalseClaim(each) }));
  return { claims, costUsd: spend.told ? spend.usd : null };
}

function attemptLive(project: Project, loop: Loop, keptBy: Loop): AttemptLive {
  const note = readLiveNote(project, loop, keptBy);
  const usd = loop.spend.usd + (note?.turnUsd ?? 0);
  const heardAt = note === null ? null : paceOf(project, loop, note).heardAt;
  return {
    iteration: Math.max(1, topFrame(loop).launched),
    doing: note?.doing.type ?? "working",
    tool: note?.tool ?? null,
    since: new Date(note?.since ?? loop.activeAt).toISOString(),
    heardAt: heardAt === null ? null : new Date(heardAt).toISOString(),
    until: note?.doing.type === "waiting" ? new Date(note.doing.until).toISOString() : null,
    costUsd: loop.spend.told ? usd : null,
  };
}
