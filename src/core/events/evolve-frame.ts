import { isMet, type Criterion, type Standard } from "../loop/criterion.ts";
import { ImpossibleEvent, type EventOf, type OpenedGoal } from "./event.ts";
import type { Proof } from "../loop/proof.ts";
import { CLOSED_BREAKERS, type Breakers, type Frame, type Task } from "../loop/loop.ts";
import { errorText } from "../stop/error-signature.ts";

export function openFrame(goal: OpenedGoal): Frame {
  const names = new Set(goal.criteria.map((criterion) => criterion.name));
  if (names.size !== goal.criteria.length) throw new ImpossibleEvent("two criteria of one name");
  return {
    ...goal,
    criteria: goal.criteria.map(({ name, check }) => openCriterion(name, check, false)),
    steps: goal.steps.map((name) => ({ name, done: false })),
    iteration: 0,
    launched: 0,
    judged: 0,
    tried: [],
    exitSignal: false,
    tasks: [],
    proofs: [],
    breakers: CLOSED_BREAKERS,
  };
}

function openCriterion(name: string, check: Criterion["check"], isAgents: boolean): Criterion {
  return {
    name,
    check,
    attestation: null,
    evidence: null,
    passedAtStart: null,
    failedTree: null,
    proofs: [],
    judgedAgainst: null,
    isAgents,
    everMet: false,
  };
}

type CriterionEvent = EventOf<
  | "criterion.added"
  | "criterion.amended"
  | "criterion.removed"
  | "criterion.attested"
  | "criterion.disclaimed"
  | "check.ran"
>;

/** `standard`: what the loop's evidence is compared with. */
export function changeCriteria(frame: Frame, event: CriterionEvent, standard: Standard, at: number): Frame {
  const known = frame.criteria.find((criterion) => criterion.name === event.name);
  if (event.type === "criterion.added") {
    if (known !== undefined) throw new ImpossibleEvent(`a second criterion called ${event.name}`);
    const added = openCriterion(event.name, event.check, event.by === "agent");
    return { ...frame, criteria: [...frame.criteria, added] };
  }
  if (known === undefined) throw new ImpossibleEvent(`no criterion is called ${event.name}`);
  if (event.type === "criterion.removed") {
    return { ...frame, criteria: frame.criteria.filter((criterion) => criterion !== known) };
  }
  const changed = changeCriterion(known, event, at);
  const isNews = !known.everMet && isMet(changed, standard);
  const criteria = frame.criteria.map((criterion) =>
    criterion === known ? { ...changed, everMet: known.everMet || isNews } : criterion,
  );
  const tried = event.type === "check.ran" ? withFailure(frame.tried, event) : frame.tried;
  return {
    ...frame,
    criteria,
    tried,
    ...(event.type === "check.ran" ? { proofs: objectionsLeft(frame.proofs, frame.criteria, event) } : {}),
    ...(isNews ? { breakers: resetByProgress(frame) } : {}),
  };
}

/** The result of an iteration is the first check that failed after it. */
function withFailure(
  tried: Frame["tried"],
  { name, evidence, atStart }: EventOf<"check.ran">,
): Frame["tried"] {
  const last = tried.at(-1);
  if (atStart || evidence.passed || last === undefined || last.failure !== null) return tried;
  return [...tried.slice(0, -1), { ...last, failure: errorText(name, evidence.outputTail) }];
}

function changeCriterion(
  criterion: Criterion,
  event: Exclude<CriterionEvent, { type: "criterion.added" | "criterion.removed" }>,
  at: number,
): Criterion {
  switch (event.type) {
    case "criterion.amended":
      return openCriterion(criterion.name, event.check, event.by === "agent");
    case "criterion.attested":
      return { ...criterion, attestation: { by: event.by, actor: event.actor, note: event.note, at } };
    case "criterion.disclaimed":
      return { ...criterion, attestation: null };
    case "check.ran":
      return {
        ...criterion,
        evidence: event.evidence,
        proofs: objectionsLeft(criterion.proofs, [criterion], event),
        passedAtStart: event.atStart ? event.evidence.passed : criterion.passedAtStart,
        failedTree: event.evidence.passed ? criterion.failedTree : event.evidence.treeDigest,
      };
  }
}

