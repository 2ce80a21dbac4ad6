import { continueLoop, NO_MORE } from "../lifecycle/lifecycle.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { JournalRecord } from "../../storage/journal/record.ts";
import { lessonsOf } from "../learnings/lessons.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { rememberAgent } from "../run/agent-choice.ts";
import { driveLoop } from "../run/drive.ts";
import type { Project } from "../../storage/home/project.ts";
import { beginAttempt, loopOfAttempt } from "./begin-attempt.ts";
import type { AttemptEnvelope, AttemptOutcome, AttemptResult, AttemptSignals, Executor } from "./executor.ts";
import { NOTHING_SHOWN, untoldUsage } from "./executor.ts";
import { keepAttempt } from "./keep-attempt.ts";
import { unlessUnreadable } from "./lost-records.ts";
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
      const result = attempt(options, envelope, signals).then(async (made) =>
        resultOf(options, envelope, made),
      );
      atWork.set(key, result);
      return result.finally(() => atWork.delete(key));
    },
  };
}

async function resultOf(
  options: LocalOptions,
  envelope: AttemptEnvelope,
  { outcome, wasDriven }: Made,
): Promise<AttemptResult> {
  const { key } = envelope;
  // What it came to stands, whatever became of its records since.
  const known = await loopOfAttempt(options.machine, options.project, envelope).catch(unlessUnreadable);
  if (known === null) return { ...NOTHING_SHOWN, ...(wasDriven ? untoldUsage(envelope) : {}), key, outcome };
  const { loop, journal } = known.live;
  const { usd, tokens, priced } = loop.spend;
  const usage = { usd, turnUsd: loop.dearestTurnUsd, tokens, priced };
  const evidence = topFrame(loop).criteria.flatMap(({ name, evidence: shown }) =>
    shown === null ? [] : [{ criterion: name, evidence: shown }],
  );
  const records: JournalRecord[] = [];
  await journal.follow(AT_THE_BEGINNING).next((record) => void records.push(record));
  const events = records.flatMap((record) => record.events);
  return { key, outcome, usage, evidence, learnings: lessonsOf(loop, events), journal: records };
}

interface Made {
  readonly outcome: AttemptOutcome;
  /** An agent may have been paid. */
  readonly wasDriven: boolean;
}

async function attempt(
  options: LocalOptions,
  envelope: AttemptEnvelope,
  signals: AttemptSignals,
): Promise<Made> {
  const { workshop, choiceFor } = options;
  const begun = await beginAttempt(
    {
      ...options,
      binding: null,
      prepare: (id, root) => rememberAgent(options.machine.home, root, id, choiceFor(envelope)),
    },
    envelope,
    signals.signal,
  );
  if (begun.type === "over") return { outcome: begun.outcome, wasDriven: false };
  const { machine, own, release } = begun;
  try {
    if (own.live.loop.phase === "paused") await continueLoop(machine, own, NO_MORE);
    const loop = await driveLoop(machine, own, {
      choice: choiceFor(envelope),
      cli: options.cli,
      interrupts: { asked: () => signals.soon.aborted || signals.signal.aborted, now: signals.signal },
      person: null,
      tell: signals.tell,
      waitsUntil: signals.waitsUntil,
      turnUsd: envelope.turnUsd,
    });
    return { outcome: await keepAttempt(workshop, envelope, loop), wasDriven: true };
  } finally {
    release();
  }
}
