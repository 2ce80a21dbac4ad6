import type { ServerResponse } from "node:http";
import { randomBytes } from "node:crypto";
import type { BoardRow } from "../../views/board.ts";

const BEAT_MS = 15_000;
const MOST_STREAMS = 8;
/** A reader that is further behind is dropped: it asks again, and gets everything at once. */
const MOST_BEHIND_BYTES = 1024 * 1024;
const MOST_KEPT = 2_000;
/** Twenty loops at work are some 30 kB of news a second. */
const MOST_KEPT_CHARACTERS = 4 * 1024 * 1024;

interface News {
  readonly n: number;
  readonly event: string;
  readonly data: string;
}

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
    this.#response.write(text);
    if (this.#response.writableLength > MOST_BEHIND_BYTES) this.#response.destroy();
  }
}

/** News of the board, the last of which are kept: a reader that was away gets what it missed. */
export class Newsroom {
  /** Another server has other numbers. */
  readonly epoch = randomBytes(4).toString("hex");
  readonly #streams = new Set<Stream>();
  #kept: News[] = [];
  #characters = 0;
  #n = 0;

  get isFull(): boolean {
    return this.#streams.size >= MOST_STREAMS;
  }

  changed(rows: readonly BoardRow[]): void {
    this.#publish("rows", JSON.stringify(rows));
  }

  gone(keys: readonly string[]): void {
    this.#publish("gone", JSON.stringify(keys));
  }

  /** `from`: the last id that the reader has; what follows it, or else everything. */
  admit(stream: Stream, from: string | null, everything: () => string): void {
    const [epoch, text] = (from ?? "").split(".");
    const n = Number(text);
    const first = this.#kept[0]?.n ?? this.#n + 1;
    if (epoch === this.epoch && Number.isInteger(n) && n >= first - 1 && n <= this.#n)
      for (const news of this.#kept.filter((each) => each.n > n)) this.#tell(stream, news);
    else stream.send("reset", `${this.epoch}.${this.#n}`, everything());
    this.#streams.add(stream);
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream);
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  #publish(event: string, data: string): void {
    this.#n += 1;
    const news = { n: this.#n, event, data };
    this.#kept.push(news);
    this.#characters += data.length;
    if (this.#kept.length > MOST_KEPT || this.#characters > MOST_KEPT_CHARACTERS) this.#forgetHalf();
    for (const stream of this.#streams) this.#tell(stream, news);
  }

  /** The older half, seldom, so that publishing stays cheap. */
  #forgetHalf(): void {
    this.#kept = this.#kept.slice(Math.ceil(this.#kept.length / 2));
    this.#characters = this.#kept.reduce((sum, { data }) => sum + data.length, 0);
  }

  #tell(stream: Stream, { n, event, data }: News): void {
    stream.send(event, `${this.epoch}.${n}`, data);
  }
}