/** Proofs belong to the checks before them. One that failed still counts for the same files, however often the check passes. */
function objectionsLeft(
  proofs: readonly Proof[],
  criteria: readonly Criterion[],
  { evidence: { treeDigest } }: EventOf<"check.ran">,
): readonly Proof[] {
  const isSameTree =
    treeDigest !== null && criteria.some(({ evidence }) => evidence?.treeDigest === treeDigest);
  return isSameTree ? proofs.filter(({ result }) => result === "fails") : [];
}

export function changeProofs(frame: Frame, { name, proof }: EventOf<"proof.shown">): Frame {
  if (name === null) return { ...frame, proofs: withProof(frame.proofs, proof) };
  const criteria = frame.criteria.map((each) => (each.name === name ? proven(each, proof) : each));
  return { ...frame, criteria };
}

/** The last proof of each kind counts; for holdouts, the last of each name. */
function withProof(proofs: readonly Proof[], proof: Proof): readonly Proof[] {
  const isSame = ({ kind, detail }: Proof): boolean =>
    kind === proof.kind && (kind !== "holdout" || detail === proof.detail);
  return [...proofs.filter((each) => !isSame(each)), proof];
}

function proven(criterion: Criterion, proof: Proof): Criterion {
  const proofs = withProof(criterion.proofs, proof);
  if (proof.kind !== "judge") return { ...criterion, proofs };
  return { ...criterion, proofs, judgedAgainst: proof.result === "fails" ? proof.files : null };
}

/** The changed files now belong to the opening, so objections to them no longer apply. */
export function approveBaseline(frame: Frame): Frame {
  const criteria = frame.criteria.map((each) => ({ ...each, proofs: [], judgedAgainst: null }));
  return { ...frame, criteria };
}

/** Drops evidence that nobody here has seen. */
export function withoutEvidence(frame: Frame): Frame {
  const criteria = frame.criteria.map((each) => ({
    ...each,
    attestation: null,
    evidence: null,
    passedAtStart: null,
    proofs: [],
    judgedAgainst: null,
    everMet: false,
  }));
  return { ...frame, criteria, proofs: [], exitSignal: false };
}

export function changeSteps(
  frame: Frame,
  event: EventOf<"step.added" | "step.finished" | "step.reopened" | "step.removed">,
): Frame {
  const known = frame.steps.find((step) => step.name === event.name);
  if (event.type === "step.added") {
    if (known !== undefined) throw new ImpossibleEvent(`a second step called ${event.name}`);
    return { ...frame, steps: [...frame.steps, { name: event.name, done: false }] };
  }
  if (known === undefined) throw new ImpossibleEvent(`no step is called ${event.name}`);
  if (event.type === "step.removed") {
    return { ...frame, steps: frame.steps.filter((step) => step !== known) };
  }
  const done = event.type === "step.finished";
  const steps = frame.steps.map((step) => (step === known ? { ...step, done } : step));
  return { ...frame, steps, ...(done && !known.done ? { breakers: resetByProgress(frame) } : {}) };
}

export function changeTasks(frame: Frame, event: EventOf<"task.recorded" | "task.dropped">): Frame {
  if (event.type === "task.dropped") {
    return { ...frame, tasks: frame.tasks.filter((task) => task.id !== event.id) };
  }
  const known = frame.tasks.find((task) => task.id === event.task.id);
  const tasks: readonly Task[] =
    known === undefined
      ? [...frame.tasks, event.task]
      : frame.tasks.map((task) => (task === known ? event.task : task));
  const isNews = event.task.status === "completed" && known?.status !== "completed";
  return { ...frame, tasks, ...(isNews ? { breakers: resetByProgress(frame) } : {}) };
}

/** New progress resets the stuck and same-error breakers. */
function resetByProgress(frame: Frame): Breakers {
  return { ...CLOSED_BREAKERS, noProgress: frame.breakers.noProgress };
}
