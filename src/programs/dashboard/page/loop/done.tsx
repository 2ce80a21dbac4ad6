import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { QuotedLine } from "../../../../views/board.ts";
import type { IterationView } from "../../../../views/story/iterations.ts";
import type { StatusView } from "../../../../views/status.ts";
import type { Exported } from "../../export-loop.ts";
import { ask, exported, route } from "../data/state.ts";
import { Diff } from "../shown/code.tsx";

const done = signal<Exported["done"]>(exported?.done ?? []);
let of = "";

/** Asked for again when another claim did not hold, not with every record. */
export function useDone({ iterations }: StatusView): void {
  const key = route.value.key ?? "";
  const version = `${key} ${iterations.length} ${iterations.filter(({ contradiction }) => contradiction !== null).length}`;
  useEffect(() => {
    if (exported !== null || of === version) return;
    if (!of.startsWith(`${key} `)) done.value = [];
    of = version;
    ask<Exported["done"]>(`/api/loops/${key}/done`).then(
      (found) => (done.value = of === version ? found : done.value),
      () => undefined,
    );
  }, [version]);
}

const SIGNS = { added: "+", removed: "-", context: " " } as const;

/** The lines behind a claim that did not hold: the lie beside what shows it. */
export function Done({ each }: { readonly each: IterationView }) {
  const found = done.value.find(
    ({ depth, iteration }) => depth === each.depth && iteration === each.iteration,
  );
  return (
    <>
      {found?.files.map(({ path, lines, more }) => (
        <div key={path}>
          {found.files.length > 1 && <p class="did mono">{path}</p>}
          <Diff
            lines={lines.map(({ kind, text }): QuotedLine => ({ sign: SIGNS[kind], text }))}
            more={more}
            label={`what it did to ${path}`}
          />
        </div>
      ))}
    </>
  );
}
