import { Client, Pool, type QueryResult } from "pg";

const RECONNECT_MS = 500;
const ANSWER_LIMIT_MS = 15_000;
const CONNECT_LIMIT_MS = 10_000;

/** A few connections for questions and one that hears what others changed. All of them come back after an outage. */
export class Connection {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #listeners = new Map<string, Set<() => void>>();
  #client: Client | null = null;
  #isClosed = false;
  /** Since when this process has had a connection without a break. */
  #connectedAt = Number.POSITIVE_INFINITY;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new Pool({
      connectionString: url,
      max: 3,
      application_name: "loopwright",
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
      keepAlive: true,
    });
    // One that is idle may end: the next question opens another.
    this.#pool.on("error", () => undefined);
  }

  async open(): Promise<void> {
    await this.query("select 1");
    await this.#listen();
  }

  get connectedMs(): number {
    return Math.max(0, performance.now() - this.#connectedAt);
  }

  async query(text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    return this.#pool.query(text, [...values]);
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
  }

  async #listen(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      application_name: "loopwright",
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      keepAlive: true,
    });
    const again = (): void => {
      if (this.#client === client) this.#client = null;
      this.#connectedAt = Number.POSITIVE_INFINITY;
      client.removeAllListeners("end");
      if (!this.#isClosed) setTimeout(() => void this.#listen(), RECONNECT_MS).unref();
    };
    client.on("error", () => undefined);
    client.on("end", again);
    client.on("notification", ({ channel }) => {
      for (const changed of this.#listeners.get(channel) ?? []) changed();
    });
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
    } catch {
      client.end().catch(() => undefined);
      again();
      return;
    }
    this.#client = client;
    this.#connectedAt = performance.now();
    // What was missed meanwhile.
    for (const changed of [...this.#listeners.values()].flatMap((each) => [...each])) changed();
  }
}
