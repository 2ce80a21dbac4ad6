import { standardOf } from "../loop/criterion.ts";
import { ImpossibleEvent, type EventOf, type LoopEvent } from "./event.ts";
import {
  driveFrom,
  evolveDriven,
  withTurn,
  withTurnCharged,
  withTurnSuperseded,
  withoutWait,
} from "./evolve-driven.ts";
import {
  approveBaseline,
  changeCriteria,
  changeProofs,
  changeSteps,
  changeTasks,
  openFrame,
  withoutEvidence,
} from "./evolve-frame.ts";
import type { Breakers, Frame, Loop } from "../loop/loop.ts";
import { CLOSED_BREAKERS, elapsedMs, isDriven, isWorkflow, topFrame } from "../loop/loop.ts";
import { evolveWorkflow, withMoreAttempts } from "../plan/evolve-workflow.ts";
import { isWorkflowEvent, type WorkflowEvent } from "../plan/workflow-event.ts";
import { tasksAfter } from "../plan/shown-task.ts";
import { majorSteps, NOTHING_ASKED } from "../stages/asking.ts";
import { evolveStages, withMoreRounds } from "../stages/evolve-stages.ts";
import { isStageEvent, type StageEvent } from "../stages/stage-event.ts";
import { fingerprintOf } from "../stop/breakers.ts";
import { isJudged } from "../stop/trouble.ts";
import { judgedRecall } from "../loop/recall.ts";
import { evolveCommit } from "../loop/commit.ts";
import { withHeard, withWords, withoutLostTurn } from "../loop/words.ts";

/** Folds one fact, with its time, into the loop. The first fact of a loop is its opening. */
export function evolve(loop: Loop | null, event: LoopEvent, at: number): Loop {
  if (loop === null) {
    if (event.type !== "loop.opened") throw new ImpossibleEvent(`${event.type} before the loop was opened`);
    return open(event, at);
  }
  if (event.type === "loop.opened") throw new ImpossibleEvent("a loop is opened only once");
  if (loop.phase === "completed" || loop.phase === "cancelled") {
    if (isAfterword(event)) return { ...afterword(loop, event), updatedAt: at };
    throw new ImpossibleEvent(`${event.type} after the loop was ${loop.phase}`);
  }
  const next = change(loop, event, at);
  // A clock that was briefly set back doesn't count as silence.
  return { ...next, activeAt: Math.max(next.activeAt, loop.activeAt), updatedAt: at };
}

const AFTERWORDS = [
  "loosening.refused",
  "cost.charged",
  "turn.ended",
  "run.ended",
  "checkpoint.restored",
  "work.committed",
  "commit.undone",
] as const;

type Afterword = EventOf<(typeof AFTERWORDS)[number]>;

/** Events that may follow the end: a refused attempt, the cost of the last turn, a commit of the work, an undo. */
function isAfterword(event: LoopEvent): event is Afterword {
  return AFTERWORDS.some((type) => type === event.type);
}

function afterword(loop: Loop, event: Afterword): Loop {
  switch (event.type) {
    case "loosening.refused":
    case "checkpoint.restored":
      return loop;
    case "work.committed":
    case "commit.undone":
      return withCommit(loop, event);
    case "cost.charged":
      return charged(loop, event);
    case "turn.ended":
    case "run.ended":
      return { ...loop, driven: evolveDriven(loop.driven, event) };
  }
}

export function evolveAll(loop: Loop | null, events: readonly LoopEvent[], at: number): Loop {
  let next = loop;
  for (const event of events) next = evolve(next, event, at);
  if (next === null) throw new ImpossibleEvent("a loop without an opening");
  return next;
}

type OpenLoop = Extract<Loop, { phase: "active" | "paused" }>;

