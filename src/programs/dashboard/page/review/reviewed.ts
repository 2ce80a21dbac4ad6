import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StatusView } from "../../../../views/status.ts";
import type { Reviewed } from "../../reviewed.ts";
import { ask, exported, route } from "../data/state.ts";

/** What the plan's branch says of its tasks and findings; null until it has come. */
export const reviewed = signal<Reviewed | null>(exported?.reviewed ?? null);
let of = "";

/** Asked for again when the branch or what reviewers found has changed, not with every record. */
export function useReviewed({ workflow }: StatusView): void {
  const key = route.value.key ?? "";
  const { tip = null, judgement = null } = workflow ?? {};
  const version = `${key} ${tip ?? ""} ${judgement?.findings.length ?? 0} ${judgement?.findings.filter(({ task }) => task !== null).length ?? 0}`;
  useEffect(() => {
    if (exported !== null || of === version) return;
    if (!of.startsWith(`${key} `)) reviewed.value = null;
    of = version;
    ask<Reviewed>(`/api/loops/${key}/review`).then(
      (found) => (reviewed.value = of === version ? found : reviewed.value),
      () => undefined,
    );
  }, [version]);
}
