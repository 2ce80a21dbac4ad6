import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LogLine } from "../../loop-routes.ts";
import { ask, detail, problem, records, route } from "../data/state.ts";
import { subjectOf } from "../dialog/subject.ts";
import { Lead } from "./lead.tsx";
import { counted } from "../shown/words.ts";

/** The journal, event by event. Only the lines in sight are drawn. */

const LINE_PX = 20;
const BEYOND = 20;
const earlier = signal<readonly LogLine[]>([]);
const hasMore = signal(false);
const wanted = signal("");
const top = signal(0);
const height = signal(600);
let loaded = "";

const lines = computed(() => {
  const all = new Map<string, LogLine>();
  for (const line of [...earlier.value, ...records.value])
    all.set(`${line.seq} ${line.type} ${line.text}`, line);
  const words = wanted.value.trim().toLowerCase();
  const found = [...all.values()].toSorted((one, other) => one.seq - other.seq);
  return words === ""
    ? found
    : found.filter(({ type, text }) => `${type} ${text}`.toLowerCase().includes(words));
});

async function load(before?: number): Promise<void> {
  const path = `/api/loops/${route.value.key ?? ""}/log${before === undefined ? "" : `?before=${before}`}`;
  try {
    const found = await ask<{ readonly lines: readonly LogLine[]; readonly hasMore: boolean }>(path);
    earlier.value = before === undefined ? found.lines : [...found.lines, ...earlier.value];
    hasMore.value = found.hasMore;
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
  }
}

export function Log() {
  const box = useRef<HTMLDivElement>(null);
  const { key } = route.value;
  useEffect(() => {
    if (key !== null && loaded !== key) {
      loaded = key;
      earlier.value = [];
      void load();
    }
    height.value = box.current?.clientHeight ?? 600;
  }, [key, detail.value === null]);
  const found = detail.value;
  if (found === null) return <p class="wait">{problem.value ?? "Loading…"}</p>;
  const all = lines.value;
  const first = Math.max(0, Math.floor(top.value / LINE_PX) - BEYOND);
  const shown = all.slice(first, first + Math.ceil(height.value / LINE_PX) + 2 * BEYOND);
  const [oldest] = all;
  return (
    <main id="main">
      <Lead view={found.view} subject={subjectOf(found.key, found.view)}>
        {`${counted(found.view.seq, "record")} in its journal.`}
      </Lead>
      <div class="filterbar" role="search">
        <input
          aria-label="filter events"
          placeholder="type or words: check.ran, proof, cost"
          value={wanted.value}
          onInput={(event) => (wanted.value = event.currentTarget.value)}
        />
        {hasMore.value && (
          <button class="btn" onClick={() => void load(oldest?.seq)}>
            Earlier
          </button>
        )}
      </div>
      <div
        class="log mono"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="journal"
        onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
      >
        <div style={{ height: `${all.length * LINE_PX}px` }}>
          {shown.map((line, index) => (
            <div key={first + index} class="l" style={{ top: `${(first + index) * LINE_PX}px` }}>
              <span class="dim">{line.seq}</span>
              <span class="dim">{line.at.slice(11, 19)}</span>
              <span class="b">{line.type}</span>
              <span>{line.text}</span>
            </div>
          ))}
        </div>
      </div>
    </main>
  );
}