function change(loop: OpenLoop, event: Exclude<LoopEvent, { type: "loop.opened" }>, at: number): Loop {
  if (isWorkflowEvent(event)) return changeWorkflow(loop, event, at);
  if (isStageEvent(event)) return changeStages(loop, event, at);
  switch (event.type) {
    case "session.bound":
      return {
        ...takenOver(loop, isAtWork(loop) ? at : loop.activeAt, at),
        driven: loop.driven === null ? null : withTurnSuperseded(withoutWait(loop.driven)),
        binding: event.binding,
        // Another conversation hasn't seen what this one was sent.
        sentFailure: null,
        activeAt: at,
        turnStartedAt: at,
        waiting: false,
      };
    case "turn.started":
      return { ...withClockRunning(loop, at), turnStartedAt: at };
    case "wait.began":
      return { ...(isForPerson(event) ? withClockStopped(loop, at) : loop), activeAt: at, waiting: true };
    case "frame.pushed":
      // Pushed within a turn, just as a loop is opened within one.
      return { ...alive(loop, at), turnStartedAt: at, frames: [...loop.frames, openFrame(event.goal)] };
    case "frame.popped":
      return { ...alive(loop, at), frames: withoutTop(loop) };
    case "criterion.added":
    case "criterion.amended":
    case "criterion.removed":
    case "criterion.attested":
    case "criterion.disclaimed":
    case "check.ran":
      return withTop(loop, changeCriteria(topFrame(loop), event, standardOf(loop), at));
    case "proof.shown":
      return withTop(loop, changeProofs(topFrame(loop), event));
    case "loop.trusted":
      return withoutAnyEvidence(loop);
    case "opening.approved":
      return withTop(loop, approveBaseline(topFrame(loop)));
    case "step.added":
    case "step.finished":
    case "step.reopened":
    case "step.removed":
      return withTop(loop, changeSteps(topFrame(loop), event));
    case "task.recorded":
    case "task.dropped":
      return withTop(loop, changeTasks(topFrame(loop), event));
    case "exit.signalled":
      return withTop(loop, { exitSignal: true });
    case "exit.withdrawn":
      return withTop(loop, { exitSignal: false });
    case "next.said":
      return { ...loop, saidNext: event.text };
    case "words.told":
      return { ...loop, words: withWords(loop.words, event, at) };
    case "words.heard":
      return { ...loop, words: withHeard(loop.words, event) };
    case "protection.approved":
      return { ...loop, protectedDigest: event.digest };
    case "cost.charged":
      return charged(loop, event);
    case "transcript.read":
      return { ...loop, transcriptCursor: event.cursor };
    case "iteration.adopted":
      if (event.iteration < topFrame(loop).iteration) throw new ImpossibleEvent("a counter never falls");
      return withTop(loop, { iteration: event.iteration });
    case "breakers.counted":
      return withTop(loop, { breakers: event.breakers });
    case "iteration.held":
    case "iteration.handed-back":
      return endIteration(loop, event, at);
    case "run.began":
      return beginRun(loop, event, at);
    case "turn.launched":
      return launchTurn(loop, event, at);
    case "turn.ended":
      return endTurn(loop, event, at);
    case "conversation.opened":
      return { ...loop, driven: evolveDriven(loop.driven, event) };
    case "run.ended":
      return { ...stopClockAtRunEnd(loop, event, at), driven: evolveDriven(loop.driven, event) };
    case "permission.denied":
      return { ...loop, denied: [...new Set([...loop.denied, ...event.denials])] };
    case "usage-limit.met":
      return {
        ...withClockStopped(loop, at),
        driven: evolveDriven(loop.driven, event),
        activeAt: at,
        waiting: true,
      };
    case "checkpoint.restored":
      return {
        ...loop,
        driven: loop.driven === null ? null : withTurnSuperseded(loop.driven),
        sentFailure: null,
      };
    case "commit.wanted":
    case "work.committed":
    case "commit.undone":
      return withCommit(loop, event);
    case "shape.changed":
      return { ...loop, shape: event.shape };
    case "loosening.refused":
      return loop;
    case "loop.paused":
      return pause(loop, event, at);
    case "loop.continued":
      return resume(loop, event, at);
    case "loop.cancelled":
      return { ...withClockStopped(loop, at), phase: "cancelled" };
    case "loop.completed":
      expectActive(loop, event.type);
      if (loop.frames.length > 1) throw new ImpossibleEvent("completed with an inner frame still open");
      return {
        ...withClockStopped(loop, at),
        phase: "completed",
        confidence: event.confidence,
        why: event.why,
        changed: event.changed,
      };
  }
}

