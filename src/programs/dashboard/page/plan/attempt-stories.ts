import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StatusView } from "../../../../views/status.ts";
import { ask, exported, route } from "../data/state.ts";

/** What happened inside attempts, by their loops: a plan's own journal doesn't say it. */
export const stories = signal<ReadonlyMap<string, StatusView>>(
  new Map((exported?.attempts ?? []).map((view) => [view.id, view])),
);

/** Loads what isn't there yet; what still runs is loaded again whenever the plan moves on. */
export function useStories(loops: readonly string[], seq: number): void {
  const [project = ""] = (route.value.key ?? "").split("/");
  useEffect(() => {
    if (exported !== null) return;
    for (const loop of loops) {
      const phase = stories.value.get(loop)?.phase;
      if (phase === "completed" || phase === "cancelled") continue;
      ask<{ readonly view: StatusView }>(`/api/loops/${project}/${loop}`).then(
        ({ view }) => (stories.value = new Map([...stories.value, [loop, view]])),
        () => undefined,
      );
    }
  }, [loops.join(" "), seq]);
}
