import { setTimeout as sleep } from "node:timers/promises";
import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { AttemptEnvelope, AttemptResult, AttemptSignals } from "../plan/executor.ts";
import { acceptResult, readTold, type Accepting, type Told } from "./accept-result.ts";
import type { AttemptMirror } from "./attempt-mirror.ts";
import type { Execution, FleetEngine } from "./fleet-engine.ts";
import type { Followed } from "./job-watch.ts";
import { pinnedKeys } from "./keys.ts";
import { seenWorkers } from "./roster.ts";
import type { AttemptSender } from "./send-attempt.ts";
import { lostResult, stoppedAfterSpending } from "./untold-results.ts";

interface Concluding {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly project: Project;
  readonly times: { readonly leaseMs: number; readonly lookMs: number };
  readonly sender: AttemptSender;
  readonly ask: Accepting["ask"];
}

/** An execution that was followed as long as there was something to follow. */
interface FollowedExecution {
  readonly envelope: AttemptEnvelope;
  readonly execution: Execution;
  readonly followed: Followed;
  readonly mirror: AttemptMirror;
  readonly signals: AttemptSignals;
}

/** What came of an attempt; null: it was asked for once more. */
export async function concludeExecution(
  concluding: Concluding,
  ended: FollowedExecution,
): Promise<AttemptResult | null> {
  const { machine, sender } = concluding;
  const { envelope, execution, followed, mirror, signals } = ended;
  const { state, wasOver, workerName } = followed;
  const isStopped = signals.signal.aborted || signals.soon.aborted;
  switch (state.type) {
    case "waiting":
    case "running":
      return stoppedAfterSpending(envelope, mirror);
    case "withdrawn":
      if (isStopped) return stoppedAfterSpending(envelope, mirror);
      return sender.send(envelope, execution.exec + 1, execution.queue);
    case "unknown":
      return sender.send(envelope, execution.exec, execution.queue);
    case "lost":
      return lostResult(
        envelope,
        mirror,
        `Its worker${workerName === null ? "" : ` ${workerName}`} stopped answering.`,
      );
    case "completed": {
      const told = readTold(state.result, followed, pinnedKeys(machine.home, "workers"));
      if (typeof told === "string") return lostResult(envelope, mirror, `Its result was refused: ${told}`);
      if (isHandedBack(told, { wasOver, isStopped })) return resumeThere(concluding, ended, told);
      // Also where its worker never said that it had begun: what others made is checked here.
      signals.placed?.(told.result.worker);
      return acceptResult(accepting(concluding, ended), told);
    }
  }
}

/** Its worker has its files and its conversation. If it doesn't come back, another attempt carries on what it had done. */
async function resumeThere(
  concluding: Concluding,
  ended: FollowedExecution,
  told: Told,
): Promise<AttemptResult | null> {
  const { engine, times, sender, ask } = concluding;
  const { envelope, execution, mirror, signals } = ended;
  const { signal, soon } = signals;
  const { fingerprint, result } = told;
  const until = performance.now() + times.leaseMs;
  let detail = `Its worker ${result.worker} was shut down.`;
  for (;;) {
    const workers = await ask(async () => seenWorkers(engine));
    const its = workers.find(({ id }) => id === fingerprint);
    // Its agent met a usage limit, and this one takes over.
    if (its !== undefined && !its.agents.includes(envelope.agent)) {
      detail = `Its worker ${result.worker} doesn't run ${envelope.agent}, which takes over.`;
      break;
    }
    if (its !== undefined && !its.isDraining && its.seenMsAgo < times.leaseMs)
      return sender.send(envelope, execution.exec + 1, sender.queueOf(fingerprint));
    if (signal.aborted || soon.aborted) return stoppedAfterSpending(envelope, mirror);
    if (performance.now() >= until) break;
    await sleep(Math.min(times.lookMs, times.leaseMs), undefined, { signal }).catch(() => undefined);
  }
  const setback = { kind: "lost", detail, carry: result.commits.unfinished, failing: [] } as const;
  const outcome = { type: "set-back", setback: { ...setback, failing: [] } } as const;
  return acceptResult(accepting(concluding, ended), { ...told, result: { ...result, outcome } });
}

function accepting(
  { engine, machine, project, ask }: Concluding,
  { envelope, mirror }: Pick<FollowedExecution, "envelope" | "mirror">,
): Accepting {
  return { engine, machine, project, envelope, mirror, ask };
}

/** It was stopped before, and is now asked for again; or its worker gave it back by itself, because it is being shut down. */
function isHandedBack(
  { result: { outcome } }: Told,
  { wasOver, isStopped }: { readonly wasOver: boolean; readonly isStopped: boolean },
): boolean {
  if (outcome.type === "stopped") return wasOver || !isStopped;
  return wasOver && (outcome.type === "paused" || outcome.type === "unapproved");
}
