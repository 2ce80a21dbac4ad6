import { AT_THE_BEGINNING, type Follower } from "../../storage/journal/journal.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { RunNews } from "../../views/news/news.ts";
import type { FleetEngine } from "./fleet-engine.ts";
import type { Signer } from "./keys.ts";
import { sentRecord, type FleetNews } from "./messages.ts";
import { patiently, Pulse, type Patience } from "./patience.ts";

interface StreamOptions {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly project: Project;
  readonly loop: LoopId;
  readonly job: string;
  readonly signer: Signer;
  readonly patience: Patience;
}

const EVERY_MS = 300;
/** More of what an agent prints than anybody watches; records are never left out. */
const MOST_NEWS = 200;

/** What a worker tells of one job while it works: the attempt's journal as it grows, and what its agent does. */
export class JobStream {
  readonly #options: StreamOptions;
  readonly #pulse: Pulse;
  #follower: Follower | null = null;
  #waiting: FleetNews[] = [];
  #position = 0;

  constructor(options: StreamOptions, begun: Extract<FleetNews, { readonly type: "begun" }>) {
    this.#options = options;
    this.#waiting.push(begun);
    this.#pulse = new Pulse(EVERY_MS, async () => this.#send());
    this.#pulse.start();
  }

  get written(): number {
    return this.#position;
  }

  tell(news: RunNews): void {
    if (this.#waiting.length > MOST_NEWS && news.type === "seen") return;
    const { loop, ...others } = { loop: null, ...news };
    this.#waiting.push({ type: "news", hasLoop: loop !== null, news: others });
  }

  ask(question: number, failure: string): void {
    this.#waiting.push({ type: "asks", question, failure });
    this.#pulse.soon();
  }

  /** All that there is to tell, and no more. */
  async end(): Promise<void> {
    await this.#pulse.stop();
    await this.#send();
  }

  /**
   * One message at a time, and the same again until it is written: its position is part of what is signed. A process before this one
   * may have taken some.
   */
  async #send(): Promise<void> {
    const { engine, job, signer, patience } = this.#options;
    const told = this.#waiting;
    this.#waiting = [];
    const items = [...(await this.#records()), ...told];
    if (items.length === 0) return;
    try {
      for (let free: number | null = this.#position; free !== null;) {
        const position: number = free;
        const text = signer.sign({ purpose: "news", job, position, items });
        free = await patiently(patience, async () => engine.write(job, position, text));
        this.#position = position + 1;
      }
    } catch {
      // Its lease is lost: nobody listens any more.
    }
  }

  async #records(): Promise<readonly FleetNews[]> {
    const { machine, project, loop } = this.#options;
    const records: FleetNews[] = [];
    try {
      const journals = machine.journals(project);
      if (this.#follower === null) {
        if (!(await journals.list()).includes(loop)) return [];
        this.#follower = journals.of(loop).follow(AT_THE_BEGINNING);
      }
      await this.#follower.next((record) => records.push({ type: "record", record: sentRecord(record) }));
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
    return records;
  }
}
