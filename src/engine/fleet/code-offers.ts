import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import { packCommit } from "../../worktrees/integration/packs.ts";
import type { AttemptEnvelope } from "../plan/executor.ts";
import type { FleetEngine } from "./fleet-engine.ts";

/** The driver's commits for workers: only those that an envelope of this plan names. */
export class CodeOffers {
  readonly #options: OfferOptions;
  readonly #named = new Set<string>();
  readonly #sent = new Set<string>();

  constructor(options: OfferOptions) {
    this.#options = options;
  }

  name({ base, carry }: AttemptEnvelope): void {
    for (const commit of [base, carry]) if (commit !== null) this.#named.add(commit);
  }

  /** Why its commits can't be sent; null: they can be had. */
  async offer(envelope: AttemptEnvelope): Promise<string | null> {
    for (const commit of [envelope.base, envelope.carry]) {
      const problem = commit === null ? null : await this.#offerOne(commit);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Workers have the commit that a plan starts from, or ask for it. Later ones build on it, and are small. */
  async #offerOne(commit: string): Promise<string | null> {
    const has = [...this.#named].filter((each) => each !== commit);
    this.#named.add(commit);
    return has.length === 0 || this.#sent.has(commit) ? null : this.#put(commit, has);
  }

  async #put(commit: string, has: readonly string[]): Promise<string | null> {
    const { engine, project, workflow } = this.#options;
    const packed = await packCommit({ root: project.root, commit, has });
    if (packed.type === "failed") return `the commit ${commit.slice(0, 12)} can't be sent: ${packed.why}`;
    await engine.putCode({ workflow, commit, needs: packed.needs, pack: packed.pack });
    this.#sent.add(commit);
    return null;
  }

  /** What workers lack of them. */
  async answer(): Promise<void> {
    const { engine, workflow } = this.#options;
    for (const { commit, has } of await engine.wanted(workflow))
      if (this.#named.has(commit)) await this.#put(commit, has);
  }
}

interface OfferOptions {
  readonly engine: FleetEngine;
  readonly project: Project;
  readonly workflow: LoopId;
}
