import type { StatusView } from "../../../../views/status.ts";
import { type Workflow, gateSentence } from "./gate.ts";
import { Accepted, Contradicts, Open, Seal, Stands, Weak } from "../shown/glyphs.tsx";
import { clock, counted } from "../shown/words.ts";

const CONFIDENCES = ["unverified", "weak", "verified"] as const;

function lowest(tasks: Workflow["tasks"]): string {
  const done = tasks.filter(({ state }) => state === "done");
  return (
    CONFIDENCES.find((each) => done.some(({ confidence }) => (confidence ?? "unverified") === each)) ??
    "unverified"
  );
}

/** `4 verified, 1 unverified`. */
function evidenceWords(tasks: Workflow["tasks"]): string {
  const done = tasks.filter(({ state }) => state === "done");
  const parts = CONFIDENCES.toReversed().flatMap((each) => {
    const count = done.filter(({ confidence }) => (confidence ?? "unverified") === each).length;
    return count === 0 ? [] : [count === done.length ? `all ${each}` : `${count} ${each}`];
  });
  return parts.join(", ");
}

/** From the tasks to the delivery, with times. */
export function Way({ view, workflow }: { readonly view: StatusView; readonly workflow: Workflow }) {
  const { milestones, judgement, tasks } = workflow;
  const rounds = new Map((judgement?.rounds ?? []).map((each) => [each.round, each]));
  const done = milestones.findLast(({ what }) => what === "tasks-done");
  const steps = [
    ...(done === undefined
      ? []
      : [
          {
            at: done.at,
            glyph: <Seal confidence={lowest(tasks)} />,
            head: `${workflow.counts.done} of ${tasks.length} tasks`,
            text: evidenceWords(tasks),
          },
        ]),
    ...milestones.flatMap(({ at, what, number }) => {
      if (what === "review") {
        const round = rounds.get(number);
        const blockers = round?.blockers ?? 0;
        const dropped = round?.dropped ?? 0;
        return [
          {
            at,
            glyph: blockers > 0 ? <Contradicts /> : <Stands />,
            head: `Review ${number}: ${round?.score ?? "no answer"}${round?.score == null ? "" : "/10"}`,
            text: `${blockers === 0 ? "no blocker" : counted(blockers, "blocker")}${dropped === 0 ? "" : `, ${dropped} dropped`}`,
          },
        ];
      }
      if (what === "extended")
        return [{ at, glyph: <Weak />, head: counted(number, "more task"), text: "to put things right" }];
      if (what === "gate") {
        const { gate } = judgement ?? { gate: null };
        const isShown = gate?.passed === true && gate.items.every(({ state }) => state === "met");
        return [
          {
            at,
            glyph: isShown ? <Stands /> : <Open />,
            head: `Gate: ${gate?.passed === true ? "passed" : "shut"}`,
            text: gate === null ? "" : gateSentence(gate),
          },
        ];
      }
      if (what === "delivered")
        return [
          {
            at,
            glyph: <Accepted />,
            head: workflow.delivered?.how === "moved" ? "Delivered" : "Left on its branch",
            text:
              workflow.userBranch === null
                ? ""
                : workflow.delivered?.how === "moved"
                  ? `${workflow.userBranch} was fast-forwarded`
                  : (workflow.branch ?? ""),
          },
        ];
      return [];
    }),
  ];
  if (steps.length === 0) return null;
  return (
    <ol class="way" tabIndex={0} aria-label="the way there">
      {steps.map(({ at, glyph, head, text }, index) => (
        <li key={index}>
          <time dateTime={at}>{clock(at)}</time>
          {glyph}
          <b>{head}</b>
          <span class="dim">{text}</span>
        </li>
      ))}
      <li class="sr">{view.phase}</li>
    </ol>
  );
}
