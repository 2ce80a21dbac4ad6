import type { JSX } from "preact";
import type { StatusView } from "../../../../views/status.ts";
import type { Milestone } from "../../../../views/story/plan-story.ts";
import { Accepted, AtWork, Contradicts, Open, Seal, Stands } from "../shown/glyphs.tsx";
import { clock, counted } from "../shown/words.ts";
import { type Workflow, gateSentence } from "./gate.ts";

type Tasks = Workflow["tasks"];

interface Step {
  readonly at: string;
  readonly glyph: JSX.Element;
  readonly head: string;
  readonly text: string;
}

const CONFIDENCES = ["unverified", "weak", "verified"] as const;

function lowest(tasks: Tasks): string {
  const done = tasks.filter(({ state }) => state === "done");
  return (
    CONFIDENCES.find((each) => done.some(({ confidence }) => (confidence ?? "unverified") === each)) ??
    "unverified"
  );
}

/** `4 verified, 1 unverified`. */
function evidenceWords(tasks: Tasks): string {
  const done = tasks.filter(({ state }) => state === "done");
  const parts = CONFIDENCES.toReversed().flatMap((each) => {
    const count = done.filter(({ confidence }) => (confidence ?? "unverified") === each).length;
    return count === 0
      ? []
      : [count === done.length && count > 1 ? `all ${count} ${each}` : `${count} ${each}`];
  });
  return parts.join(", ");
}

function tasksStep(at: string, tasks: Tasks): Step {
  const done = tasks.filter(({ state }) => state === "done");
  return {
    at,
    glyph: <Seal confidence={lowest(tasks)} />,
    head: `${done.length} of ${counted(tasks.length, "task")} merged`,
    text: evidenceWords(tasks),
  };
}

/** What a review made of its findings. */
function remedyStep(at: string, tasks: Tasks): Step {
  const isDone = tasks.every(({ state }) => state === "done");
  return {
    at,
    glyph: isDone ? <Seal confidence={lowest(tasks)} /> : <AtWork />,
    head: `${tasks.map(({ id }) => id).join(", ")} ${isDone ? "put it right" : "to put it right"}`,
    text: isDone ? `merged, ${evidenceWords(tasks).replace(/^(?:all )?\d+ (?=\w+$)/, "")}` : "",
  };
}

function reviewStep(at: string, number: number, { judgement }: Workflow): Step {
  const round = judgement?.rounds.find((each) => each.round === number);
  const { blockers = 0, dropped = 0, issues = 0, score = null } = round ?? {};
  const others = issues - blockers;
  return {
    at,
    glyph: blockers > 0 ? <Contradicts /> : <Stands />,
    head: `Review ${number}: ${score === null ? "no answer" : `${score}/10`}`,
    text: [
      blockers === 0 ? "no blocker" : counted(blockers, "blocker"),
      ...(others === 0 ? [] : [blockers === 0 ? counted(others, "smaller finding") : `${others} more`]),
      ...(dropped === 0 ? [] : [`${dropped} dropped`]),
    ].join(", "),
  };
}

function gateStep(at: string, { judgement }: Workflow): Step {
  const gate = judgement?.gate ?? null;
  const isShown = gate?.passed === true && gate.items.every(({ state }) => state === "met");
  return {
    at,
    glyph: isShown ? <Stands /> : <Open />,
    head: `Gate: ${gate?.passed === true ? "passed" : "shut"}`,
    text: gate === null ? "" : gateSentence(gate),
  };
}

function deliveryStep(at: string, { delivered, userBranch, branch }: Workflow): Step {
  const isMoved = delivered?.how === "moved";
  return {
    at,
    glyph: <Accepted />,
    head: isMoved ? "Delivered" : "Left on its branch",
    text: userBranch === null ? "" : isMoved ? `${userBranch} was fast-forwarded` : (branch ?? ""),
  };
}

/** The tasks of a plan as it was, and those that each review added. */
function stepsOf(workflow: Workflow): readonly Step[] {
  const { milestones, judgement, tasks } = workflow;
  const remedies = (round: number): ReadonlySet<string | null> =>
    new Set((judgement?.findings ?? []).filter((each) => each.round === round).map(({ task }) => task));
  const added = new Set((judgement?.findings ?? []).map(({ task }) => task));
  const firstReview = milestones.findIndex(({ what }) => what === "review");
  const done = (firstReview === -1 ? milestones : milestones.slice(0, firstReview)).findLast(
    ({ what }) => what === "tasks-done",
  );
  let round = 0;
  const stepOf = ({ at, what, number }: Milestone): readonly Step[] => {
    switch (what) {
      case "review":
        round = number;
        return [reviewStep(at, number, workflow)];
      case "extended": {
        const own = remedies(round);
        const found = tasks.filter(({ id }) => own.has(id));
        return found.length === 0 ? [] : [remedyStep(at, found)];
      }
      case "gate":
        return [gateStep(at, workflow)];
      case "delivered":
        return [deliveryStep(at, workflow)];
      case "tasks-done":
      case "wave-review":
        return [];
    }
  };
  const planned = tasks.filter(({ id }) => !added.has(id));
  return [...(done === undefined ? [] : [tasksStep(done.at, planned)]), ...milestones.flatMap(stepOf)];
}

/** From the tasks to the delivery, with times. */
export function Way({ view, workflow }: { readonly view: StatusView; readonly workflow: Workflow }) {
  const steps = stepsOf(workflow);
  const [only] = steps;
  if (only === undefined) return null;
  if (steps.length === 1)
    return (
      <p class="only-step">
        {only.glyph} <b>{only.head}</b>
        {only.text === "" ? "" : `, ${only.text}`} <span class="dim">at {clock(only.at)}</span>
      </p>
    );
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
