import { computed, signal } from "@preact/signals";
import { NEED_KINDS } from "../../../views/needs.ts";
import type { BoardRow, StripMark } from "../../../views/board.ts";
import { Diff } from "./code.tsx";
import { mainAction, otherActions, start } from "./dialog.tsx";
import { AtWork, Contradicts, Cut, Died, Failed, NoClaim, Paused, Person, Seal, Waits } from "./glyphs.tsx";
import { facts, go, mayAct, now, rows } from "./state.ts";
import {
  ago,
  clock,
  costWords,
  counted,
  dayName,
  dollars,
  duration,
  inWords,
  moment,
  notHeldWords,
  spentWords,
} from "./words.ts";

/** All loops: what needs somebody, what runs, what is finished. */

const DAY_MS = 24 * 3_600_000;
const FIRST_SHOWN = 60;

export const chosen = signal(0);
export const find = signal("");
const seal = signal<string | null>(null);
/** Only loops with a claim that did not hold. */
const isNotHeld = signal(false);
const mostShown = signal(FIRST_SHOWN);
export const menu = signal<string | null>(null);

const sorted = computed(() =>
  [...rows.value.values()].toSorted((one, other) =>
    (other.updatedAt ?? "").localeCompare(one.updatedAt ?? ""),
  ),
);

function fits({ project, spec, id, because, needs }: BoardRow, wanted: string): boolean {
  const text = `${project} ${spec ?? ""} ${id} ${because ?? ""} ${needs?.sentence ?? ""}`.toLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
}

const shown = computed(() => {
  const wanted = find.value.trim().toLowerCase();
  return sorted.value.filter(
    (row) => (wanted === "" || fits(row, wanted)) && (!isNotHeld.value || row.claimsNotHeld > 0),
  );
});

export const needing = computed(() => {
  const order = (row: BoardRow): number => NEED_KINDS.indexOf(row.needs?.kind ?? "undriven");
  return shown.value
    .filter(({ group }) => group === "needs")
    .toSorted((one, other) => order(one) - order(other));
});
const running = computed(() => shown.value.filter(({ group }) => group === "running"));
const finished = computed(() =>
  shown.value.filter(
    (row) => row.group === "finished" && (seal.value === null || row.confidence === seal.value),
  ),
);

/** What was going on in the last day, and what still is; without any, everything. */
const recent = computed(() => {
  const all = sorted.value;
  const since = now.value - DAY_MS;
  const late = all.filter((row) => row.group !== "finished" || Date.parse(row.updatedAt ?? "") >= since);
  return late.length === 0 ? all : late;
});

function sentence(): string {
  const all = sorted.value;
  const count = (group: BoardRow["group"]): number => all.filter((row) => row.group === group).length;
  const [needs, runs] = [count("needs"), count("running")];
  const ended = recent.value.filter(({ group }) => group === "finished").length;
  const parts = [
    needs === 0
      ? "Nothing needs you."
      : `${inWords(needs)} ${needs === 1 ? "loop needs" : "loops need"} you.`,
    ...(runs === 0 ? [] : [`${inWords(runs)} ${runs === 1 ? "is" : "are"} running.`]),
    ...(ended === 0 ? [] : [`${inWords(ended)} finished.`]),
  ];
  return parts.join(" ");
}

function Sums() {
  const all = recent.value;
  const of = (confidence: string): number =>
    all.filter((row) => row.group === "finished" && row.confidence === confidence).length;
  const notHeld = all.reduce((sum, { claimsNotHeld }) => sum + claimsNotHeld, 0);
  const spent = all.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const unknown = all.filter(({ costUsd, group }) => costUsd === null && group !== "needs").length;
  const [first] = all.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
  return (
    <p class="sums">
      {first !== undefined && (
        <span class="it">
          {counted(all.length, "loop")}, the first begun at {moment(first, now.value)}
        </span>
      )}
      {(["verified", "weak", "unverified"] as const).map((each) =>
        of(each) === 0 ? null : (
          <button
            key={each}
            aria-pressed={seal.value === each}
            onClick={() => (seal.value = seal.value === each ? null : each)}
          >
            <span aria-hidden="true">
              <Seal confidence={each} />
            </span>
            {of(each)} {each}
          </button>
        ),
      )}
      {notHeld > 0 && (
        <button
          aria-pressed={isNotHeld.value}
          title="Show only their loops"
          onClick={() => (isNotHeld.value = !isNotHeld.value)}
        >
          <Contradicts />
          {notHeldWords(notHeld)}
        </button>
      )}
      {all.length > 0 && (
        <span class="it">
          {dollars(Math.round(spent * 100) / 100)} spent{unknown > 0 ? `, ${unknown} unknown` : ""}
        </span>
      )}
    </p>
  );
}

const MARKS = { "at-work": AtWork, "not-held": Failed, "no-claim": NoClaim, cut: Cut } as const;

function Strip({ strip }: { readonly strip: readonly StripMark[] }) {
  const claimed = strip.filter((mark) => mark !== "no-claim" && mark !== "cut" && mark !== "at-work").length;
  const not = strip.filter((mark) => mark === "not-held").length;
  const words = `${counted(strip.length, "iteration")}: claimed done ${counted(claimed, "time")}, ${not} did not hold`;
  return (
    <span class="strip" role="img" aria-label={words} title={words}>
      {strip.map((mark, index) => {
        const Mark = mark === "verified" || mark === "weak" || mark === "unverified" ? null : MARKS[mark];
        return Mark === null ? <Seal key={index} confidence={mark} /> : <Mark key={index} />;
      })}
    </span>
  );
}

