import { openLoop } from "../app/open-loop.ts";
import { continueLoop, NO_MORE } from "../app/lifecycle.ts";
import type { Confidence, Loop, PauseReason } from "../core/loop.ts";
import { isEnded, topFrame } from "../core/loop.ts";
import { isMet, standardOf } from "../core/criterion.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { openLocked } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { rememberAgent } from "../run/agent-choice.ts";
import { driveLoop } from "../run/drive.ts";
import type { Project } from "../store/project.ts";
import { ownCriterion } from "./envelope.ts";
import type { AttemptEnvelope, AttemptOutcome, AttemptResult, AttemptSignals, Executor } from "./executor.ts";
import type { Workshop } from "./workshop.ts";

interface LocalOptions {
  readonly machine: Machine;
  readonly project: Project;
  readonly cli: string;
  readonly workshop: Workshop;
  readonly choiceFor: (envelope: AttemptEnvelope) => AgentChoice;
}

/** Runs attempts in this process, each as a plain loop in a worktree of its own. */
export function localExecutor(options: LocalOptions): Executor {
  return {
    runAttempt: async (envelope, signals) => {
      const outcome = await attempt(options, envelope, signals);
      const loop = await loopOf(options, envelope);
      const { usd, tokens, priced } = loop?.live.loop.spend ?? { usd: 0, tokens: 0, priced: true };
      return { key: envelope.key, outcome, usage: { usd, tokens, priced } } satisfies AttemptResult;
    },
  };
}

async function attempt(
  options: LocalOptions,
  envelope: AttemptEnvelope,
  signals: AttemptSignals,
): Promise<AttemptOutcome> {
  const { workshop } = options;
  const known = await loopOf(options, envelope);
  if (known !== null && isOver(known.live.loop)) return keep(options, envelope, known.live.loop);
  const ready = await workshop.prepare(envelope, { isOpened: known !== null }, signals.signal);
  if (ready.type === "stopped" || ready.type === "paused") return ready;
  if (ready.type === "failed") return { type: "set-back", setback: ready.setback };
  try {
    return await workIn(ready.env, options, envelope, signals, known);
  } finally {
    ready.release();
  }
}

async function workIn(
  env: NodeJS.ProcessEnv,
  options: LocalOptions,
  envelope: AttemptEnvelope,
  signals: AttemptSignals,
  known: LockedLoop | null,
): Promise<AttemptOutcome> {
  const { workshop, project } = options;
  const machine: Machine = {
    ...options.machine,
    cwd: project.root,
    env: { ...options.machine.env, ...env },
  };
  const chosen = known ?? (await open(machine, options, envelope));
  if (topFrame(chosen.live.loop).launched === 0) {
    if (envelope.mayBeDone && allMet(chosen.live.loop)) return completeUnchanged(chosen, envelope);
    if (envelope.carry !== null) await workshop.layOver(envelope);
  }
  if (chosen.live.loop.phase === "paused") await continueLoop(machine, chosen, NO_MORE);
  const loop = await driveLoop(machine, chosen, {
    choice: options.choiceFor(envelope),
    cli: options.cli,
    interrupts: { asked: () => signals.soon.aborted || signals.signal.aborted, now: signals.signal },
    person: null,
    tell: signals.tell,
    waitsUntil: signals.waitsUntil,
  });
  return keep(options, envelope, loop);
}

async function loopOf(
  { machine, project }: LocalOptions,
  { loop }: AttemptEnvelope,
): Promise<LockedLoop | null> {
  const ids = await machine.journals(project).list();
  return ids.includes(loop) ? openLocked(machine, project, loop) : null;
}

