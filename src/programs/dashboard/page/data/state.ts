import { computed, signal } from "@preact/signals";
import type { BoardRow } from "../../../../views/board.ts";
import type { StatusView } from "../../../../views/status.ts";
import type { ExportedData } from "../../export-loop.ts";
import type { LogLine } from "../../loop-routes.ts";
import type { ServerFacts } from "../../server.ts";
import { parseShown } from "../shown/shown-text.ts";

/** What the page knows. Everything is text from others, and only ever shown as text. */

export const rows = signal<ReadonlyMap<string, BoardRow>>(new Map());
export const facts = signal<ServerFacts | null>(null);

/** The loop of a loop's views. */
export const detail = signal<{ readonly key: string; readonly view: StatusView } | null>(null);
export const records = signal<readonly LogLine[]>([]);
export const problem = signal<string | null>(null);

/** `live`; `lost` while nobody answers; `locked` if a new link is needed. */
export const connection = signal<"starting" | "live" | "lost" | "locked">("starting");
export const heardAt = signal(Date.now());

/** Ticks, for ages on screen. */
export const now = signal(Date.now());
export const exported: ExportedData | null = readExported();

/** Nothing can be pressed without a server that answers and allows it. */
export const mayAct = computed(
  () => exported === null && connection.value === "live" && facts.value?.readOnly === null,
);

function readExported(): ExportedData | null {
  const text = document.getElementById("data")?.textContent ?? "";
  return text === "" ? null : (parseShown(text) as ExportedData);
}

const KEY = "loopwright-key";

function keyHeader(): { readonly [name: string]: string } {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : { "X-Loopwright-Key": key };
}

export class RequestError extends Error {
  readonly status: number;
  readonly body: { readonly view?: StatusView };

  constructor(status: number, message: string, body: { readonly view?: StatusView }) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

export async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    headers: { ...keyHeader(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    cache: "no-store",
  });
  const answer = parseShown(await response.text()) as Answer & {
    readonly error?: string;
    readonly view?: StatusView;
  };
  if (response.status === 401) connection.value = "locked";
  if (!response.ok) throw new RequestError(response.status, answer.error ?? response.statusText, answer);
  return answer;
}

/** The code in the address becomes a cookie and a key, and leaves the address and the history. */
export async function enter(): Promise<void> {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const { key } = await ask<{ readonly key: string }>("/api/login", { code });
    localStorage.setItem(KEY, key);
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
  }
}

export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Reads a stream of events until it ends. The browser's own reader can't send the key. */
export async function readStream(
  path: string,
  signal: AbortSignal,
  take: (event: StreamEvent) => void,
): Promise<void> {
  const response = await fetch(path, { headers: keyHeader(), cache: "no-store", signal });
  if (response.status === 401) connection.value = "locked";
  if (!response.ok || response.body === null) throw new Error(response.statusText);
  connection.value = "live";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heardAt.value = Date.now();
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1] ?? "";
      if (field("event") !== "") take({ event: field("event"), id: field("id"), data: field("data") });
    }
  }
}

export const route = signal(routeNow());

export interface Route {
  readonly view: "home" | "loop" | "review" | "log" | "turn";
  readonly key: string | null;
  readonly turn: string | null;
  readonly task: string | null;
  readonly iteration: number | null;
}

function routeNow(): Route {
  const data = readExported();
  const [, iteration] = /^#i(\d+)$/.exec(location.hash) ?? [];
  const task = new URLSearchParams(location.search).get("task");
  const common = { task, iteration: iteration === undefined ? null : Number(iteration), turn: null };
  if (data !== null) {
    const view = location.hash === "#review" ? "review" : "loop";
    return { ...common, view, key: data.key };
  }
  const [, project, id, view, turn] =
    /^\/l\/([\w.-]+)\/([\w.-]+)(?:\/(review|log|turn)(?:\/([\w.-]+))?)?\/?$/.exec(location.pathname) ?? [];
  if (project === undefined || id === undefined) return { ...common, view: "home", key: null };
  return {
    ...common,
    view: (view as Route["view"] | undefined) ?? "loop",
    key: `${project}/${id}`,
    turn: turn ?? null,
  };
}

export function go(path: string): void {
  if (exported !== null) location.hash = path;
  else history.pushState(null, "", path);
  route.value = routeNow();
  if (!path.includes("#") && !path.includes("?")) scrollTo(0, 0);
}

addEventListener("popstate", () => (route.value = routeNow()));

addEventListener("hashchange", () => (route.value = routeNow()));
