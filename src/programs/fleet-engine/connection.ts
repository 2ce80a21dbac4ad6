import { Socket } from "node:net";
import { Client, Pool, type ClientConfig, type QueryConfig, type QueryResult } from "pg";

const RECONNECT_MS = 500;
/** A cut network answers nothing, and doesn't say so: whoever waits longer hears later that it is mended. */
const ANSWER_LIMIT_MS = 5_000;
const CONNECT_LIMIT_MS = 5_000;
/** After that the system asks whether the other end of a silent connection is still there. */
const SILENCE_MS = 10_000;

/** A few connections for questions and one that hears what others changed. All of them come back after an outage. */
export class Connection {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** A connection that fails while it is made leaves its own open, until the server gives up on it after a minute. */
  readonly #sockets = new Set<Socket>();
  #client: Client | null = null;
  #isClosed = false;

  constructor(url: string) {
    this.#url = verified(url);
    this.#pool = new Pool({
      connectionString: this.#url,
      max: 3,
      application_name: "loopwright",
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      keepAlive: true,
      stream: () => this.#socket(),
    });
    // One that is idle may end: the next question opens another.
    this.#pool.on("error", () => undefined);
  }

  async open(): Promise<void> {
    await this.query("select 1");
    void this.#listen();
  }

  /** `limitMs`: for what takes longer than a question. */
  async query(
    text: string,
    values: readonly unknown[] = [],
    limitMs = ANSWER_LIMIT_MS,
  ): Promise<QueryResult> {
    const config: QueryConfig & ClientConfig = { text, values: [...values], query_timeout: limitMs };
    return this.#pool.query(config);
  }

  /** As pg-boss asks. */
  async executeSql(text: string, values?: unknown[]): Promise<QueryResult> {
    return this.query(text, values ?? []);
  }

  hear(channel: string, changed: () => void): void {
    const known = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, known.add(changed));
    this.#client?.query(`listen ${channel}`).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => undefined);
    await this.#pool.end().catch(() => undefined);
    for (const socket of this.#sockets) socket.destroy();
  }

  #socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once("close", () => void this.#sockets.delete(socket));
  }

  /** One connection at a time, and another one when it ends. */
  async #listen(): Promise<void> {
    while (!this.#isClosed) {
      const client = new Client({
        connectionString: this.#url,
        application_name: "loopwright",
        connectionTimeoutMillis: CONNECT_LIMIT_MS,
        query_timeout: ANSWER_LIMIT_MS,
        keepAlive: true,
        keepAliveInitialDelayMillis: SILENCE_MS,
        stream: () => this.#socket(),
      });
      const ended = new Promise((resolve) => client.once("end", resolve));
      client.on("error", () => undefined);
      client.on("notification", ({ channel }) => this.#changed(channel));
      try {
        await client.connect();
        // Whoever closed this meanwhile couldn't end a connection that wasn't there yet.
        if (this.#isClosed) return await client.end();
        this.#client = client;
        for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
        // What was missed meanwhile.
        for (const channel of this.#listeners.keys()) this.#changed(channel);
        await ended;
      } catch {
        client.end().catch(() => undefined);
      }
      this.#client = null;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
    }
  }

  #changed(channel: string): void {
    for (const changed of this.#listeners.get(channel) ?? []) changed();
  }
}

/** `pg` takes each of these for `verify-full`, and says so in eight lines. */
function verified(url: string): string {
  if (url.includes("uselibpqcompat=")) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}
