import type { BoardRow } from "../../../../views/board.ts";
import { go } from "../data/state.ts";
import { Cells, NotHeld, Spec, Strip, open } from "./row-parts.tsx";
import { Seal } from "../shown/glyphs.tsx";
import { clock, spentWords } from "../shown/words.ts";

/** Finished and delivered, on less than full evidence: what is missing, and where to look at it. */
export function Wanting({ row }: { readonly row: BoardRow }) {
  const { confidence, plan, key } = row;
  const missing = confidence === "weak" ? "some of it rests on weak evidence" : "no check shows some of it";
  const view = `/l/${key}${plan === null ? "" : "/review"}`;
  return (
    <li class="row wanting">
      <Seal confidence={confidence} />
      <div>
        <div class="title">
          <div class="t">
            <h3>
              <a href={view} onClick={open(view)}>
                {row.deliveredTo === null ? "It is finished" : `Its work is on ${row.deliveredTo}`}, and{" "}
                {missing}
              </a>
            </h3>
            <p class="sub clip">
              <Spec row={row} />
            </p>
          </div>
          <div class="side">
            <div class="acts">
              <button class="btn v" onClick={() => go(view)}>
                Look at it
              </button>
            </div>
            <p class="meta">
              {row.updatedAt !== null && <span>{clock(row.updatedAt)}</span>}
              <span>{spentWords(row.cost)}</span>
            </p>
          </div>
        </div>
        <p class="line2">
          <span class={`b ${confidence === "weak" ? "c-amber" : "c-ink2"}`}>
            {confidence ?? "unverified"}
          </span>
          {plan === null ? <Strip strip={row.strip} /> : <Cells row={row} />}
          <span class="why">{row.because}</span>
          <NotHeld row={row} />
        </p>
      </div>
    </li>
  );
}
