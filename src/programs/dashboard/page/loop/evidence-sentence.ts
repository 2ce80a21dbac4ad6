import { firstReasons } from "../../../../views/reasons.ts";
import type { StatusView } from "../../../../views/status.ts";
import { metWords, proofAgainst } from "../../../../views/story/proof-against.ts";
import { now } from "../data/state.ts";
import { costWords, counted, duration } from "../shown/words.ts";

/** What was shown, and what it took. */
export function evidenceSentence(view: StatusView): string {
  const { criteria, iterations, why } = view;
  const took = [
    counted(iterations.filter(({ onlyChecked }) => onlyChecked !== true).length, "iteration"),
    ...(view.startedAt === null
      ? []
      : [
          duration(
            (view.phase === "active" && !view.isGone ? now.value : Date.parse(view.updatedAt ?? "")) -
              Date.parse(view.startedAt),
          ),
        ]),
    costWords(view.cost),
  ].join(", ");
  if (view.phase === "cancelled") return `${took}.`;
  if (view.phase === "completed") {
    const reasons = why ?? [];
    if (reasons.length > 0) return `${firstReasons(reasons, 2)}. ${took}.`;
    const red = criteria.filter(({ alreadyTrue }) => !alreadyTrue).length;
    const both =
      criteria.length === 1
        ? "The check"
        : criteria.length === 2
          ? "Both checks"
          : `All ${criteria.length} checks`;
    const before =
      red === criteria.length
        ? `${both} failed before the work and pass${criteria.length === 1 ? "es" : ""} now`
        : `${both} pass${criteria.length === 1 ? "es" : ""}`;
    return criteria.length === 0
      ? `No criterion says when it is done. ${took}.`
      : `${before}, and every proof stands. ${took}.`;
  }
  const met = criteria.filter(({ status }) => status === "met").length;
  const against = proofAgainst(iterations.at(-1));
  const stands = criteria.length === 0 ? "" : `${metWords(met, criteria.length, against)}. `;
  return `${stands}${took}.`;
}
