import type { BoardRow } from "../../../../views/board.ts";
import { now } from "../data/state.ts";
import { Cells, NotHeld, Spec, Strip, open } from "./row-parts.tsx";
import { drawnFirst, DAY_MS, finished, mostShown, wanting } from "./shown-loops.ts";
import { Cut, Seal } from "../shown/glyphs.tsx";
import { clock, dayName, spentWords } from "../shown/words.ts";

function Finished({ row }: { readonly row: BoardRow }) {
  const word = row.phase === "cancelled" ? "cancelled" : (row.confidence ?? "unverified");
  const color = { verified: "c-green", weak: "c-amber" }[word as string] ?? "c-ink2";
  return (
    <li class="row">
      {row.phase === "cancelled" ? <Cut label="cancelled" /> : <Seal confidence={row.confidence} />}
      <div>
        <div class="title">
          <p class="t sub clip">
            <a href={`/l/${row.key}`} onClick={open(`/l/${row.key}`)}>
              <Spec row={row} />
            </a>
          </p>
          <p class="meta">
            <span>{spentWords(row.cost)}</span>
            {row.updatedAt !== null && <span>{clock(row.updatedAt)}</span>}
          </p>
        </div>
        <p class="line2">
          <span class={`b ${color}`}>{word}</span>
          {row.deliveredTo !== null && row.confidence !== "verified" && (
            <span class="c-amber nowrap">already on {row.deliveredTo}</span>
          )}
          {row.plan === null ? <Strip strip={row.strip} /> : <Cells row={row} />}
          <span class="why">{row.because === "cancelled" ? "" : row.because}</span>
          <NotHeld row={row} />
        </p>
      </div>
    </li>
  );
}

/** By day, newest first; the oldest only when somebody asks. */
export function FinishedList() {
  const all = finished.value;
  const isOfDay = ({ updatedAt }: BoardRow): boolean => now.value - Date.parse(updatedAt ?? "") < DAY_MS;
  const late = all.filter(isOfDay);
  const drawn = drawnFirst(all.slice(0, mostShown.value));
  let day = late.length > 0 ? "last 24 hours" : "";
  if (all.length === 0 && wanting.value.length > 0) return null;
  const notes = [
    ...(wanting.value.length > 0 ? [`and ${wanting.value.length} worth a look`] : []),
    ...(late.length > 0 ? ["last 24 hours"] : []),
  ];
  return (
    <section aria-labelledby="finished">
      <div class="head">
        <h2 id="finished">Finished</h2>
        <span class="n">{all.length}</span>
        {notes.length > 0 && <span class="r">{notes.join(" · ")}</span>}
      </div>
      {all.length === 0 && <p class="empty">Nothing yet.</p>}
      <ul>
        {drawn.flatMap((row) => {
          const own = isOfDay(row) ? "last 24 hours" : dayName(row.updatedAt ?? "");
          const isNew = own !== day;
          day = own;
          return [
            ...(isNew
              ? [
                  <li key={`day ${own}`} class="group">
                    {own}
                  </li>,
                ]
              : []),
            <Finished key={row.key} row={row} />,
          ];
        })}
      </ul>
      {all.length > drawn.length && (
        <p class="empty">
          <button class="btn" onClick={() => (mostShown.value += 200)}>
            Show {Math.min(200, all.length - drawn.length)} of {all.length - drawn.length} more
          </button>
        </p>
      )}
    </section>
  );
}
