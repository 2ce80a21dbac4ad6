import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { BoardRow } from "../../../../views/board.ts";
import { facts, rows } from "../data/state.ts";
import { FinishedList } from "./finished-list.tsx";
import { Needing } from "./needing-row.tsx";
import { Running } from "./running-row.tsx";
import { Wanting } from "./wanting-row.tsx";
import {
  drawnFirst,
  finished,
  isFirstDrawn,
  find,
  isFinding,
  menu,
  needing,
  running,
  waiting,
  wanting,
} from "./shown-loops.ts";
import { Sums, sentence } from "./sums.tsx";
import { Diff } from "../shown/code.tsx";
import { HomeLegend } from "../shown/legend.tsx";

/** All loops: what needs somebody, what runs, what is finished. */

export function Home() {
  useEffect(() => {
    if (rows.value.size > 0) requestAnimationFrame(() => setTimeout(() => (isFirstDrawn.value = true), 0));
  }, [rows.value.size > 0]);
  if (facts.value === null) return <p class="wait">Loading…</p>;
  if (rows.value.size === 0)
    return facts.value.isReading ? <p class="wait">Reading the loops of this machine…</p> : <Nothing />;
  const isCalm = needing.value.length === 0;
  const isAlone = isCalm && running.value.length + waiting.value.length === 0;
  return (
    <main
      id="main"
      onClick={(event) => !(event.target as Element).closest(".acts, .menu") && (menu.value = null)}
    >
      <h1>{sentence()}</h1>
      <Sums />
      {find.value !== "" || isFinding.value ? <FindBar /> : null}
      <div class={isAlone ? "cols alone" : "cols"}>
        <div>
          {isCalm ? null : <NeedsYou />}
          <Group
            name="Worth a look"
            note="finished, and in your files or on your branch already, though not all of it is proven"
            rows={wanting.value}
          >
            {(row) => <Wanting key={row.key} row={row} />}
          </Group>
          {isCalm && <FinishedList />}
        </div>
        <div>
          <Group name="Running" rows={running.value}>
            {(row) => <Running key={row.key} row={row} />}
          </Group>
          <Group name="Waiting" note="resumes by itself" rows={waiting.value}>
            {(row) => <Running key={row.key} row={row} />}
          </Group>
          {!isCalm && <FinishedList />}
        </div>
      </div>
      <HomeLegend rows={[needing, wanting, running, waiting, finished].flatMap(({ value }) => value)} />
    </main>
  );
}

function NeedsYou() {
  return (
    <section aria-labelledby="needs">
      <div class="head">
        <h2 id="needs">Needs you</h2>
        <span class="n">{needing.value.length}</span>
        <span class="r" aria-hidden="true">
          <kbd>J</kbd>
          <kbd>K</kbd> <span class="k">move</span>&nbsp; <kbd>Enter</kbd> <span class="k">open</span>
          &nbsp; <kbd>A</kbd> <span class="k">act</span>
        </span>
      </div>
      <ul>
        {drawnFirst(needing.value).map((row, index) => (
          <Needing key={row.key} row={row} index={index} />
        ))}
      </ul>
    </section>
  );
}

/** Nothing where it would be empty. */
function Group({
  name,
  note,
  rows: own,
  children,
}: {
  readonly name: string;
  readonly note?: string;
  readonly rows: readonly BoardRow[];
  readonly children: (row: BoardRow) => JSX.Element;
}) {
  if (own.length === 0) return null;
  const id = name.replaceAll(" ", "-").toLowerCase();
  return (
    <section aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{name}</h2>
        <span class="n">{own.length}</span>
        {note !== undefined && <span class="r">{note}</span>}
      </div>
      <ul>{own.map(children)}</ul>
    </section>
  );
}

function FindBar() {
  return (
    <div class="filterbar" role="search">
      <input
        id="find"
        aria-label="find loops"
        placeholder="project, spec, reason"
        value={find.value}
        onInput={(event) => (find.value = event.currentTarget.value)}
        ref={(input) => {
          if (input !== null && isFinding.value && document.activeElement !== input) input.focus();
        }}
        onBlur={() => (isFinding.value = false)}
      />
    </div>
  );
}

function Nothing() {
  return (
    <main id="main">
      <h1>No loop has run on this machine yet.</h1>
      <div class="hint">
        <p>See one catch a false “done”, without a key or a service:</p>
        <Diff lines={[{ sign: " ", text: "npx loopwright demo" }]} label="command" />
        <p>Or let an agent work until your check passes:</p>
        <Diff
          lines={[{ sign: " ", text: 'loop run "Fix the failing tests" -c "tests pass=npm test"' }]}
          label="command"
        />
      </div>
    </main>
  );
}
