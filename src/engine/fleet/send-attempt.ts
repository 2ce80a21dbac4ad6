import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { writtenFiles } from "../../verify/baseline/loop-baselines.ts";
import type { AttemptEnvelope, AttemptResult } from "../plan/executor.ts";
import type { AgentChoice, PlanChoice } from "../run/agent-choice.ts";
import type { Accepting } from "./accept-result.ts";
import type { CodeOffers } from "./code-offers.ts";
import { LONGEST_MS, type FleetEngine } from "./fleet-engine.ts";
import type { Signer } from "./keys.ts";
import { asAttempt, ENVELOPE_VERSION, jobIdOf, type FleetEnvelope } from "./envelopes.ts";
import { queueFor, queueOfWorker } from "./queues.ts";
import { unsendableResult } from "./untold-results.ts";

export interface SenderOptions {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly project: Project;
  readonly repository: string;
  readonly signer: Signer;
  readonly choiceFor: (envelope: AttemptEnvelope) => AgentChoice;
  readonly how: Pick<PlanChoice, "setup" | "copies">;
  /** Only workers with it take the attempts; null: any. */
  readonly label: string | null;
}

/** Signs envelopes, and puts them into the queues of workers with the commits that they need. */
export class AttemptSender {
  readonly #options: SenderOptions;
  readonly #offers: CodeOffers;
  readonly #ask: Accepting["ask"];

  constructor(options: SenderOptions, offers: CodeOffers, ask: Accepting["ask"]) {
    this.#options = options;
    this.#offers = offers;
    this.#ask = ask;
  }

  /** To any worker that has its agent. Null: it is on its way; otherwise the result says why it can't be sent. */
  async sendFirst(envelope: AttemptEnvelope): Promise<AttemptResult | null> {
    const { label } = this.#options;
    return this.send(envelope, 1, queueFor(this.#wanted(), envelope.agent, label));
  }

  async send(envelope: AttemptEnvelope, exec: number, queue: string): Promise<AttemptResult | null> {
    const { engine, machine, project, repository, signer, choiceFor, how } = this.#options;
    const { key, workflow } = envelope;
    const problem = await this.#ask(async () => this.#offers.offer(envelope));
    if (problem !== null) return unsendableResult(envelope, problem);
    const id = jobIdOf(key, exec);
    const message: FleetEnvelope = structuredClone({
      purpose: "attempt",
      version: ENVELOPE_VERSION,
      job: id,
      queue,
      exec,
      repository,
      expires: machine.now() + LONGEST_MS,
      attempt: asAttempt(envelope),
      choice: choiceFor(envelope),
      setup: how.setup,
      copies: how.copies,
      written: writtenFiles({ home: machine.home, root: project.root, id: workflow }),
    }) as FleetEnvelope;
    await this.#ask(async () =>
      engine.submit({ workflow, key, exec, id, queue, envelope: signer.sign(message) }),
    );
    return null;
  }

  queueOf(worker: string): string {
    return queueOfWorker(this.#wanted(), worker);
  }

  #wanted(): { readonly driver: string; readonly repository: string } {
    return { driver: this.#options.signer.fingerprint, repository: this.#options.repository };
  }
}
