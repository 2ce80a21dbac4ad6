import { setTimeout as sleep } from "node:timers/promises";
import type { RunNews } from "../../views/news/news.ts";
import type { AttemptSignals } from "../plan/executor.ts";
import type { AttemptMirror } from "./attempt-mirror.ts";
import type { Execution, FleetEngine, JobState, SeenJob } from "./fleet-engine.ts";
import { readSigned, type Signer } from "./keys.ts";
import { NOTHING_WANTED, readNews, receivedRecord, type FleetControl, type FleetNews } from "./messages.ts";
import type { Patience } from "./patience.ts";
import { readToldNews } from "./told-news.ts";
import { patiently } from "./patience.ts";

/** What is to be followed of one execution. */
export interface Follow {
  readonly execution: Pick<Execution, "id" | "queue" | "exec" | "envelope">;
  readonly mirror: AttemptMirror;
  readonly signals: AttemptSignals;
  /** Whether this limit is one for the whole agent, and not only for the account of one worker. */
  readonly passesOn: (news: RunNews) => boolean;
}

export interface Followed {
  readonly state: JobState;
  /** Its end was known before anybody looked. */
  readonly wasOver: boolean;
  readonly id: string;
  /** How many messages were read and believed. */
  readonly position: number;
  /** Who signed them. */
  readonly worker: string | null;
  readonly workerName: string | null;
}

interface Watched extends Follow {
  readonly end: (state: JobState) => void;
  readonly asked: Set<number>;
  state: JobState;
  control: FleetControl;
  sentControl: FleetControl;
  position: number;
  worker: string | null;
  workerName: string | null;
  isForged: boolean;
}

interface WatchOptions {
  readonly engine: FleetEngine;
  readonly signer: Signer;
  readonly patience: Patience;
  readonly isAccepted: (fingerprint: string) => boolean;
  readonly soon: () => void;
  /** How long the end of what was stopped is waited for. */
  readonly stopMs: number;
}

/** Follows all executions of a driver at once: what their workers tell, what became of them, and what is wanted of them. */
export class JobWatch {
  readonly #options: WatchOptions;
  readonly #watched = new Map<string, Watched>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** To its end; until somebody takes it back before it has begun; or, if it was stopped, until its worker had time to say so. */
  async follow(follow: Follow): Promise<Followed> {
    const { engine, patience, soon } = this.#options;
    const { execution, signals } = follow;
    const { id } = execution;
    let end: Watched["end"] = () => undefined;
    const ended = new Promise<JobState>((resolve) => {
      end = resolve;
    });
    const watched: Watched = {
      ...follow,
      end,
      asked: new Set(),
      state: { type: "waiting" },
      control: NOTHING_WANTED,
      sentControl: NOTHING_WANTED,
      position: 0,
      worker: null,
      workerName: null,
      isForged: false,
    };
    const [seen] = await patiently(patience, async () => engine.look([{ ...execution, from: 0 }]));
    // What an earlier driver has already told.
    if (seen !== undefined) this.#take(watched, seen, { isTold: false });
    const wasOver = isOver(watched.state);
    this.#watched.set(id, watched);
    const stop = new AbortController();
    try {
      const onAbort = (): void => void this.#stop(watched, stop.signal);
      if (signals.signal.aborted) onAbort();
      else signals.signal.addEventListener("abort", onAbort);
      signals.soon.addEventListener("abort", soon);
      soon();
      const state = await ended;
      signals.signal.removeEventListener("abort", onAbort);
      signals.soon.removeEventListener("abort", soon);
      const { position, worker, workerName } = watched;
      return { state, wasOver, id, position, worker, workerName };
    } finally {
      stop.abort();
      this.#watched.delete(id);
    }
  }

  async look(): Promise<void> {
    const { engine } = this.#options;
    const all = [...this.#watched.values()];
    if (all.length === 0) return;
    const seen = await engine.look(
      all.map(({ execution: { id, queue }, position }) => ({ id, queue, from: position })),
    );
    for (const each of seen) {
      const watched = this.#watched.get(each.id);
      if (watched === undefined) continue;
      this.#take(watched, each, { isTold: true });
      if (isOver(watched.state)) watched.end(watched.state);
    }
    for (const watched of this.#watched.values()) await this.#sendControl(watched);
  }

  #take(watched: Watched, { state, news }: SeenJob, { isTold }: { readonly isTold: boolean }): void {
    for (const text of news) {
      const items = watched.isForged ? null : this.#believed(watched, text);
      if (items === null) {
        watched.isForged = true;
        break;
      }
      watched.position += 1;
      for (const item of items) this.#tell(watched, item, isTold);
    }
    watched.state = state;
  }

  #believed(watched: Watched, text: string): readonly FleetNews[] | null {
    const message = readSigned(text);
    if (message === null || !this.#options.isAccepted(message.by)) return null;
    if (watched.worker !== null && watched.worker !== message.by) return null;
    watched.worker = message.by;
    return readNews(message.body, watched.execution.id, watched.position);
  }

  #tell(watched: Watched, item: FleetNews, isTold: boolean): void {
    const { mirror, signals } = watched;
    switch (item.type) {
      case "begun":
        watched.workerName = item.worker;
        mirror.runsIn({ worker: item.worker, place: item.place });
        signals.placed?.(item.worker);
        return;
      case "record": {
        const record = receivedRecord(item.record);
        if (record === "newer") mirror.endHere();
        else if (record === "malformed" || !mirror.take(record)) watched.isForged = true;
        return;
      }
      case "news": {
        if (!isTold) return;
        const news = readToldNews(item.news, mirror.loop);
        if (news === null) return;
        mirror.tell(news);
        if (news.type !== "waiting" || watched.passesOn(news)) signals.tell(news);
        return;
      }
      case "asks":
        void this.#advise(watched, item.question, item.failure);
    }
  }

  async #advise(watched: Watched, question: number, failure: string): Promise<void> {
    if (watched.asked.has(question)) return;
    watched.asked.add(question);
    const text = (await watched.signals.advise?.(failure).catch(() => null)) ?? null;
    watched.control = { ...watched.control, advice: [...watched.control.advice, { question, text }] };
    this.#options.soon();
  }

  async #sendControl(watched: Watched): Promise<void> {
    const { engine, signer } = this.#options;
    const { signals, execution } = watched;
    const control: FleetControl = {
      ...watched.control,
      abort: signals.signal.aborted,
      soon: signals.soon.aborted,
      waitsUntil: signals.waitsUntil(),
      words: [...(signals.words?.() ?? [])],
    };
    if (JSON.stringify(control) === JSON.stringify(watched.sentControl)) return;
    const text = signer.sign({ purpose: "control", job: execution.id, ...control });
    await engine.setControl(execution.id, text);
    watched.sentControl = control;
  }

  /** What nobody has begun is taken back. Otherwise its worker says what it came to. */
  async #stop(watched: Watched, signal: AbortSignal): Promise<void> {
    const { engine, stopMs, soon } = this.#options;
    const { execution } = watched;
    try {
      if (watched.state.type === "waiting") {
        await engine.withdraw([{ ...execution }]);
        const [seen] = await engine.look([{ ...execution, from: watched.position }]);
        if (seen?.state.type === "withdrawn") return watched.end(seen.state);
      }
      await this.#sendControl(watched);
    } catch {
      // The database is away: the next look tries it again.
    }
    soon();
    await sleep(stopMs, undefined, { signal }).catch(() => undefined);
    watched.end(watched.state);
  }
}

function isOver({ type }: JobState): boolean {
  return type !== "waiting" && type !== "running";
}
