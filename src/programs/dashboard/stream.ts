import type { ServerResponse } from "node:http";
import { randomBytes } from "node:crypto";
import type { BoardRow } from "../../views/board.ts";

const BEAT_MS = 15_000;
const MOST_STREAMS = 8;
/** A reader that is further behind is dropped: it asks again, and gets what it missed. */
const MOST_BEHIND_BYTES = 1024 * 1024;
/** Loops whose folders were deleted; beyond that, a reader that was away gets everything. */
const MOST_GONE = 10_000;

/** Server-sent events to one reader. */
export class Stream {
  readonly #response: ServerResponse;
  readonly #beat: NodeJS.Timeout;
  readonly #onEnd: () => void;
  isOver = false;

  constructor(response: ServerResponse, onEnd: () => void) {
    this.#response = response;
    this.#onEnd = onEnd;
    response.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    response.write(": hello\n\n");
    this.#beat = setInterval(() => this.#write(": beat\n\n"), BEAT_MS);
    response.on("close", () => this.end());
  }

  send(event: string, id: string | null, data: string): void {
    // JSON has no line breaks of its own, so a piece of data can't become another event.
    this.#write(`event: ${event}\n${id === null ? "" : `id: ${id}\n`}data: ${data}\n\n`);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.#beat);
    this.#response.end();
    this.#onEnd();
  }

  #write(text: string): void {
    if (this.isOver) return;
    // One piece may be longer: all rows of thousands of loops are.
    if (this.#response.writableLength > MOST_BEHIND_BYTES) this.#response.destroy();
    else this.#response.write(text);
  }
}

/** What the board shows now, by key. */
export interface Shown {
  readonly rows: () => readonly BoardRow[];
  /** Everything at once, for who knows nothing. */
  readonly everything: () => string;
}

/**
 * News of the board. A reader that was away gets what changed meanwhile, once, as it is now: what is kept is when each row changed, so that
 * days of news take no more room than an hour's.
 */
export class Newsroom {
  /** Another server has other numbers. */
  readonly epoch = randomBytes(4).toString("hex");
  readonly #streams = new Set<Stream>();
  readonly #changedAt = new Map<string, number>();
  readonly #goneAt = new Map<string, number>();
  /** Who knows less than this has to get everything. */
  #since = 0;
  #n = 0;

  get isFull(): boolean {
    return this.#streams.size >= MOST_STREAMS;
  }

  changed(rows: readonly BoardRow[]): void {
    this.#n += 1;
    for (const { key } of rows) {
      this.#changedAt.set(key, this.#n);
      this.#goneAt.delete(key);
    }
    this.#tellAll("rows", rows);
  }

  gone(keys: readonly string[]): void {
    this.#n += 1;
    for (const key of keys) {
      this.#changedAt.delete(key);
      this.#goneAt.set(key, this.#n);
    }
    if (this.#goneAt.size > MOST_GONE) {
      this.#goneAt.clear();
      this.#since = this.#n;
    }
    this.#tellAll("gone", keys);
  }

  /** `from`: the last id that the reader has; what changed after it, or else everything. */
  admit(stream: Stream, from: string | null, { rows, everything }: Shown): void {
    const [epoch, text] = (from ?? "").split(".");
    const n = Number(text);
    if (epoch === this.epoch && Number.isInteger(n) && n >= this.#since && n <= this.#n) {
      const isNew = (at: number | undefined): boolean => at !== undefined && at > n;
      const gone = [...this.#goneAt].flatMap(([key, at]) => (isNew(at) ? key : []));
      const changed = rows().filter(({ key }) => isNew(this.#changedAt.get(key)));
      if (gone.length > 0) stream.send("gone", this.#id, JSON.stringify(gone));
      if (changed.length > 0) stream.send("rows", this.#id, JSON.stringify(changed));
    } else stream.send("reset", this.#id, everything());
    this.#streams.add(stream);
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream);
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  get #id(): string {
    return `${this.epoch}.${this.#n}`;
  }

  #tellAll(event: string, news: unknown): void {
    if (this.#streams.size === 0) return;
    const data = JSON.stringify(news);
    for (const stream of this.#streams) stream.send(event, this.#id, data);
  }
}
