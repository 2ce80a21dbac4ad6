import type { JSX } from "preact";
import type { StatusView } from "../../../../views/status.ts";
import type { Milestone } from "../../../../views/story/plan-story.ts";
import { gateSentence, gateWord, isRepair } from "../../../../views/gate-words.ts";
import { stateWords, TaskGlyph } from "../plan/task-state.tsx";
import { Accepted, Contradicts, Open, Seal, Stands } from "../shown/glyphs.tsx";
import { clock, counted } from "../shown/words.ts";
import type { Workflow } from "./gate.ts";

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

/** What a review or a gate made of what it found, or a person added. */
function addedStep(at: string, tasks: Tasks, { judgement }: Workflow, phase: StatusView["phase"]): Step {
  const open = tasks.find(({ state }) => state !== "done");
  const isRemedy = tasks.every(isRepair);
  return {
    at,
    glyph:
      open === undefined ? (
        <Seal confidence={lowest(tasks)} />
      ) : (
        <TaskGlyph task={open} judgement={judgement} />
      ),
    head: `${tasks.map(({ id }) => id).join(", ")} ${isRemedy ? "to put it right" : "added"}`,
    text:
      open === undefined
        ? `merged, ${evidenceWords(tasks).replace(/^(?:all )?\d+ (?=\w+$)/, "")}`
        : stateWords(open, phase),
  };
}

function reviewStep(at: string, number: number, { judgement }: Workflow): Step {
  const round = judgement?.rounds.find((each) => each.round === number);
  const { blockers = 0, dropped = 0, issues = 0, score = null, failure = null } = round ?? {};
  const others = issues - blockers;
  if (failure !== null && issues === 0)
    return { at, glyph: <Open />, head: `Review ${number}: no answer`, text: "nobody read the work" };
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

/** Only what the last gate saw is kept in the view; one before it was shut, or there would be no other. */
function shutStep(at: string): Step {
  return { at, glyph: <Contradicts />, head: "Gate: shut", text: "what spoke against it became a task" };
}

function gateStep(at: string, { judgement }: Workflow): Step {
  const gate = judgement?.gate ?? null;
  const isShown = gate?.passed === true && gate.items.every(({ state }) => state === "met");
  return {
    at,
    glyph: isShown ? <Stands /> : gate?.passed === false ? <Contradicts /> : <Open />,
    head: `Gate: ${gate === null ? "shut" : gateWord(gate)}`,
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

/** The tasks of a plan as it was, and those that each review and each gate added, which come after them. */
function stepsOf(workflow: Workflow, phase: StatusView["phase"]): readonly Step[] {
  const { milestones, tasks } = workflow;
  const added = milestones.reduce((sum, { what, number }) => sum + (what === "extended" ? number : 0), 0);
  let next = tasks.length - added;
  const planned = tasks.slice(0, next);
  const firstReview = milestones.findIndex(({ what }) => what === "review" || what === "gate");
  const done = (firstReview === -1 ? milestones : milestones.slice(0, firstReview)).findLast(
    ({ what }) => what === "tasks-done",
  );
  const lastGate = milestones.findLast(({ what }) => what === "gate");
  const stepOf = (milestone: Milestone): readonly Step[] => {
    const { at, what, number } = milestone;
    switch (what) {
      case "review":
        return [reviewStep(at, number, workflow)];
      case "extended": {
        next += number;
        return [addedStep(at, tasks.slice(next - number, next), workflow, phase)];
      }
      case "gate":
        return [milestone === lastGate ? gateStep(at, workflow) : shutStep(at)];
      case "delivered":
        return [deliveryStep(at, workflow)];
      case "tasks-done":
      case "wave-review":
        return [];
    }
  };
  return [...(done === undefined ? [] : [tasksStep(done.at, planned)]), ...milestones.flatMap(stepOf)];
}

/** From the tasks to the delivery, with times. */
export function Way({ view, workflow }: { readonly view: StatusView; readonly workflow: Workflow }) {
  const steps = stepsOf(workflow, view.phase);
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
