import { openLoop } from "../app/open-loop.ts";
import { continueLoop, NO_MORE } from "../app/lifecycle.ts";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import { isMet, standardOf } from "../core/criterion.ts";
import { AT_THE_BEGINNING } from "../journal/journal.ts";
import type { JournalRecord } from "../journal/record.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { openLocked } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { rememberAgent } from "../run/agent-choice.ts";
import { driveLoop } from "../run/drive.ts";
import type { Project } from "../store/project.ts";
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
  const atWork = new Map<string, Promise<AttemptResult>>();
  return {
    runAttempt: async (envelope, signals) => {
      const { key } = envelope;
      const joined = atWork.get(key);
      if (joined !== undefined) return joined;
      const result = attempt(options, envelope, signals).then(async (outcome) =>
        resultOf(options, envelope, outcome),
      );
      atWork.set(key, result);
      return result.finally(() => atWork.delete(key));
    },
  };
}

async function resultOf(
  options: LocalOptions,
  envelope: AttemptEnvelope,
  outcome: AttemptOutcome,
): Promise<AttemptResult> {
  const { key } = envelope;
  const known = await loopOf(options, envelope);
  if (known === null)
    return { key, outcome, usage: { usd: 0, tokens: 0, priced: true }, evidence: [], journal: [] };
  const { loop, journal } = known.live;
  const { usd, tokens, priced } = loop.spend;
  const evidence = topFrame(loop).criteria.flatMap(({ name, evidence: shown }) =>
    shown === null ? [] : [{ criterion: name, evidence: shown }],
  );
  const records: JournalRecord[] = [];
  await journal.follow(AT_THE_BEGINNING).next((record) => void records.push(record));
  return { key, outcome, usage: { usd, tokens, priced }, evidence, journal: records };
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
  if (ready.type === "stopped") return ready;
  if (ready.type === "failed") return { type: "set-back", setback: ready.setback };
  const machine: Machine = {
    ...options.machine,
    cwd: options.project.root,
    env: { ...options.machine.env, ...ready.env },
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
    interrupts: { asked: () => signals.soon.aborted, now: signals.signal },
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

/** Nothing is left to do for it: it ended, or paused for something that isn't somebody's wish. */
function isOver(loop: Loop): boolean {
  return (
    loop.phase === "completed" ||
    loop.phase === "cancelled" ||
    (loop.phase === "paused" && loop.reason !== "user")
  );
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
      return workshop.keepResult(envelope, loop.confidence);
    case "cancelled":
      return {
        type: "set-back",
        setback: { kind: "failed", detail: "A person cancelled the attempt.", carry: null },
      };
    case "paused": {
      if (loop.reason === "user") return { type: "stopped" };
      const lost = await workshop.keepUnfinished(envelope);
      if (lost !== null) return { type: "set-back", setback: lost };
      const setback = { kind: "failed", detail: whatFailed(loop), carry: null } as const;
      return { type: loop.reason === "blocked" ? "blocked" : "set-back", setback };
    }
  }
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
