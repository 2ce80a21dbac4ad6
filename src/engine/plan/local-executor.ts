import { continueLoop, NO_MORE } from "../lifecycle/lifecycle.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { JournalRecord } from "../../storage/journal/record.ts";
import { lessonsOf } from "../learnings/lessons.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { rememberAgent, type AgentChoice } from "../run/agent-choice.ts";
import { driveLoop } from "../run/drive.ts";
import { keepLiveNote } from "../run/live-note-file.ts";
import type { Project } from "../../storage/home/project.ts";
import type { Guardians } from "../../system/process/guardian.ts";
import { beginAttempt } from "./begin-attempt.ts";
import type { AttemptEnvelope, AttemptOutcome, AttemptResult, AttemptSignals, Executor } from "./executor.ts";
import { NOTHING_SHOWN, untoldUsage } from "./executor.ts";
import { failureOf } from "./stages/retry-advice.ts";
import { keepAttempt, refusal } from "./keep-attempt.ts";
import { unlessUnreadable } from "./lost-records.ts";
import type { Workspace } from "./workspace.ts";

interface LocalOptions {
  readonly machine: Machine;
  readonly project: Project;
  readonly cli: string;
  readonly workspace: Workspace;
  readonly choiceFor: (envelope: AttemptEnvelope) => AgentChoice;
  readonly guardians?: Guardians;
}

/** Runs attempts in this process, each as a plain loop in a worktree of its own. */
export function localExecutor(options: LocalOptions): Executor {
  const atWork = new Map<string, Promise<AttemptResult>>();
  return {
    runAttempt: async (envelope, signals) => {
      const { key } = envelope;
      const joined = atWork.get(key);
      if (joined !== undefined) return joined;
      const result = attempt(options, envelope, signals).then(async (made) => resultOf(envelope, made));
      atWork.set(key, result);
      return result.finally(() => atWork.delete(key));
    },
  };
}

interface Made {
  readonly outcome: AttemptOutcome;
  /** Its loop as it was last seen; null: nobody has opened one. */
  readonly own: KnownLoop | null;
  /** An agent may have been paid. */
  readonly wasDriven: boolean;
}

async function attempt(
  options: LocalOptions,
  envelope: AttemptEnvelope,
  signals: AttemptSignals,
): Promise<Made> {
  const { workspace, choiceFor } = options;
  const begun = await beginAttempt(
    {
      ...options,
      binding: null,
      prepare: (id, root) => rememberAgent(options.machine.home, root, id, choiceFor(envelope)),
    },
    envelope,
    signals.signal,
  );
  if (begun.type === "over") return { outcome: begun.outcome, own: begun.own, wasDriven: false };
  const { machine, own, release } = begun;
  const note = keepLiveNote(machine, own.live.project, own.id);
  try {
    if (own.live.loop.phase === "paused") await continueLoop(machine, own, NO_MORE);
    const loop = await driveLoop(machine, own, {
      choice: choiceFor(envelope),
      cli: options.cli,
      guardians: options.guardians,
      interrupts: { asked: () => signals.soon.aborted || signals.signal.aborted, now: signals.signal },
      person: null,
      tell: (news) => {
        note.tell(news);
        signals.tell(news);
      },
      waitsUntil: signals.waitsUntil,
      advise: async (driven) => (await signals.advise?.(failureOf(topFrame(driven).criteria))) ?? null,
      turnUsd: envelope.turnUsd,
    });
    const outcome = (await refusal(own.live)) ?? (await keepAttempt(workspace, envelope, loop));
    return { outcome, own, wasDriven: true };
  } finally {
    note.forget();
    release();
  }
}

/** What it came to stands, whatever became of its records since. */
async function resultOf(
  envelope: AttemptEnvelope,
  { outcome, own, wasDriven }: Made,
): Promise<AttemptResult> {
  const { key } = envelope;
  const journal = own === null ? null : await recordsOf(own).catch(unlessUnreadable);
  if (own === null || journal === null)
    return { ...NOTHING_SHOWN, ...(wasDriven ? untoldUsage(envelope) : {}), key, outcome };
  const { loop } = own.live;
  const { usd, tokens, priced } = loop.spend;
  const usage = { usd, turnUsd: loop.dearestTurnUsd, tokens, priced };
  const evidence = topFrame(loop).criteria.flatMap(({ name, evidence: shown }) =>
    shown === null ? [] : [{ criterion: name, evidence: shown }],
  );
  const events = journal.flatMap((record) => record.events);
  return { key, outcome, usage, evidence, learnings: lessonsOf(loop, events), journal };
}

async function recordsOf({ live }: KnownLoop): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  await live.journal.follow(AT_THE_BEGINNING).next((record) => void records.push(record));
  return records;
}
