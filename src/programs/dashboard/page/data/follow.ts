import { effect } from "@preact/signals";
import type { BoardRow } from "../../../../views/board.ts";
import type { StatusView } from "../../../../views/status.ts";
import type { LogLine } from "../../loop-routes.ts";
import type { ServerFacts } from "../../server.ts";
import {
  ask,
  connection,
  detail,
  facts,
  heardAt,
  now,
  problem,
  readStream,
  records,
  route,
  rows,
} from "./state.ts";
import { parseShown } from "../shown/shown-text.ts";

/** Keeps what is on screen up to date, over sleep, cut streams and other servers. */

const AGAIN_MS = [500, 1_000, 2_000, 5_000];

/** The server says something every 15 seconds. */
const SILENT_MS = 40_000;

type Snapshot = ServerFacts & { readonly rows: readonly BoardRow[] };

let last: string | null = null;

function takeSnapshot({ rows: found, ...server }: Snapshot): void {
  facts.value = server;
  rows.value = new Map(found.map((row) => [row.key, row]));
  if (server.isReading) void readToTheEnd();
}

/** The rows come by the stream; only that there are none has to be asked for. */
async function readToTheEnd(): Promise<void> {
  try {
    await ask("/api/board");
    if (facts.value !== null) facts.value = { ...facts.value, isReading: false };
  } catch {
    // The next snapshot says it.
  }
}

async function followBoard(): Promise<void> {
  for (let failed = 0; connection.value !== "locked";) {
    const stop = new AbortController();
    const watch = setInterval(() => {
      // After a sleep, a connection may look open that nobody holds any more.
      if (Date.now() - heardAt.value > SILENT_MS) stop.abort();
    }, 5_000);
    heardAt.value = Date.now();
    try {
      await readStream(
        `/api/events${last === null ? "" : `?from=${last}`}`,
        stop.signal,
        ({ event, id, data }) => {
          failed = 0;
          if (id !== "") last = id;
          if (event === "reset") takeSnapshot(parseShown(data) as Snapshot);
          if (event === "rows") takeRows(parseShown(data) as readonly BoardRow[]);
          if (event === "gone") dropRows(parseShown(data) as readonly string[]);
        },
      );
    } catch {
      // Said on screen by the connection's state.
    }
    clearInterval(watch);
    if ((connection.value as string) === "locked") return;
    connection.value = "lost";
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[Math.min(failed, AGAIN_MS.length - 1)]));
    failed += 1;
  }
}

function takeRows(changed: readonly BoardRow[]): void {
  const next = new Map(rows.value);
  for (const row of changed) next.set(row.key, row);
  rows.value = next;
  for (const row of changed) if (row.key === detail.value?.key) void loadDetail(row.key);
}

function dropRows(keys: readonly string[]): void {
  const next = new Map(rows.value);
  for (const key of keys) next.delete(key);
  rows.value = next;
}

let isLoading = false;
let isWanted = false;

/** One at a time; what changes meanwhile is loaded once more. */
async function loadDetail(key: string): Promise<void> {
  if (isLoading) {
    isWanted = true;
    return;
  }
  isLoading = true;
  try {
    const found = await ask<{ readonly key: string; readonly view: StatusView }>(`/api/loops/${key}`);
    if (route.value.key === key) detail.value = found;
    problem.value = null;
  } catch (error) {
    if (route.value.key === key) problem.value = error instanceof Error ? error.message : String(error);
  } finally {
    isLoading = false;
  }
  if (isWanted) {
    isWanted = false;
    const { key: wanted } = route.value;
    if (wanted !== null) await loadDetail(wanted);
  }
}

/** The records of the loop on screen. */
async function followLoop(key: string, stop: AbortSignal): Promise<void> {
  let seq = detail.value?.key === key ? detail.value.view.seq : 0;
  while (!stop.aborted && connection.value !== "locked") {
    try {
      await readStream(`/api/loops/${key}/events?after=${seq}`, stop, ({ event, id, data }) => {
        if (event !== "records") return;
        seq = Math.max(seq, Number(id));
        const news = parseShown(data) as readonly LogLine[];
        const known = records.value.at(-1)?.seq ?? 0;
        records.value = [...records.value, ...news.filter((each) => each.seq > known)].slice(-20_000);
        void loadDetail(key);
      });
    } catch {
      // Tried again below.
    }
    if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

export function begin(): void {
  void followBoard();
  setInterval(() => (now.value = Date.now()), 1_000);
  let stop: AbortController | null = null;
  let followed: string | null = null;
  effect(() => {
    const { key } = route.value;
    if (key === followed) return;
    followed = key;
    stop?.abort();
    detail.value = null;
    records.value = [];
    if (key === null) return;
    const own = new AbortController();
    stop = own;
    void loadDetail(key).then(async () => followLoop(key, own.signal));
  });
}
