import { failingLine } from "../output/failing-line.ts";
import { listed } from "../listed.ts";
import type { Criterion } from "../loop/criterion.ts";
import { NOTHING_MORE, type Actor, type LoopEvent } from "../events/event.ts";
import { evolveAll } from "../events/evolve.ts";
import type { Loop, PauseReason } from "../loop/loop.ts";
import { hasIdleLoopHabits, isDriven, isWorkflow, topFrame } from "../loop/loop.ts";
import { statedConstraints } from "../spec/stated-constraints.ts";
import { asksPeople, majorSteps, NOTHING_ASKED, openFindings } from "../stages/asking.ts";
import { stageOf, type Finding } from "../stages/stages.ts";
import { eventsOfSpending } from "./limits.ts";
import { missingPermission } from "./status-block.ts";
import { blockedReason, eventsOfClaims, saidAtEnd } from "./claims.ts";
import { completionOf, foundOf, outdatedOf, unmetOf, type Completion } from "./completion.ts";
import { failureDigest, holdReason, planHold } from "./hold-reason.ts";
import type { StopFacts, Subject } from "./facts.ts";
import { countBreakers, hostsCap, needsTreeForProgress, trippedBy } from "./breakers.ts";
import { eventsOfProofs } from "./proofs.ts";
import { unheard } from "../loop/words.ts";
import type { Contradiction, Decision, Verdict } from "./verdict.ts";

/**
 * The stop decision: a list of rules in a fixed order. Each one decides or passes to the next. Pure: it asks for what it hasn't
 * seen, and is then called again.
 */
export function decide(subject: Subject, facts: StopFacts): Decision {
  if (facts.disabled) return letGo({ type: "let-go", because: "disabled" });
  if (subject.type === "none" || facts.session === null) return letGo({ type: "let-go", because: "no-loop" });
  if (subject.type === "loop" && subject.loop.binding?.session !== facts.session) {
    return letGo({ type: "let-go", because: "other-session" });
  }
  if (!facts.trusted) return letGo({ type: "let-go", because: "untrusted" });
  if (subject.type === "corrupt") return letGo({ type: "let-go", because: "aborted", why: subject.why });
  const { loop } = subject;
  if (facts.findings.settlement !== undefined && loop.phase !== "active") return settledAs(loop);
  if (loop.phase === "paused" && !isOver(loop, facts))
    return letGo({ type: "let-go", because: "paused-before" });
  if (loop.phase !== "active" && loop.phase !== "paused") return letGo({ type: "let-go", because: "ended" });
  if (subject.damage !== undefined) return letGo({ type: "let-go", because: "aborted", why: subject.damage });
  if (facts.stop !== "end-of-turn") return passBy(facts.stop);
  return judge(new Judgement(loop, facts));
}

/** This stop's settlement ended or paused the loop, and nobody has said so yet. */
function settledAs(loop: Loop & { readonly phase: "paused" | "completed" | "cancelled" }): Decision {
  switch (loop.phase) {
    case "completed":
      return letGo({ type: "let-go", because: "completed", confidence: loop.confidence, why: loop.why });
    case "paused":
      return letGo({ type: "let-go", because: "paused", reason: loop.reason, detail: loop.detail });
    case "cancelled":
      return letGo({ type: "let-go", because: "ended" });
  }
}

const GOES_ON: LoopEvent = { type: "loop.continued", ...NOTHING_MORE, by: "machine" };

/** A usage limit is over when the session works again, without anybody saying so. */
function isOver(loop: Loop & { readonly phase: "paused" }, facts: StopFacts): boolean {
  return loop.reason === "rate-limit" && facts.stop === "end-of-turn";
}

function eventsOfTurn({ turn }: StopFacts): readonly LoopEvent[] {
  if (turn === undefined) return [];
  const { id, outcome, said, reportedUsd, reportedTokens } = turn;
  return [{ type: "turn.ended", turn: id, outcome, said, reportedUsd, reportedTokens }];
}

/** Applies the events that are already certain in this decision to the loop. */
class Judgement {
  loop: Loop;
  readonly before: Loop;
  readonly facts: StopFacts;
  readonly #events: LoopEvent[] = [];

  constructor(loop: Loop, facts: StopFacts) {
    this.loop = loop;
    this.before = loop;
    this.facts = facts;
  }

  record(...events: readonly LoopEvent[]): void {
    this.#events.push(...events);
    this.loop = evolveAll(this.loop, events, this.facts.now);
  }

