import type { BoardRow } from "../../../../views/board.ts";
import { now } from "../data/state.ts";
import { Bar, Cells, NotHeld, Spec, Strip, open } from "./row-parts.tsx";
import { isWaiting } from "./shown-loops.ts";
import { AtWork, Waits } from "../shown/glyphs.tsx";
import { clock, costWords, duration, spentWords } from "../shown/words.ts";

/** What it costs, and what it is doing right now. */
export function Running({ row }: { readonly row: BoardRow }) {
  const waits = isWaiting(row);
  return (
    <li class="row">
      {waits ? <Waits label="waits" /> : <AtWork label="at work" />}
      <div>
        <div class="title">
          <p class="t sub clip">
            <a href={`/l/${row.key}`} onClick={open(row)}>
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
  if (waits && row.waitsUntil !== null)
    return (
      <p class="why">
        Usage limit. Goes on by itself at {clock(row.waitsUntil)}, in{" "}
        {duration(Date.parse(row.waitsUntil) - now.value)}
      </p>
    );
  if (plan !== null)
    return (
      <>
        <p class="line2">
          <Cells row={row} />
          <span class="why">
            {plan.merged} of {plan.total} tasks merged
          </span>
          <NotHeld row={row} />
        </p>
        {plan.atWork.map(({ id, subject, attempt, since, doing, tool }) => (
          <p key={id} class="clip dim">
            <span class="mono">{id}</span> <span class="why">{subject}</span>
            {attempt > 1 ? `, attempt ${attempt}` : ""}
            {tool !== null ? (
              <>
                , runs <code>{tool}</code>
              </>
            ) : doing !== null && doing !== "working" ? (
              `, ${doing}`
            ) : (
              ""
            )}
            {since === null ? "" : `, at work for ${duration(now.value - Date.parse(since))}`}
          </p>
        ))}
      </>
    );
  const doing =
    live === null
      ? row.driver === null
        ? "in a session"
        : "works"
      : live.doing === "checking"
        ? "checks"
        : live.doing === "working" && live.tool !== null
          ? "runs"
          : live.doing === "working"
            ? "works"
            : live.doing === "judging"
              ? "is judged"
              : "prepares";
  const what =
    live?.doing === "checking"
      ? live.detail
      : live?.doing === "working"
        ? live.tool?.detail || live.tool?.name
        : null;
  return (
    <p class="line2">
      <Strip strip={row.strip} />
      <span class="why clip">
        iteration {Math.max(1, row.iterations)}
        {row.iterationLimit === null ? "" : ` of ${row.iterationLimit}`}, {doing}
        {what != null && what !== "" && (
          <>
            {" "}
            <code>{what}</code>
          </>
        )}
        {live !== null && <span class="dim">, {duration(now.value - Date.parse(live.since))}</span>}
      </span>
      <NotHeld row={row} />
    </p>
  );
}
