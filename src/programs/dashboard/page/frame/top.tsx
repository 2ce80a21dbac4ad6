import { connection, detail, exported, facts, go, heardAt, now, route, rows } from "../data/state.ts";
import { areKeysShown } from "./keys.ts";
import { isFinding } from "../home/shown-loops.ts";
import { Find, Logo } from "../shown/glyphs.tsx";
import { duration, moment } from "../shown/words.ts";

/** Where you are, and whether what you see is news. */
export function Top() {
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
        {facts.value?.readOnly == null ? "connected" : "connected, read-only"}
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