function withCommit<Any extends Loop>(loop: Any, event: Parameters<typeof evolveCommit>[1]): Any {
  const commit = evolveCommit(loop.commit, event);
  if (commit === undefined) throw new ImpossibleEvent(`${event.type} of a loop whose work isn't committed`);
  return { ...loop, commit };
}

/** Its tasks are what every loop with tasks shows; its iterations are waves that began, and attempts made again. */
function changeWorkflow(loop: OpenLoop, event: WorkflowEvent, at: number): Loop {
  const workflow = evolveWorkflow(loop.workflow, event, at);
  // In a session, holds count too, and the number never falls.
  const iteration = Math.max(topFrame(loop).iteration, workflow.wavesBegun + workflow.retries);
  // From here on, the criteria are the last tasks of the plan.
  const criteria = event.type === "plan.adopted" ? { criteria: [] } : {};
  const tasks = tasksAfter(event, topFrame(loop).tasks, workflow);
  return { ...withTop(alive(loop, at), { tasks, iteration, ...criteria }), workflow };
}

function changeStages(loop: OpenLoop, event: StageEvent, at: number): Loop {
  if (event.type === "learnings.recalled") {
    if (loop.recall !== null) throw new ImpossibleEvent("learnings that are recalled twice");
    return { ...loop, recall: { learnings: event.learnings, familiarity: event.familiarity } };
  }
  if (event.type === "learnings.judged") {
    if (loop.recall === null) throw new ImpossibleEvent("learnings that apply, and none were recalled");
    return { ...alive(loop, at), recall: judgedRecall(loop.recall, event) };
  }
  const next = { ...alive(loop, at), stages: evolveStages(loop.stages, event) };
  if (event.type === "intent.settled")
    return { ...withTop(next, { spec: event.spec }), score: event.score, shape: event.shape };
  if (event.type === "shape.drawn") return { ...next, mustNots: [...loop.mustNots, ...event.mustNots] };
  return next;
}

function open(event: EventOf<"loop.opened">, at: number): Loop {
  const { type: _type, by: _by, goal, ...opening } = event;
  const frame = openFrame(goal);
  return {
    phase: "active",
    ...opening,
    workflow: null,
    stages: null,
    recall: null,
    driven: null,
    frames: [{ ...frame, breakers: breakersFrom(frame, event.start) }],
    spend: { usd: 0, tokens: 0, priced: true, told: true },
    dearestTurnUsd: 0,
    transcriptCursor: null,
    saidNext: null,
    words: [],
    sentFailure: null,
    denied: [],
    openedAt: at,
    updatedAt: at,
    activeAt: at,
    // An agent opens a loop within a turn, and a turn's own length doesn't count as silence.
    turnStartedAt: event.binding === null ? null : at,
    waiting: false,
    activeMs: 0,
    activeSince: at,
  };
}

/** The first iteration is compared with the tree at the opening. */
function breakersFrom(frame: Frame, start: Loop["start"]): Breakers {
  if (start.tree === null) return CLOSED_BREAKERS;
  return { ...CLOSED_BREAKERS, noProgress: { fingerprint: fingerprintOf(frame, start), count: 0 } };
}

function charged<Some extends Loop>(loop: Some, event: EventOf<"cost.charged">): Some {
  const turnUsd = event.turnUsd ?? (event.turn === undefined ? 0 : event.usd);
  return {
    ...loop,
    spend: {
      usd: loop.spend.usd + event.usd,
      tokens: loop.spend.tokens + event.tokens,
      priced: loop.spend.priced && event.priced,
      told: loop.spend.told && (event.priced || event.usd > 0 || event.tokens > 0),
    },
    dearestTurnUsd: Math.max(loop.dearestTurnUsd, turnUsd),
    driven: withTurnCharged(loop.driven, event),
  };
}

