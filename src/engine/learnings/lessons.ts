import type { LoopEvent } from "../../core/events/event.ts";
import { topFrame, type Loop, type PauseReason } from "../../core/loop/loop.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { wholeWords, oneLine } from "../../system/text/plain-text.ts";
import type { Lesson } from "./learning.ts";
import { learn, projectPath, type Keeper } from "./learnings-file.ts";
import { ofTasks, isPlumbing } from "./task-lessons.ts";
import { errorSignature, withoutDigest } from "../../core/stop/error-signature.ts";
import { flagsIn } from "../../core/stop/status-block.ts";

const MOST = 3;
const CONTEXT_LIMIT = 200;
/** Where an attempt worked; it is gone by now. */
const WORKTREE = /[^\s'"(]*\/worktrees\/\w+\/[^/\s]+\/[^/\s]+-\d+\//g;

/** A lesson without its context, which is the same for all of a loop. */
export type Fact = Omit<Lesson, "context">;

/**
 * Keeps what a loop taught that has just completed or paused. If that fails, only the learnings are lost, and the ending stands.
 */
export async function learnFrom(keeper: Keeper, { loop, project, journal }: LiveLoop): Promise<void> {
  try {
    const events = (await followEntries(journal)()).map(({ event }) => event);
    const { attemptOf } = loop;
    const lessons = attemptOf === null ? lessonsOf(loop, events) : discoveriesOf(loop, attemptOf, events);
    learn(keeper, projectPath(project.root), lessons, loop.id);
  } catch {
    // see above
  }
}

/**
 * What a loop that completed or paused teaches, from its journal alone. A fact reads the same whenever it is asked for, so a loop
 * that is asked again, after a kill or a later pause, says nothing twice.
 */
export function lessonsOf(loop: Loop, events: readonly LoopEvent[]): readonly Lesson[] {
  if (loop.phase !== "completed" && loop.phase !== "paused") return [];
  const facts = [
    ...ofApprovals(events),
    ...ofPauses(events),
    ...ofChecks(events),
    ...(loop.workflow === null ? ofIterations(loop, events) : ofTasks(loop, loop.workflow)),
    ...ofAgents(loop, events),
  ];
  const context = wholeWords(topFrame(loop).spec, CONTEXT_LIMIT);
  const unique = new Map(facts.map((fact) => [`${fact.kind} ${fact.text}`, fact]));
  return [...unique.values()].slice(0, MOST).map((fact) => ({ ...fact, context }));
}

/** What worked after a false claim within one attempt; the rest of it is for its workflow to tell. */
export function discoveriesOf(
  loop: Loop,
  { task }: NonNullable<Loop["attemptOf"]>,
  events: readonly LoopEvent[],
): readonly Lesson[] {
  // The spec begins with the task's id and subject.
  const [title = ""] = topFrame(loop).spec.split("\n");
  const subject = title.replace(`${task}: `, "");
  const facts = ofIterations(loop, events, (name) => (name === task ? subject : name));
  return facts
    .filter(({ kind }) => kind === "discovery")
    .map(({ text, ...fact }) => ({
      ...fact,
      text: text.replace(WORKTREE, ""),
      context: wholeWords(subject, CONTEXT_LIMIT),
    }));
}

const FAILED = 0.5;
const FIXED = { verified: 0.7, weak: 0.5, unverified: 0 } as const;
const FAILURE_LIMIT = 140;
const SHOWN_FILES = 4;

/** Cause and cure: what failed last, and the change after which it passed. `titleOf`: what a check is called. */
function ofIterations(
  loop: Loop,
  events: readonly LoopEvent[],
  titleOf: (name: string) => string = (name) => name,
): readonly Fact[] {
  const vain = events.flatMap((event, index): readonly Fact[] => {
    if (event.type !== "loop.paused" || !IN_VAIN.has(event.reason)) return [];
    const unmet = lastFailure(events.slice(0, index), titleOf);
    return unmet === null
      ? []
      : [{ kind: "failure", text: `${unmet}, until it paused: ${event.reason}`, confidence: FAILED }];
  });
  return [...cureOf(loop, lastFailure(events, titleOf)), ...vain];
}

/** Pauses after much work that came to nothing. */
const IN_VAIN: ReadonlySet<PauseReason> = new Set([
  "stuck",
  "same-error",
  "thrashing",
  "no-progress",
  "iterations",
  "budget",
]);

function cureOf(loop: Loop, failure: string | null): readonly Fact[] {
  if (loop.phase !== "completed" || failure === null) return [];
  const files = (loop.changed?.source ?? []).slice(0, SHOWN_FILES).map((file) => oneLine(file, 80));
  if (loop.confidence === "unverified" || files.length === 0) return [];
  const text = `${failure} until ${files.join(", ")} changed`;
  return [{ kind: "discovery", text, confidence: FIXED[loop.confidence] }];
}

/** The last one of the work; null: none. Failures of the opening are the work itself. */
function lastFailure(events: readonly LoopEvent[], titleOf: (name: string) => string): string | null {
  const failed = events
    .filter((event) => event.type === "check.ran")
    .findLast(({ atStart, evidence }) => !atStart && !evidence.passed && !isPlumbing(evidence.outputTail));
  if (failed === undefined) return null;
  const signature = withoutDigest(errorSignature(failed.name, failed.evidence.outputTail));
  return `"${oneLine(titleOf(failed.name), 80)}" failed (${shortOf(signature, failed.name)})`;
}

/** A signature begins with the name of its check, and may count other failures. */
function shortOf(signature: string, name: string): string {
  const message = signature.startsWith(`${name}: `) ? signature.slice(name.length + 2) : signature;
  return wholeWords(message.replace(/ and \d+ more$/, ""), FAILURE_LIMIT);
}

const FLAKY = 0.8;
const JUDGED = 0.6;
const JUDGING_FILES = 3;

/** What the proofs showed about the checks. Nothing of a holdout, which no agent may know. */
function ofChecks(events: readonly LoopEvent[]): readonly Fact[] {
  return events.flatMap((event): readonly Fact[] => {
    if (event.type !== "proof.shown" || event.name === null || event.proof.result !== "fails") return [];
    const name = oneLine(event.name, 80);
    const { kind, files } = event.proof;
    if (kind === "repeat") {
      const text = `The check "${name}" is flaky: it gave two results for the same files.`;
      return [{ kind: "discovery", text, confidence: FLAKY }];
    }
    if (kind !== "judge" || files.length === 0) return [];
    const named = files.slice(0, JUDGING_FILES).map((file) => oneLine(file, 80));
    const text = `Changing ${named.join(", ")} made "${name}" pass and did not count: the earlier version still failed.`;
    return [{ kind: "constraint", text, confidence: JUDGED }];
  });
}

const SURE = 0.7;

/** Tests that a person let change: the next loop about them may ask for that at its start. */
function ofApprovals(events: readonly LoopEvent[]): readonly Fact[] {
  const names = events.flatMap((event) => (event.type === "opening.approved" ? event.names : []));
  const files = [...new Set(names)].slice(0, JUDGING_FILES).map((name) => oneLine(name, 80));
  if (files.length === 0) return [];
  const flags = files.map((file) => `--may-change '${file}'`).join(" ");
  return [constraint(`The user accepted changes of what judges the work: ${flags}`, SURE)];
}

/** Often an agent's own words for what it needs. */
const SAID = 0.5;

/** What had to be kept to: must-nots that were violated, permissions and people that were missing. */
function ofPauses(events: readonly LoopEvent[]): readonly Fact[] {
  return events.flatMap((event, index): readonly Fact[] => {
    if (event.type !== "loop.paused" || event.detail === null) return [];
    const { reason, detail } = event;
    if (reason === "must-not")
      return [constraint(`The work violated a must-not: ${oneLine(detail, 300)}`, SURE)];
    if (reason !== "blocked" || isPlumbing(detail)) return [];
    const flags = flagsIn(detail);
    if (flags.length > 0) return [constraint(`The agent needed ${flags.join(" ")}`, SURE)];
    const answer = answerTo(events.slice(index + 1));
    if (answer === null) return [constraint(`It paused for a person: ${oneLine(detail, 300)}`, SAID)];
    const text = `Asked "${wholeWords(detail, 160)}", the user said: ${wholeWords(answer, 160)}`;
    return [constraint(text, SURE)];
  });
}

/** What a person said before anybody worked on. */
function answerTo(after: readonly LoopEvent[]): string | null {
  const next = after.find(({ type }) => type === "words.told" || type === "turn.launched");
  return next?.type === "words.told" ? next.text : null;
}

function constraint(text: string, confidence: number): Fact {
  return { kind: "constraint", text, confidence };
}

const TOOK_OVER = 0.6;
/** It says more about that day than about the project. */
const LIMITED = 0.3;

/** Which agents worked on it, in whose place, and which met a usage limit. */
function ofAgents(loop: Loop, events: readonly LoopEvent[]): readonly Fact[] {
  const agents: string[] = [];
  const limited = new Set<string>();
  for (const event of events) {
    if (event.type === "run.began" || event.type === "attempt.started") {
      const agent = oneLine(event.type === "run.began" ? event.driver : event.agent, 40);
      if (agents.at(-1) !== agent) agents.push(agent);
    }
    if (event.type === "usage-limit.met") limited.add(agents.at(-1) ?? "the agent");
    if (event.type === "agent.limited") limited.add(oneLine(event.agent, 40));
  }
  const [first, ...others] = agents;
  const last = others.at(-1);
  const isTakenOver = loop.phase === "completed" && last !== undefined && last !== first;
  return [
    ...(isTakenOver ? [delegation(`${last} took over from ${first} and completed it.`, TOOK_OVER)] : []),
    ...[...limited].map((agent) => delegation(`${agent} met its usage limit on this work.`, LIMITED)),
  ];
}

function delegation(text: string, confidence: number): Fact {
  return { kind: "delegation", text, confidence };
}
