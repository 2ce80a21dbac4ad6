import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StatusView } from "../../../../views/status.ts";
import type { Work } from "../../work.ts";
import { ask, exported, route } from "../data/state.ts";
import { Diff } from "../shown/code.tsx";
import { counted } from "../shown/words.ts";

const KINDS = {
  source: "source",
  tests: "tests",
  definitions: "scripts and settings",
  deleted: "deleted",
} as const;

export function Changed({ view }: { readonly view: StatusView }) {
  const { changed } = view;
  if (changed === null) {
    // What an iteration took back isn't changed any more.
    const known = work.value?.files ?? view.iterations.flatMap(({ files }) => files ?? []);
    const paths = [...new Set(known.map(({ path }) => path))];
    if (paths.length === 0) return <p class="dim">Nothing as far as is known.</p>;
    return (
      <ul class="files">
        {paths.slice(0, 8).map((path) => (
          <li key={path}>
            <code class="clip">{path}</code>
            <span />
          </li>
        ))}
        {paths.length > 8 && <li class="dim">and {paths.length - 8} more</li>}
      </ul>
    );
  }
  const kinds = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter((kind) => changed[kind].length > 0);
  return (
    <>
      {kinds.map((kind) => (
        <ul key={kind} class="files">
          {changed[kind].slice(0, 8).map((path) => (
            <li key={path}>
              <code class="clip">{path}</code>
              <span class="dim">{kind === "source" ? "" : KINDS[kind]}</span>
            </li>
          ))}
          {changed[kind].length > 8 && <li class="dim">and {changed[kind].length - 8} more</li>}
        </ul>
      ))}
      {changed.tests.length + changed.definitions.length + changed.deleted.length === 0 && (
        <p class="dim">No test, script or setting</p>
      )}
    </>
  );
}

const work = signal<Work | null>(null);
let workOf = "";

/** The changes since the opening, file by file. */
export function TheWork({ view }: { readonly view: StatusView }) {
  const key = `${route.value.key ?? ""} ${view.seq}`;
  useEffect(() => {
    if (exported !== null) {
      work.value = exported.work;
      return;
    }
    if (workOf === key) return;
    if (!workOf.startsWith(`${route.value.key ?? ""} `)) work.value = null;
    workOf = key;
    ask<Work>(`/api/loops/${route.value.key ?? ""}/work`).then(
      (found) => (work.value = found),
      () => (work.value = null),
    );
  }, [key]);
  const found = work.value;
  if (found === null || (found.files.length === 0 && found.note === null)) return null;
  return (
    <section aria-labelledby="work">
      <div class="head">
        <h2 id="work">The work</h2>
        <span class="n">opening to now, {counted(found.files.length, "file")}</span>
      </div>
      {found.note !== null && <p class="dim">{found.note}</p>}
      {found.files.map(({ path, change, lines, added, removed }) => (
        <details key={path} open={found.files.length <= 5}>
          <summary>
            <code>{path}</code>{" "}
            <span class="n">
              {change} {added !== null && `+${added}`} {removed !== null && `−${removed}`}
            </span>
          </summary>
          {lines.length === 0 ? (
            <p class="dim">Too long to compare here, or not text.</p>
          ) : (
            <Diff lines={lines} label={`changes of ${path}`} />
          )}
        </details>
      ))}
    </section>
  );
}