const KEPT_TRIES = 5;

function beginRun(loop: OpenLoop, event: EventOf<"run.began">, at: number): Loop {
  return {
    ...alive(takenOver(loop, loop.activeAt, at), at),
    binding: { session: event.run, host: event.driver },
    driven: driveFrom(loop.driven, event),
    sentFailure: null,
    denied: [],
    turnStartedAt: at,
  };
}

/** Nobody works until another run continues. */
function stopClockAtRunEnd(loop: OpenLoop, { run, lastSeenAt }: EventOf<"run.ended">, at: number): OpenLoop {
  return loop.binding?.session === run ? withClockStopped(loop, Math.min(lastSeenAt ?? at, at)) : loop;
}

/** A run has it and has not reported its end. */
function isAtWork(loop: OpenLoop): boolean {
  return isDriven(loop) && loop.driven.process !== null;
}

/** Checks and background work continue meanwhile; any other wait needs somebody to act. */
function isForPerson({ what }: EventOf<"wait.began">): boolean {
  return ["plan-mode", "awaiting-user", "api-error"].includes(what);
}

/** Somebody else continues. The time between the last sign of work and now doesn't count as work. */
function takenOver(loop: OpenLoop, lastSeenAt: number, at: number): OpenLoop {
  if (loop.phase !== "active") return loop;
  return { ...loop, activeMs: elapsedMs(loop, Math.min(lastSeenAt, at)), activeSince: at };
}

function withClockStopped(loop: OpenLoop, at: number): OpenLoop {
  return { ...loop, activeMs: elapsedMs(loop, at), activeSince: null };
}

function withClockRunning(loop: OpenLoop, at: number): OpenLoop {
  return loop.phase === "active" ? { ...loop, activeSince: loop.activeSince ?? at } : loop;
}

function launchTurn(loop: OpenLoop, event: EventOf<"turn.launched">, at: number): Loop {
  expectActive(loop, event.type);
  const frame = topFrame(loop);
  if (event.iteration !== frame.iteration && event.iteration !== frame.iteration + 1) {
    throw new ImpossibleEvent(`a turn of iteration ${event.iteration} follows iteration ${frame.iteration}`);
  }
  const launched = withTop(alive(loop, at), { iteration: event.iteration, launched: event.iteration });
  return {
    ...launched,
    driven: withTurn(loop.driven, event, loop.limits.budgetUsd),
    turnStartedAt: at,
  };
}

function endTurn(loop: OpenLoop, event: EventOf<"turn.ended">, at: number): Loop {
  const ended = { ...loop, driven: evolveDriven(loop.driven, event), activeAt: at };
  const turn = loop.driven?.turn;
  if (!isJudged(event.outcome)) return { ...ended, words: withoutLostTurn(loop.words, event.turn) };
  if (turn == null) return ended;
  const { tried } = topFrame(loop);
  const latest = { iteration: turn.iteration, said: event.said, failure: null };
  return withTop(ended, { judged: turn.iteration, tried: [...tried, latest].slice(-KEPT_TRIES) });
}

function endIteration(
  loop: OpenLoop,
  event: EventOf<"iteration.held" | "iteration.handed-back">,
  at: number,
): Loop {
  expectActive(loop, event.type);
  const frame = topFrame(loop);
  if (event.iteration !== frame.iteration + 1) {
    throw new ImpossibleEvent(`iteration ${event.iteration} follows iteration ${frame.iteration}`);
  }
  const ended = {
    ...withTop(alive(loop, at), { iteration: event.iteration, exitSignal: false }),
    ...askedNow(loop, event.type),
  };
  if (event.type === "iteration.handed-back") {
    return { ...withClockStopped(ended, at), turnStartedAt: null, waiting: true };
  }
  return { ...ended, turnStartedAt: null, sentFailure: event.sentFailure };
}

