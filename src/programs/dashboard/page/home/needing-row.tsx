import type { BoardRow } from "../../../../views/board.ts";
import { mayAct, now } from "../data/state.ts";
import { start } from "../dialog/open-dialog.ts";
import { mainAction, otherActions } from "../dialog/subject.ts";
import { Cells, NotHeld, Spec, open } from "./row-parts.tsx";
import { chosen, menu } from "./shown-loops.ts";
import { Quoted } from "./quoted.tsx";
import { Died, Paused, Person, Seal } from "../shown/glyphs.tsx";
import { moment, needWords, spentWords } from "../shown/words.ts";

const NEED_GLYPHS: { readonly [kind: string]: typeof Person } = {
  died: Died,
  unreadable: Died,
  paused: Paused,
};

/** What is asked, what to decide on, and one action. */
export function Needing({ row, index }: { readonly row: BoardRow; readonly index: number }) {
  const { needs } = row;
  if (needs === null) return null;
  const main = mainAction(row);
  const Glyph = NEED_GLYPHS[needs.kind] ?? Person;
  const isOn = chosen.value === index;
  const saidAfter = row.said !== null && ["approval", "must-not"].includes(needs.kind);
  const quote =
    row.quote.length > 0
      ? row.quote
      : needs.detail === null
        ? []
        : [{ sign: " " as const, text: needs.detail }];
  return (
    <li class={`row${isOn ? " on" : ""}`} data-row={index} aria-current={isOn ? "true" : undefined}>
      <Glyph />
      <div>
        <div class="title">
          <div class="t">
            <h3>
              <a href={`/l/${row.key}`} onClick={open(`/l/${row.key}`)}>
                {needWords(needs, row.updatedAt, now.value)}
              </a>
            </h3>
            <p class="sub clip">
              <Spec row={row} />
            </p>
          </div>
          <div class="side">
            <div class="acts">
              {main !== null && (
                <button
                  class={`btn ${isOn ? "main" : "v"}`}
                  disabled={!mayAct.value && main.what !== "copy"}
                  onClick={() => start(main.what, row)}
                >
                  {main.label}
                </button>
              )}
              <button
                class="btn dots"
                aria-label={`more for ${row.project}`}
                aria-expanded={menu.value === row.key}
                onClick={() => (menu.value = menu.value === row.key ? null : row.key)}
              >
                ⋯
              </button>
            </div>
            <div class="meta">
              {row.updatedAt !== null && <span>{moment(row.updatedAt, now.value)}</span>}
              <span>{spentWords(row.cost)}</span>
            </div>
          </div>
        </div>
        {(row.plan !== null || row.confidence !== null) && (
          <p class="line2">
            {row.confidence !== null && (
              <>
                <Seal confidence={row.confidence} /> <b>{row.confidence}</b>
              </>
            )}
            <Cells row={row} />
            {row.plan !== null && <span class="why">{row.plan.words}</span>}
          </p>
        )}
        <Quoted lines={quote} />
        {saidAfter && (
          <p class="said">
            The agent: “{row.said}”
            {needs.kind === "approval" ? " Its check passes only with this change." : ""}
          </p>
        )}
        {row.quote.length > 0 && needs.kind === "blocked" && needs.detail !== null && (
          <p class="said">{needs.detail}</p>
        )}
        {needs.commands[0]?.startsWith("loop undo") === true && (
          <p class="said">Undoing takes back everything of that iteration, not only this.</p>
        )}
        {row.claimsNotHeld > 0 && (
          <p class="caught">
            <NotHeld row={row} />
          </p>
        )}
        {menu.value === row.key && <Menu row={row} />}
      </div>
    </li>
  );
}

function Menu({ row }: { readonly row: BoardRow }) {
  return (
    <div class="menu">
      {otherActions(row).map(({ what, label }) => (
        <button
          key={label}
          disabled={!mayAct.value && what !== "copy"}
          onClick={() => {
            menu.value = null;
            start(what, row);
          }}
        >
          {label}
        </button>
      ))}
      <a href={`/l/${row.key}`} onClick={open(`/l/${row.key}`)}>
        Open
      </a>
    </div>
  );
}
