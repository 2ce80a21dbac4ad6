import type { LoopId } from "../../core/loop/id.ts";
import type { AttemptEnvelope, AttemptResult, AttemptSignals, Executor } from "../plan/executor.ts";
import { AttemptMirror } from "./attempt-mirror.ts";
import { CodeOffers } from "./code-offers.ts";
import { concludeExecution } from "./conclude-execution.ts";
import { LEASE_MS } from "./fleet-engine.ts";
import { JobWatch } from "./job-watch.ts";
import { pinnedKeys } from "./keys.ts";
import { onceForAll, patiently, Pulse, type Patience } from "./patience.ts";
import { Roster } from "./roster.ts";
import { AttemptSender, type SenderOptions } from "./send-attempt.ts";
import { stoppedResult, unsendableResult } from "./untold-results.ts";

export interface FleetTimes {
  readonly leaseMs: number;
  /** How often to look where nobody says that something changed. */
  readonly lookMs: number;
  /** How long the end of what was stopped is waited for. */
  readonly stopMs: number;
}

export const USUAL_TIMES: FleetTimes = { leaseMs: LEASE_MS, lookMs: 1_000, stopMs: 20_000 };

export interface FleetOptions extends SenderOptions {
  readonly workflow: LoopId;
  readonly times: FleetTimes;
  readonly tell: (sentence: string) => void;
}

export interface FleetExecutor extends Executor {
  /** How many attempts the accepted workers can take at once. */
  readonly slots: () => number;
  readonly close: () => Promise<void>;
}

/** Hands attempts to workers on other machines, and brings back what came of them. */
export function fleetExecutor(options: FleetOptions): FleetExecutor {
  const fleet = new Fleet(options);
  const atWork = new Map<string, Promise<AttemptResult>>();
  return {
    runAttempt: async (envelope, signals) => {
      const { key } = envelope;
      const attempt = async (): Promise<AttemptResult> => fleet.attempt(envelope, signals);
      const result =
        atWork.get(key) ??
        fleet.roster.wanting(envelope.agent, attempt).finally(() => void atWork.delete(key));
      atWork.set(key, result);
      return result;
    },
    slots: () => fleet.roster.slots,
    close: async () => fleet.close(),
  };
}

class Fleet {
  readonly roster: Roster;
  readonly #options: FleetOptions;
  readonly #offers: CodeOffers;
  readonly #sender: AttemptSender;
  readonly #watch: JobWatch;
  readonly #pulse: Pulse;
  readonly #closed = new AbortController();
  readonly #patience: Patience;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { engine, machine, times, tell, signer } = options;
    this.#patience = {
      signal: this.#closed.signal,
      outage: onceForAll((why) =>
        tell(
          why === null
            ? "The fleet's database answers again."
            : `The fleet's database ${why}; waiting for it.`,
        ),
      ),
    };
    const soon = (): void => this.#pulse.soon();
    this.#offers = new CodeOffers(options);
    this.#sender = new AttemptSender(options, this.#offers, async (asked) => this.#ask(asked));
    this.roster = new Roster(options);
    this.#watch = new JobWatch({
      engine,
      signer,
      patience: this.#patience,
      isAccepted: (fingerprint) => pinnedKeys(machine.home, "workers").has(fingerprint),
      soon,
      stopMs: times.stopMs,
    });
    this.#pulse = new Pulse(times.lookMs, async () => this.#beat());
    engine.listen(["news"], soon);
    this.#pulse.start();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#pulse.stop();
  }

  async #beat(): Promise<void> {
    try {
      await this.#ask(async () => {
        await this.#watch.look();
        await this.#offers.answer();
        await this.roster.look();
      });
    } catch {
      // It is being closed.
    }
  }

  async #ask<Value>(asked: () => Promise<Value>): Promise<Value> {
    return patiently(this.#patience, asked);
  }

  async attempt(envelope: AttemptEnvelope, signals: AttemptSignals): Promise<AttemptResult> {
    const { machine, project, engine } = this.#options;
    if (envelope.base === null)
      return unsendableResult(envelope, "attempts in a project without git can't be made elsewhere");
    for (;;) {
      if (signals.signal.aborted) return stoppedResult(envelope);
      const all = await this.#ask(async () => engine.executions(envelope.workflow));
      const execution = all.findLast(({ key }) => key === envelope.key);
      if (execution === undefined) {
        const unsent = await this.#sender.sendFirst(envelope);
        if (unsent !== null) return unsent;
        continue;
      }
      this.#offers.name(envelope);
      const mirror = new AttemptMirror(machine, project, envelope);
      const followed = await this.#watch.follow({
        execution,
        mirror,
        signals,
        passesOn: (news) => news.type !== "waiting" || this.roster.areAllLimited(envelope.agent),
      });
      await mirror.settled();
      const result = await concludeExecution(
        { ...this.#options, sender: this.#sender, ask: async (asked) => this.#ask(asked) },
        { envelope, execution, followed, mirror, signals },
      );
      if (result !== null) return result;
    }
  }
}
