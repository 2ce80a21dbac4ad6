import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { Dialog, dialog } from "./dialog.tsx";
import { begin } from "./follow.ts";
import { Find, Logo } from "./glyphs.tsx";
import { Home, isFinding, needing } from "./home.tsx";
import { areKeysShown, listenToKeys } from "./keys.ts";
import { MarkLegend } from "./legend.tsx";
import { Log } from "./log.tsx";
import { Loop } from "./loop.tsx";
import { Review } from "./review.tsx";
import {
  connection,
  detail,
  enter,
  exported,
  facts,
  go,
  heardAt,
  now,
  problem,
  route,
  rows,
} from "./state.ts";
import { Turn } from "./turn.tsx";
import { duration, moment } from "./words.ts";

function Top() {
  const { key, view, turn } = route.value;
  const [, id] = (key ?? "").split("/");
  const project = detail.value?.view.root?.split("/").at(-1) ?? rows.value.get(key ?? "")?.project;
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <a class="name" href={exported === null ? "/" : "#"} onClick={home}>
        <Logo /> Loopwright
      </a>
      <nav class="crumbs" aria-label="where you are">
        {key === null ? (
          <span>{facts.value === null ? "" : `on ${facts.value.host}`}</span>
        ) : (
          <>
            <span aria-hidden="true">/</span>
            <span>{project}</span>
            <span aria-hidden="true">/</span>
            {view === "loop" || exported !== null ? (
              <span class="mono">{id}</span>
            ) : (
              <a class="mono" href={`/l/${key}`}>
                {id}
              </a>
            )}
            {view !== "loop" && (
              <>
                <span aria-hidden="true">/</span>
                <span>{view === "turn" ? `turn ${turn ?? ""}` : view}</span>
              </>
            )}
          </>
        )}
      </nav>
      <div class="right">
        <Connection />
        {exported === null && (
          <>
            <button class="plain wide" onClick={() => findLoops()}>
              <Find /> Find <kbd>/</kbd>
            </button>
            <button class="plain wide" onClick={() => (areKeysShown.value = true)}>
              Keys <kbd>?</kbd>
            </button>
          </>
        )}
      </div>
    </header>
  );
}

export function findLoops(): void {
  if (route.value.view !== "home") go("/");
  isFinding.value = true;
  setTimeout(() => document.getElementById("find")?.focus(), 0);
}

function home(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || exported !== null) return;
  event.preventDefault();
  go("/");
}

function Connection() {
  if (exported !== null) return <span>as of {moment(exported.exportedAt, Date.now())}</span>;
  if (connection.value === "live")
    return (
      <span>
        <span class="dot" aria-hidden="true" />
        {facts.value?.readOnly == null ? "live" : "live, read-only"}
      </span>
    );
  if (connection.value === "starting") return <span>connecting</span>;
  return (
    <span>
      <span class="dot off" aria-hidden="true" />
      last news {duration(now.value - heardAt.value)} ago
    </span>
  );
}

function Locked() {
  return (
    <main id="main">
      <h1>This page needs a new link.</h1>
      <div class="hint">
        <p>
          {problem.value ?? "The server was started again, or this browser was never let in."} A link works
          once, within a minute.
        </p>
        <p>
          In the terminal of <code>loop dashboard</code>, press Enter for a new one. If it no longer runs,
          start it again:
        </p>
        <div class="code mono">
          <div>loop dashboard</div>
        </div>
      </div>
    </main>
  );
}

const KEYS = [
  ["J / K", "next, previous"],
  ["Enter", "open"],
  ["A", "act on it"],
  ["U", "undo the last iteration"],
  ["[ ]", "previous, next iteration"],
  ["G then H, R, L", "home, review, log"],
  ["/", "find"],
  ["Esc", "back"],
  ["?", "these keys, and what the marks mean"],
] as const;

function Keys() {
  if (!areKeysShown.value) return null;
  return (
    <div class="back" onClick={() => (areKeysShown.value = false)}>
      <div
        class="dialog"
        role="dialog"
        aria-modal="true"
        aria-label="Keys and marks"
        tabIndex={0}
        ref={(box) => box?.focus()}
      >
        <h2>Keys</h2>
        <dl class="keys">
          {KEYS.map(([key, what]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
        <MarkLegend />
      </div>
    </div>
  );
}

/** Said at most every ten seconds: who needs somebody, and what finished. */
const said = signal("");
let saidAt = 0;
let before: ReadonlyMap<string, string> | null = null;

function announce(): void {
  const groups = new Map([...rows.value].map(([key, row]) => [key, row.group as string]));
  const known = before;
  before = groups;
  if (known === null || known.size === 0 || Date.now() - saidAt < 10_000) return;
  const news = [...rows.value.values()].filter(
    (row) => known.has(row.key) && known.get(row.key) !== row.group && row.group !== "running",
  );
  if (news.length === 0) return;
  saidAt = Date.now();
  said.value = news
    .map((row) => `${row.project} ${row.group === "needs" ? "needs you" : "finished"}`)
    .join(". ");
}

function View() {
  if (connection.value === "locked") return <Locked />;
  switch (route.value.view) {
    case "home":
      return <Home />;
    case "review":
      return <Review />;
    case "log":
      return <Log />;
    case "turn":
      return <Turn />;
    case "loop":
      return <Loop />;
  }
}

function Page() {
  return (
    <>
      <div inert={dialog.value !== null || areKeysShown.value}>
        <Top />
        {connection.value === "lost" && (
          <div class="notice">
            Nobody answers. What you see may be old, and nothing can be pressed. It tries again by itself.
          </div>
        )}
        {exported !== null && exported.cut.length > 0 && (
          <div class="notice">Shortened to fit: {exported.cut.slice(0, 5).join(", ")}</div>
        )}
        <View />
      </div>
      <Dialog />
      <Keys />
      <div class="sr" aria-live="polite">
        {said.value}
      </div>
    </>
  );
}

effect(() => {
  const count = [...rows.value.values()].filter(({ group }) => group === "needs").length;
  const spec = detail.value?.view.spec;
  const name =
    route.value.view === "home" || spec == null ? "Loopwright" : `${spec.slice(0, 60)} · Loopwright`;
  document.title = count > 0 && needing.value !== null ? `(${count}) ${name}` : name;
  announce();
});

const root = document.getElementById("page");
if (root !== null) {
  root.textContent = "";
  if (exported === null) {
    void enter().then(begin);
  } else {
    detail.value = { key: exported.key, view: exported.view };
  }
  listenToKeys(findLoops);
  render(<Page />, root);
}