const CELLS = {
  done: "merged, verified",
  weak: "merged on weak evidence",
  unverified: "merged, and no check shows it",
  running: "at work",
  merging: "is merged",
  stopped: "stopped",
  ready: "not begun",
  blocked: "waits for other tasks",
  "given-up": "given up",
  skipped: "left out",
} as const;

function NotHeld({ row }: { readonly row: BoardRow }) {
  if (row.claimsNotHeld === 0) return null;
  return <span class="dim nowrap">{notHeldWords(row.claimsNotHeld)}</span>;
}

function Cells({ row }: { readonly row: BoardRow }) {
  const { plan } = row;
  if (plan === null) return null;
  return (
    <span class="cells" role="img" aria-label={`${plan.merged} of ${plan.total} tasks merged`}>
      {plan.cells.map((cell, index) => (
        <span key={index} class={`cell ${cell}`} title={CELLS[cell]} />
      ))}
    </span>
  );
}

function Spec({ row }: { readonly row: BoardRow }) {
  return (
    <>
      <b>{row.project}</b> {row.spec ?? row.id}
    </>
  );
}

const NEED_GLYPHS: { readonly [kind: string]: typeof Person } = {
  died: Died,
  trust: Died,
  unreadable: Died,
  paused: Paused,
};

function Needing({ row, index }: { readonly row: BoardRow; readonly index: number }) {
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
              <a href={`/l/${row.key}`} onClick={open(row)}>
                {needs.sentence}
                {needs.kind === "died" && row.updatedAt !== null
                  ? `, last seen at ${moment(row.updatedAt, now.value)}`
                  : ""}
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
              {row.updatedAt !== null && <span>{ago(row.updatedAt, now.value)}</span>}
              <span>{spentWords(row.cost)}</span>
            </div>
          </div>
        </div>
        {(row.plan !== null || row.claimsNotHeld > 0) && (
          <p class="line2">
            <Cells row={row} />
            {row.plan !== null && (
              <span class="why">
                {row.plan.merged} of {row.plan.total} tasks merged
              </span>
            )}
            <NotHeld row={row} />
          </p>
        )}
        {quote.length > 0 && <Diff lines={quote} most={8} label="what it is about" />}
        {saidAfter && <p class="said">The agent: “{row.said}”</p>}
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
      <a href={`/l/${row.key}`} onClick={open(row)}>
        Open
      </a>
    </div>
  );
}

function open(row: Pick<BoardRow, "key">): (event: MouseEvent) => void {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(`/l/${row.key}`);
  };
}

function Bar({ row }: { readonly row: BoardRow }) {
  if (row.budgetUsd === null || row.costUsd === null) return null;
  const share = Math.min(1, row.costUsd / row.budgetUsd);
  return (
    <span class="bar" aria-hidden="true">
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function Running({ row }: { readonly row: BoardRow }) {
  const waits = row.waitsUntil !== null && Date.parse(row.waitsUntil) > now.value;
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
        {plan.atWork.map(({ id, subject, attempt, since }) => (
          <p key={id} class="clip dim">
            <span class="mono">{id}</span> <span class="why">{subject}</span>
            {attempt > 1 ? `, attempt ${attempt}` : ""}
            {since === null ? "" : `, ${duration(now.value - Date.parse(since))}`}
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

function Finished({ row }: { readonly row: BoardRow }) {
  const word = row.phase === "cancelled" ? "cancelled" : (row.confidence ?? "unverified");
  const color = { verified: "c-green", weak: "c-amber" }[word as string] ?? "c-ink2";
  return (
    <li class="row">
      {row.phase === "cancelled" ? <Cut label="cancelled" /> : <Seal confidence={row.confidence} />}
      <div>
        <div class="title">
          <p class="t sub clip">
            <a href={`/l/${row.key}`} onClick={open(row)}>
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

function FinishedList() {
  const all = finished.value;
  const isOfDay = ({ updatedAt }: BoardRow): boolean => now.value - Date.parse(updatedAt ?? "") < DAY_MS;
  const late = all.filter(isOfDay);
  const drawn = all.slice(0, mostShown.value);
  let day = late.length > 0 ? "last 24 hours" : "";
  return (
    <section aria-labelledby="finished">
      <div class="head">
        <h2 id="finished">Finished</h2>
        <span class="n">{all.length}</span>
        {late.length > 0 && <span class="r">last 24 hours</span>}
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

export function Home() {
  if (facts.value === null) return <p class="wait">Loading…</p>;
  if (rows.value.size === 0)
    return facts.value.isReading ? <p class="wait">Reading the loops of this machine…</p> : <Nothing />;
  return (
    <main
      id="main"
      onClick={(event) => !(event.target as Element).closest(".acts, .menu") && (menu.value = null)}
    >
      <h1>{sentence()}</h1>
      <Sums />
      {find.value !== "" || isFinding.value ? <FindBar /> : null}
      <div class="cols">
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
          {needing.value.length === 0 && <p class="empty">Nothing. Enjoy it.</p>}
          <ul>
            {needing.value.map((row, index) => (
              <Needing key={row.key} row={row} index={index} />
            ))}
          </ul>
        </section>
        <div>
          {running.value.length > 0 && (
            <section aria-labelledby="running">
              <div class="head">
                <h2 id="running">Running</h2>
                <span class="n">{running.value.length}</span>
              </div>
              <ul>
                {running.value.map((row) => (
                  <Running key={row.key} row={row} />
                ))}
              </ul>
            </section>
          )}
          <FinishedList />
        </div>
      </div>
    </main>
  );
}

export const isFinding = signal(false);

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
