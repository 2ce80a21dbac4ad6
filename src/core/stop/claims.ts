import { blockedDetail } from "./status-block.ts";
import type { LoopEvent } from "../events/event.ts";
import { topFrame, type Loop, type Task } from "../loop/loop.ts";
import { isAttested } from "./completion.ts";
import type { Claim, Said, StopFacts } from "./facts.ts";

/** The claims as facts. Ignores unknown names and what is already known. */
export function eventsOfClaims(loop: Loop, said: Said): readonly LoopEvent[] {
  const frame = topFrame(loop);
  const events: LoopEvent[] = [];
  for (const claim of latestOfEach(said.claims)) {
    switch (claim.type) {
      case "met": {
        const criterion = frame.criteria.find((each) => each.name === claim.name);
        // If a check decides, an attestation adds nothing.
        if (criterion === undefined || criterion.check !== null || isAttested(criterion)) break;
        events.push({
          type: "criterion.attested",
          name: claim.name,
          by: claim.by,
          actor: "agent",
          note: null,
          source: claim.source,
        });
        break;
      }
      case "unmet": {
        const criterion = frame.criteria.find((each) => each.name === claim.name);
        if (criterion === undefined || criterion.attestation === null) break;
        events.push({ type: "criterion.disclaimed", name: claim.name, source: claim.source });
        break;
      }
      case "step-done": {
        const step = frame.steps.find((each) => each.name === claim.name);
        if (step === undefined || step.done) break;
        events.push({ type: "step.finished", name: claim.name, source: claim.source });
        break;
      }
      case "task-done":
        // As strong as the host's task list, which the agent also keeps itself.
        for (const task of frame.tasks) {
          if (task.subject !== claim.name || task.status === "completed") continue;
          events.push({ type: "task.recorded", task: { ...task, status: "completed" } });
        }
        break;
      case "exit":
        if (!frame.exitSignal) events.push({ type: "exit.signalled", source: claim.source });
        break;
      case "no-exit":
        if (frame.exitSignal) events.push({ type: "exit.withdrawn", source: claim.source });
        break;
      case "blocked":
      case "next":
        break;
    }
  }
  const saidNext = nextIn(said);
  if (saidNext !== loop.saidNext) events.push({ type: "next.said", text: saidNext });
  if (said.marker && frame.exitRule === "criteria" && !frame.exitSignal && !signals(events)) {
    events.push({ type: "exit.signalled", source: "marker" });
  }
  return events;
}

/**
 * A turn that claims the end only by ending counts if a check can contradict it, or if it is an attempt at a task without one, which
 * stays unverified; explicit words take precedence.
 */
export function saidAtEnd(loop: Loop, { said, turn }: Pick<StopFacts, "said" | "turn">): Said {
  if (turn?.claimsDone !== true || said.claims.length > 0) return said;
  const { criteria } = topFrame(loop);
  const isUnchecked = loop.attemptOf !== null && criteria.length === 0;
  return isUnchecked || criteria.some(({ check }) => check !== null)
    ? { ...said, claims: [{ type: "exit", source: "command" }] }
    : said;
}

export function blockedReason(said: Said): string | null {
  const claim = said.claims.findLast((each) => each.type === "blocked");
  return claim?.type === "blocked" ? blockedDetail(null, claim.reason) : null;
}

/** Its last word about that, which a later stop without one takes back. */
function nextIn(said: Said): string | null {
  const claim = said.claims.findLast((each) => each.type === "next");
  return claim?.type === "next" ? claim.text : null;
}

/** The last of several claims about one thing counts. */
function latestOfEach(claims: readonly Claim[]): Iterable<Claim> {
  const latest = new Map<string, Claim>();
  for (const claim of claims) {
    const about = "name" in claim ? `${kindOf(claim)} ${claim.name}` : kindOf(claim);
    latest.delete(about);
    latest.set(about, claim);
  }
  return latest.values();
}

function kindOf(claim: Claim): string {
  switch (claim.type) {
    case "met":
    case "unmet":
      return "criterion";
    case "step-done":
      return "step";
    case "task-done":
      return "task";
    case "exit":
    case "no-exit":
      return "exit";
    case "blocked":
    case "next":
      return claim.type;
  }
}

function signals(events: readonly LoopEvent[]): boolean {
  return events.some((event) => event.type === "exit.signalled");
}

/**
 * What a host's task list changes in the loop. The list is a mirror, not the truth: a completed task that vanished stays
 * completed; any other vanished task no longer holds the agent.
 */
export function eventsOfTaskList(loop: Loop, listed: readonly Task[]): readonly LoopEvent[] {
  const known = topFrame(loop).tasks;
  const recorded = listed.filter((task) => !known.some((each) => isSame(each, task)));
  const dropped = known.filter(
    (each) => each.status !== "completed" && !listed.some((task) => task.id === each.id),
  );
  return [
    ...recorded.map((task): LoopEvent => ({ type: "task.recorded", task })),
    ...dropped.map(({ id }): LoopEvent => ({ type: "task.dropped", id })),
  ];
}

function isSame(a: Task, b: Task): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