  end(verdict: Verdict): Decision {
    return { type: "verdict", verdict, events: this.#events };
  }

  pause(reason: PauseReason, detail: string | null, by: Actor = "machine"): Decision {
    this.record({ type: "loop.paused", reason, detail, by });
    return this.end({ type: "let-go", because: "paused", reason, detail });
  }
}

/** Whether must-nots were given, or the spec says in words what must not be. */
function isForbidding({ mustNots, frames: [{ spec }] }: Loop): boolean {
  return mustNots.length > 0 || statedConstraints(spec).length > 0;
}

function judge(judgement: Judgement): Decision {
  const { facts } = judgement;
  if (facts.findings.mustNots === undefined && isForbidding(judgement.loop)) {
    return { type: "needs", needs: [{ type: "must-nots" }] };
  }
  if (judgement.loop.phase === "paused") judgement.record(GOES_ON);
  judgement.record(...(facts.spent === null ? [] : eventsOfSpending(facts.spent)), ...eventsOfTurn(facts));
  judgement.record(...eventsOfClaims(judgement.loop, saidAtEnd(judgement.loop, facts)));

  const violated = facts.findings.mustNots?.find((finding) => finding.violation !== null);
  if (violated !== undefined) {
    return judgement.pause("must-not", `${violated.mustNot}: ${violated.violation}`);
  }
  const blocked = blockedReason(facts.said);
  if (blocked !== null) return judgement.pause("blocked", blocked, "agent");
  if (isStale(judgement.loop, facts)) return judgement.pause("stale", silenceOf(judgement.loop, facts));
  if (stageOf(judgement.loop) === "intent") return waitForAnswers(judgement);

  const completion = completionOf(judgement.loop, facts.said, facts.findings, facts.turn !== undefined);
  if (completion.type === "needs") return completion;
  // Only a final decision is recorded, so progress is asked for before anything is counted.
  if (completion.type !== "satisfied" && needsTreeForProgress(judgement.loop, facts)) {
    return { type: "needs", needs: [{ type: "tree" }] };
  }
  recordEvidence(judgement);
  return conclude(judgement, completion);
}

function conclude(judgement: Judgement, completion: Exclude<Completion, { type: "needs" }>): Decision {
  const isInner = judgement.loop.frames.length > 1;
  switch (completion.type) {
    case "checks-running":
      return waitForChecks(judgement, completion.names);
    case "satisfied":
      // Nobody has done yet what a person said meanwhile.
      if (unheard(judgement.loop.words).length > 0) return goOn(judgement);
      if (isInner) return popFrame(judgement, "satisfied");
      return complete(judgement, completion);
    case "contradicted":
      return contradict(judgement, completion.contradictions);
    case "unknown-files":
      return judgement.pause("blocked", UNKNOWN_FILES);
    case "given-up":
      if (isInner) return popFrame(judgement, completion.outcome);
      return judgement.pause(completion.outcome, "the agent says that it cannot continue");
    case "unsatisfied":
      return isMereAnswer(judgement) ? waitForAnswers(judgement) : goOn(judgement, completion);
  }
}

/**
 * A person asked a colleague something, and was answered in words alone: that is no iteration, and nobody is stuck. The loop still
 * waits for their word.
 */
function isMereAnswer({ loop, facts }: Judgement): boolean {
  const { iteration, exitSignal, breakers } = topFrame(loop);
  const isAnswer = !facts.continuesHold && facts.toolUses === 0 && iteration > 0 && !exitSignal;
  const isColleague =
    loop.shape === "colleague" && facts.personPresent && !isWorkflow(loop) && !isDriven(loop);
  return isAnswer && isColleague && trippedBy(loop, breakers, facts) === null;
}

const UNKNOWN_FILES =
  "reading the project's files took too long, so it is unknown on which files the checks pass; see `loop doctor`";

function complete(judgement: Judgement, completion: Completion & { type: "satisfied" }): Decision {
  const { confidence, why, changed } = completion;
  judgement.record({ type: "loop.completed", confidence, why, changed });
  return judgement.end({ type: "let-go", because: "completed", confidence, why });
}

/** Holds once. If the agent comes back with the same files changed, it means it, and a person has to decide. */
function contradict(
  judgement: Judgement,
  contradictions: Extract<Completion, { type: "contradicted" }>["contradictions"],
): Decision {
  const again = contradictions.find(
    ({ kind, name, files }) => kind === "judge" && isToldBefore(judgement.before, name, files),
  );
  if (again === undefined) return goOn(judgement, { contradictions });
  const { name, files, output, detail } = again;
  const line = failingLine(output ?? "") ?? detail;
  const quoted = line === "" ? "" : `: ${line.slice(0, LONGEST_QUOTED)}`;
  return judgement.pause(
    "blocked",
    `"${name}" fails with the original tests${quoted} (changed since: ${listed(files, MOST_LISTED)}); if the change is right: loop approve`,
  );
}

function isToldBefore(loop: Loop, name: string | null, files: readonly string[]): boolean {
  const told = topFrame(loop).criteria.find((each) => each.name === name)?.judgedAgainst ?? null;
  return told !== null && told.join("\n") === files.join("\n");
}

const MOST_LISTED = 5;
const LONGEST_QUOTED = 200;

/** What is meant is the user's to say, and the agent has to stop to hear it. */
function waitForAnswers(judgement: Judgement): Decision {
  judgement.record({ type: "wait.began", what: "awaiting-user" });
  return judgement.end({ type: "let-go", because: "not-an-end", stop: "awaiting-user" });
}

/** Holds without counting an iteration: the checks decide, and they aren't done. Spending is still charged. */
function waitForChecks(judgement: Judgement, names: readonly string[]): Decision {
  const { loop, facts } = judgement;
  const trip = trippedBy(loop, topFrame(loop).breakers, facts);
  if (trip?.reason === "budget") return judgement.pause(trip.reason, trip.detail);
  const cap = hostsCap(facts);
  if (cap !== null) return judgement.pause(cap.reason, cap.detail);
  judgement.record({ type: "wait.began", what: "checks" });
  return judgement.end({ type: "hold", because: "checks-running", names });
}

function popFrame(judgement: Judgement, outcome: "satisfied" | "stuck" | "iterations"): Decision {
  const inner = topFrame(judgement.loop);
  judgement.record({ type: "frame.popped", outcome });
  // The outer frame pays for what the inner one used; otherwise each new frame would start afresh. A run has no nested frames.
  const mayNestAgain = judgement.loop.origin === "native" && judgement.facts.turn === undefined;
  if (mayNestAgain && inner.iteration > 0) {
    const iteration = topFrame(judgement.loop).iteration + inner.iteration;
    judgement.record({ type: "iteration.adopted", iteration });
  }
  if (hasIdleLoopHabits(judgement.loop)) return judgement.end({ type: "let-go", because: "frame-popped" });
  return goOn(judgement);
}

/** Not finished: pauses if only a person can help or a limit is reached, hands back for a colleague, and holds otherwise. */
function goOn(
  judgement: Judgement,
  { failing = [], isClaimed = true, contradictions = [] }: Unfinished = {},
): Decision {
  const { facts } = judgement;
  const open = findingsForUser(judgement);
  // The agent was told to ask, and has to stop to hear the answer.
  if (open.length > 0 && isAskedAbout(judgement.before)) return waitForAnswers(judgement);
  const denied = facts.turn?.denials ?? [];
  // Told once, an agent can go on without it. One that asks again needs it.
  if (denied.some((each) => judgement.before.denied.includes(each)))
    return judgement.pause("blocked", missingPermission(denied));
  if (denied.length > 0) judgement.record({ type: "permission.denied", denials: denied });
  const unmet = [
    ...new Set([
      ...unmetOf(judgement.loop, facts.findings),
      ...contradictions.flatMap(({ name }) => name ?? []),
    ]),
  ];
  const inTheWay = unmet.length > 0 ? unmet : contradictions.map(({ detail }) => detail);
  const breakers = countBreakers(judgement.loop, facts, inTheWay, isClaimed ? failing : []);
  judgement.record({ type: "breakers.counted", breakers });
  const trip = trippedBy(judgement.loop, breakers, facts);
  if (trip !== null) return judgement.pause(trip.reason, trip.detail);
  if (isAtItsCap(judgement)) return judgement.pause("budget", "the agent stopped at its budget");

  const frame = topFrame(judgement.loop);
  const iteration = frame.iteration + 1;
  const mayAsk = facts.personPresent && open.length === 0 && !hasWordsForSession(judgement);
  if (mayAsk && asksNow(judgement)) {
    judgement.record({ type: "iteration.handed-back", iteration });
    return judgement.end({ type: "let-go", because: "handed-back", iteration });
  }
  const reason = {
    ...holdReason(judgement.loop, iteration, unmet, failing, contradictions),
    outdated: outdatedOf(judgement.loop, facts.findings.tree).filter((name) => unmet.includes(name)),
    denied,
    plan: isWorkflow(judgement.loop)
      ? { ...planHold(judgement.loop, facts.findings.settlement ?? null), findings: open }
      : null,
  };
  const sentFailure =
    failing.length === 0 ? (judgement.loop.sentFailure ?? "") : failing.map(failureDigest).join("\n");
  judgement.record({ type: "iteration.held", iteration, sentFailure });
  // A driven turn passes them on in its prompt.
  if (reason.words.length > 0 && facts.turn === undefined && !reason.bare)
    judgement.record({ type: "words.heard", count: judgement.loop.words.length, turn: null });
  return judgement.end({ type: "hold", because: "unfinished", reason });
}

/** What shows that the work isn't finished. Failures count as errors only where somebody claims the end. */
interface Unfinished {
  readonly failing?: readonly Criterion[];
  readonly isClaimed?: boolean;
  readonly contradictions?: readonly Contradiction[];
}

/** A session hears what a person said elsewhere in a hold; a driven turn in its prompt. */
function hasWordsForSession({ loop, facts }: Judgement): boolean {
  return facts.turn === undefined && unheard(loop.words).length > 0;
}

/** The agent's own count of its spending decides, even if ours is a little lower, unless the budget was raised since. */
function isAtItsCap({ loop, before, facts }: Judgement): boolean {
  return facts.turn?.cappedItself === true && before.driven?.turn?.budgetUsd === loop.limits.budgetUsd;
}

/**
 * A colleague asks after each iteration, and so does a driven loop with a vague spec: its check says what done means, not how
 * to get there. A tool under review asks when something major is done.
 */
function asksNow({ loop, before }: Judgement): boolean {
  if (loop.shape === "colleague") return true;
  if (loop.shape === "intent" || loop.shape === "blocked") return isDriven(loop);
  if (loop.shape !== "tool-review") return false;
  // What a session's workflow achieves is recorded between its stops.
  if (isWorkflow(loop)) return majorSteps(loop) > (before.asked ?? NOTHING_ASKED).steps;
  return achieved(loop) > achieved(before);
}

/** What a review found, where its user decides about it. */
function findingsForUser({ loop, facts }: Judgement): readonly Finding[] {
  const isTheirs = facts.personPresent && facts.turn === undefined && asksPeople(loop.shape);
  return isTheirs ? openFindings(loop) : [];
}

function isAskedAbout({ asked = NOTHING_ASKED, stages }: Loop): boolean {
  return asked.round >= (stages?.reviews.length ?? 0);
}

function achieved(loop: Loop): number {
  const { steps, criteria, tasks } = topFrame(loop);
  const done = steps.filter((step) => step.done).length + criteria.filter((each) => each.everMet).length;
  return done + tasks.filter((task) => task.status === "completed").length;
}

function recordEvidence(judgement: Judgement): void {
  for (const criterion of topFrame(judgement.loop).criteria) {
    const evidence = foundOf(criterion, judgement.facts.findings);
    if (evidence === null) continue;
    judgement.record({ type: "check.ran", name: criterion.name, evidence, atStart: false });
  }
  const { proven } = judgement.facts.findings;
  if (proven !== undefined) judgement.record(...eventsOfProofs(topFrame(judgement.loop), proven));
}

/** Silence counts up to the start of the turn that now ends, not within it, and not during a known wait. */
function isStale(loop: Loop, facts: StopFacts): boolean {
  if (loop.waiting) return false;
  return silentMs(loop, facts) > loop.limits.ttlMs;
}

function silentMs(loop: Loop, facts: StopFacts): number {
  if (facts.continuesHold) return 0;
  if (loop.turnStartedAt !== null && loop.turnStartedAt >= loop.activeAt)
    return loop.turnStartedAt - loop.activeAt;
  return Math.max(0, facts.now - loop.activeAt);
}

function silenceOf(loop: Loop, facts: StopFacts): string {
  return `silent for ${Math.floor(silentMs(loop, facts) / 60_000)} minutes before this turn`;
}

function passBy(stop: Exclude<StopFacts["stop"], "end-of-turn">): Decision {
  const verdict: Verdict = { type: "let-go", because: "not-an-end", stop };
  // An announced wait isn't silence. A subagent's stop says nothing about the loop's own turn.
  const events: readonly LoopEvent[] =
    stop === "subagent" || stop === "interrupt" ? [] : [{ type: "wait.began", what: stop }];
  return { type: "verdict", verdict, events };
}

function letGo(verdict: Verdict): Decision {
  return { type: "verdict", verdict, events: [] };
}