async function open(machine: Machine, options: LocalOptions, envelope: AttemptEnvelope): Promise<LockedLoop> {
  const { spec, criteria, mustNots, protects, mayChange, proof, limits, iterationLimit } = envelope;
  return openLoop(machine, {
    spec,
    criteria,
    mustNots,
    protects,
    mayChange,
    proof,
    steps: [],
    exitRule: "criteria",
    mode: "loop",
    shape: "tool",
    limits: { limits, iterationLimit, notices: [] },
    redFirst: true,
    nested: false,
    binding: null,
    id: envelope.loop,
    attemptOf: { loop: envelope.workflow, task: envelope.task, number: envelope.number },
    work: { worktree: envelope.worktree, folder: envelope.folder },
    prepare: (id, root) => rememberAgent(machine.home, root, id, options.choiceFor(envelope)),
  });
}

function allMet(loop: Loop): boolean {
  const { criteria } = topFrame(loop);
  return criteria.length > 0 && criteria.every((each) => isMet(each, standardOf(loop)));
}

/** What an attempt can simply go on after. */
const RESUMABLE: ReadonlySet<PauseReason> = new Set(["user", "rate-limit"]);

/** Nothing is left to do for it: it ended, or paused for something that only another attempt can do better. */
function isOver(loop: Loop): boolean {
  return isEnded(loop) || (loop.phase === "paused" && !RESUMABLE.has(loop.reason));
}

/** Its checks pass before any work, and no agent is needed. */
async function completeUnchanged({ live }: LockedLoop, envelope: AttemptEnvelope): Promise<AttemptOutcome> {
  const loop = await live.record(({ phase }) =>
    phase === "active" ? [{ type: "loop.completed", confidence: "verified", why: [], changed: null }] : [],
  );
  return loop.phase === "completed" ? keepUnchanged(envelope) : { type: "stopped" };
}

function keepUnchanged({ base }: AttemptEnvelope): AttemptOutcome {
  return { type: "finished", commit: base, confidence: "verified" };
}

/** What the attempt came to. Its files are in a ref before anybody is told. */
async function keep(
  { workshop }: LocalOptions,
  envelope: AttemptEnvelope,
  loop: Loop,
): Promise<AttemptOutcome> {
  switch (loop.phase) {
    case "active":
      return { type: "stopped" };
    case "completed":
      if (topFrame(loop).launched === 0) return keepUnchanged(envelope);
      return workshop.keepResult(envelope, confidenceIn(envelope, loop.confidence));
    case "cancelled":
      return {
        type: "set-back",
        setback: { kind: "failed", detail: "A person cancelled the attempt.", carry: null, failing: [] },
      };
    case "paused": {
      if (loop.reason === "user") return { type: "stopped" };
      if (loop.reason === "rate-limit")
        return { type: "paused", reason: "rate-limit", detail: loop.detail ?? "its agent met a usage limit" };
      const unkept = await workshop.keepUnfinished(envelope);
      if (unkept !== null) return unkept;
      const setback = { kind: "failed", detail: whatFailed(loop), carry: null, failing: [] } as const;
      return { type: loop.reason === "blocked" ? "blocked" : "set-back", setback };
    }
  }
}

/** That other tasks still hold shows nothing of this one. */
function confidenceIn({ task, criteria }: AttemptEnvelope, shown: Confidence): Confidence {
  return criteria.some(({ name }) => name === ownCriterion(task)) ? shown : "unverified";
}

function whatFailed(loop: Loop & { readonly phase: "paused" }): string {
  const { criteria, tried } = topFrame(loop);
  const failing = criteria
    .filter(({ evidence }) => evidence !== null && !evidence.passed)
    .map(({ name, evidence }) => `${name}: ${evidence?.ending ?? ""}\n${evidence?.outputTail ?? ""}`);
  const said = tried.flatMap(({ said: words }) => (words === null ? [] : [`- ${words}`]));
  return [
    `It paused: ${loop.reason}${loop.detail === null ? "" : ` (${loop.detail})`}.`,
    said.length === 0 ? "" : `The agent said:\n${said.join("\n")}`,
    ...failing,
  ]
    .filter((part) => part !== "")
    .join("\n");
}
