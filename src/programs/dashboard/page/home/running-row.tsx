import type { BoardRow } from "../../../../views/board.ts";
import { now } from "../data/state.ts";
import { Bar, Cells, NotHeld, Spec, Strip, open } from "./row-parts.tsx";
import { isWaiting } from "../../../../views/standing.ts";
import { Doing } from "../shown/doing.tsx";
import { AtWork, Waits } from "../shown/glyphs.tsx";
import { costWords, spentWords, waitWords } from "../shown/words.ts";

/** What it costs, and what it is doing right now. */
export function Running({ row }: { readonly row: BoardRow }) {
  const waits = isWaiting(row.waitsUntil, now.value);
  return (
    <li class="row">
      {waits ? <Waits label="waits" /> : <AtWork label="at work" />}
      <div>
        <div class="title">
          <p class="t sub clip">
            <a href={`/l/${row.key}`} onClick={open(`/l/${row.key}`)}>
              <Spec row={row} />
            </a>
          </p>
          <p class="nowrap">
            <span class="b">{spentWords(row.cost)}</span>
            <span class="dim"> {costWords(row.cost).slice(spentWords(row.cost).length)}</span>{" "}
            <Bar row={row} />
          </p>
        </div>
        <RunningNow row={row} waits={waits} />
      </div>
    </li>
  );
}

function RunningNow({ row, waits }: { readonly row: BoardRow; readonly waits: boolean }) {
  const { plan, live } = row;
  const wait =
    waits && row.waitsUntil !== null ? <p class="why">{waitWords(row.waitsUntil, now.value)}</p> : null;
  const tasks =
    plan === null ? null : (
      <p class="line2">
        <Cells row={row} />
        <span class="why">{plan.words}</span>
        <NotHeld row={row} />
      </p>
    );
  if (wait !== null)
    return (
      <>
        {wait}
        {tasks}
      </>
    );
  if (plan !== null)
    return (
      <>
        {tasks}
        {plan.atWork.map(({ id, subject, attempt, live: own }) => (
          <p key={id} class="dim attempt">
            <span class="mono">{id}</span> <span class="why">{subject}</span>
            {attempt > 1 ? `, attempt ${attempt}` : ""}
            {own !== null && (
              <>
                : <Doing live={own} />
              </>
            )}
          </p>
        ))}
      </>
    );
  return (
    <>
      <p class="line2">
        <Strip strip={row.strip} />
        <span class="why">
          iteration {Math.max(1, row.iterations)}
          {row.iterationLimit === null ? "" : ` of ${row.iterationLimit}`}
          {live === null ? (row.driver === null ? ", in a session" : ", at work") : ""}
        </span>
        <NotHeld row={row} />
      </p>
      {live !== null && (
        <p class="doing">
          <Doing live={live} />
        </p>
      )}
    </>
  );
}