/** A held agent of a workflow is told what to ask; one that hands back has asked about the steps so far. */
function askedNow(loop: Loop, type: "iteration.held" | "iteration.handed-back"): Pick<Loop, "asked"> {
  if (!isWorkflow(loop) || isDriven(loop)) return {};
  const { steps } = loop.asked ?? NOTHING_ASKED;
  return {
    asked: {
      steps: type === "iteration.handed-back" ? majorSteps(loop) : steps,
      round: loop.stages?.reviews.length ?? 0,
    },
  };
}

function pause(loop: OpenLoop, event: EventOf<"loop.paused">, at: number): Loop {
  expectActive(loop, event.type);
  const paused = withClockStopped(withTop(loop, { exitSignal: false }), at);
  return { ...paused, phase: "paused", reason: event.reason, detail: event.detail, pausedBy: event.by };
}

function resume(loop: OpenLoop, event: EventOf<"loop.continued">, at: number): Loop {
  const iterationLimit = added(topFrame(loop).iterationLimit, event.addedIterations);
  const resumed = withTop(withAllBreakersClosed(loop), { iterationLimit });
  const {
    reason: _reason,
    detail: _detail,
    pausedBy: _pausedBy,
    ...rest
  } = resumed as OpenLoop & { reason?: unknown; detail?: unknown; pausedBy?: unknown };
  const goingOn: OpenLoop = {
    ...rest,
    phase: "active",
    workflow:
      loop.workflow === null || event.addedIterations === null
        ? loop.workflow
        : withMoreAttempts(loop.workflow, event.addedIterations),
    stages:
      loop.stages === null || event.addedIterations === null
        ? loop.stages
        : withMoreRounds(loop.stages, event.addedIterations),
    limits: {
      ...loop.limits,
      budgetUsd: added(loop.limits.budgetUsd, event.addedUsd),
      tokens: added(loop.limits.tokens, event.addedTokens),
      minutes: added(loop.limits.minutes, event.addedMinutes),
    },
  };
  // A loop that is still active just gets more.
  if (loop.phase === "active") return goingOn;
  return {
    ...alive(goingOn, at),
    driven: loop.driven === null ? null : { ...withoutWait(loop.driven), retries: 0, waits: 0 },
    sentFailure: null,
    turnStartedAt: at,
  };
}

function withAllBreakersClosed(loop: OpenLoop): OpenLoop {
  const [first, ...rest] = loop.frames;
  return { ...loop, frames: [withBreakersClosed(first), ...rest.map(withBreakersClosed)] };
}

function withBreakersClosed(frame: Frame): Frame {
  return { ...frame, breakers: CLOSED_BREAKERS };
}

function added(limit: number | null, amount: number | null): number | null {
  return limit === null || amount === null ? limit : limit + amount;
}

function alive(loop: OpenLoop, at: number): OpenLoop {
  return { ...withClockRunning(loop, at), activeAt: at, waiting: false };
}

function withTop(loop: OpenLoop, part: Partial<Frame>): OpenLoop {
  const [first, ...rest] = loop.frames;
  const last = rest.pop();
  if (last === undefined) return { ...loop, frames: [{ ...first, ...part }] };
  return { ...loop, frames: [first, ...rest, { ...last, ...part }] };
}

function withoutAnyEvidence(loop: OpenLoop): OpenLoop {
  const [first, ...rest] = loop.frames;
  return { ...loop, frames: [withoutEvidence(first), ...rest.map(withoutEvidence)] };
}

function withoutTop(loop: OpenLoop): Loop["frames"] {
  const [first, ...rest] = loop.frames;
  if (rest.length === 0) throw new ImpossibleEvent("the last frame ends with its loop");
  return [first, ...rest.slice(0, -1)];
}

function expectActive(loop: OpenLoop, type: LoopEvent["type"]): void {
  if (loop.phase !== "active") throw new ImpossibleEvent(`${type} while the loop was ${loop.phase}`);
}
