import { joined } from "../../core/joined.ts";
import { counted } from "../../system/text/quantities.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { blockersIn, wasAsked, type Review } from "../../core/stages/stages.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { confidenceText } from "../completion.ts";
import { attestationText } from "../criterion.ts";
import type { Terminal } from "./terminal.ts";
import { padded } from "../../system/text/display-width.ts";

export function renderEvent(terminal: Terminal, seq: number, at: number, event: LoopEvent): string {
  const time = new Date(at).toISOString().slice(0, 19).replace("T", " ");
  const about = oneLine(eventText(event), Math.max(40, terminal.width - 52));
  return `${terminal.paint("dim", `${String(seq).padStart(5)}  ${time}`)}  ${padded(event.type, 21)} ${about}`.trimEnd();
}

/** What an event says beside its name. */
export function eventText(event: LoopEvent): string {
  switch (event.type) {
    case "loop.opened":
      return event.goal.spec;
    case "frame.pushed":
      return event.goal.spec;
    case "frame.popped":
      return event.outcome;
    case "session.bound":
      return event.binding.session;
    case "wait.began":
      return event.what;
    case "criterion.added":
    case "criterion.amended":
      return `${event.name}${event.check === null ? "" : ` = ${describeCheck(event.check)}`}`;
    case "criterion.attested":
      return `${event.name}: ${attestationText(event)}${event.note === null ? "" : ` (${event.note})`}`;
    case "criterion.removed":
    case "criterion.disclaimed":
    case "step.added":
    case "step.finished":
    case "step.reopened":
    case "step.removed":
      return event.name;
    case "check.ran":
      return `${event.name}: ${event.evidence.ending}`;
    case "proof.shown":
      return [event.name, event.proof.kind, event.proof.result, event.proof.detail]
        .filter((part) => part !== null)
        .join(", ");
    case "plan.adopted":
      return `${counted(event.plan.tasks.length, "task")}, ${event.parallel} at once`;
    case "plan.extended":
      return `${event.tasks.map(({ id }) => id).join(", ")}: ${event.why}`;
    case "task.edited":
      return `${event.task.id}: ${event.task.subject}`;
    case "task.skipped":
      return `${event.task}, by ${event.by}: ${event.why}`;
    case "task.retried":
      return event.task;
    case "stages.begun":
      return event.policy.asks ? "models may be asked" : "without models";
    case "learnings.judged":
      return `${event.confirmed.length} apply, ${event.dismissed.length} don't`;
    case "learnings.recalled":
      return `${event.learnings.length}, familiarity ${event.familiarity}`;
    case "intent.settled":
      return `spec ${event.score.total}/10, ${event.intent.answers.length} answers`;
    case "shape.drawn":
      return `${event.shape.kind}, ${event.shape.criteria.length} criteria`;
    case "question.asked":
      return `${event.question} to ${event.agent}`;
    case "question.closed":
      return `${event.question}${event.failure === null ? "" : `: ${event.failure}`}`;
    case "counsel.given":
      return `${event.task}, after attempt ${event.after}: ${event.approach}`;
    case "wave.reviewed":
      return `wave ${event.wave}: ${reviewDetail(event)}`;
    case "work.reviewed":
      return `round ${event.round}: ${reviewDetail(event)}`;
    case "finding.resolved":
      return `${event.finding} of round ${event.round}: ${event.how}${event.task === null ? "" : ` ${event.task}`}`;
    case "gate.judged":
      return event.passed ? "passed" : "failed";
    case "branch.begun":
      return `${event.name} from ${event.from.slice(0, 12)}`;
    case "wave.begun":
    case "wave.ended":
      return String(event.wave);
    case "attempt.started":
      return `${event.task}, attempt ${event.number}: ${event.loop}`;
    case "attempt.placed":
      return `${event.task}, attempt ${event.number}: on ${event.worker}`;
    case "attempt.finished":
      return `${event.task}, attempt ${event.number}: ${joined([event.confidence, ...event.doubts])}`;
    case "attempt.set-back":
      return `${event.task}, attempt ${event.number}: ${event.setback.kind}: ${event.setback.detail}`;
    case "attempt.fell-short":
      return `${event.task}, attempt ${event.number}: ${event.detail}`;
    case "merge.begun":
      return event.tasks.join(", ");
    case "merge.ended":
      return [
        ...event.accepted.map(({ task, commit }) => `${task}: ${commit?.slice(0, 12) ?? "in place"}`),
        ...event.setBack.map(({ task, setback }) => `${task}: ${setback.kind}`),
      ].join(", ");
    case "work.checked":
      return `all checks passed on ${event.commit.slice(0, 12)}`;
    case "merge.undone":
      return `${event.tasks.join(", ")}: back to ${event.to.slice(0, 12)}, since these failed: ${event.suspects.join(", ")}`;
    case "check.wavered":
      return `${event.check}: two results on the same files`;
    case "task.given-up":
      return `${event.task}: ${event.why}`;
    case "agent.limited":
      return `${event.agent} until ${new Date(event.until).toISOString()}`;
    case "delivery.begun":
      return `from ${event.from.slice(0, 8)}`;
    case "work.delivered":
      return event.delivery.why ?? event.delivery.how;
    case "opening.approved":
      return event.names.join(", ");
    case "task.recorded":
      return `${event.task.id} ${event.task.subject}: ${event.task.status}`;
    case "task.dropped":
      return event.id;
    case "exit.signalled":
    case "exit.withdrawn":
      return `by ${event.source}`;
    case "next.said":
      return event.text ?? "nothing";
    case "words.told":
      return `${event.task === null ? "" : `for ${event.task}: `}${event.text}`;
    case "words.heard":
      return event.turn === null ? "in the session" : `in turn ${event.turn}`;
    case "cost.charged":
      if (!event.priced && event.usd === 0 && event.tokens === 0)
        return "unknown: the agent did not report it";
      return `$${event.usd.toFixed(4)}, ${event.tokens} tokens`;
    case "breakers.counted": {
      const { stuck, sameError, noProgress } = event.breakers;
      return `stuck ${stuck.count}, same error ${sameError.count}, no progress ${noProgress.count}`;
    }
    case "iteration.adopted":
    case "iteration.held":
    case "iteration.handed-back":
      return `iteration ${event.iteration}`;
    case "run.began":
      return `${event.driver}${event.model === null ? "" : ` (${event.model})`}`;
    case "turn.launched":
      return `iteration ${event.iteration}${event.step === null ? "" : `: ${event.step}`}`;
    case "turn.ended":
      return `${event.outcome}${event.said === null ? "" : `: ${event.said}`}`;
    case "conversation.opened":
      return event.conversation;
    case "permission.denied":
      return event.denials.join(", ");
    case "usage-limit.met":
      return `until ${new Date(event.until).toISOString()}: ${event.detail}`;
    case "checkpoint.restored":
      return `iteration ${event.iteration}`;
    case "commit.wanted":
      return event.branch ?? event.onto ?? "";
    case "work.committed":
      return [event.commit?.slice(0, 12), event.why].filter((part) => part != null).join(": ");
    case "shape.changed":
      return `${event.shape} (by ${event.by})`;
    case "loosening.refused":
      return event.what;
    case "loop.paused":
      return `${event.reason}${event.detail === null ? "" : `: ${event.detail}`}`;
    case "loop.continued":
      return [
        event.addedUsd === null ? "" : `$${event.addedUsd} more`,
        event.addedIterations === null ? "" : `${event.addedIterations} iterations more`,
      ].join(" ");
    case "loop.completed":
      return confidenceText(event);
    case "loop.cancelled":
      return `by ${event.by}`;
    case "commit.undone":
    case "loop.trusted":
    case "run.ended":
    case "transcript.read":
    case "turn.started":
    case "protection.approved":
      return "";
  }
}

function reviewDetail({ score, findings, failure, agent }: Review): string {
  if (failure !== null) return `${wasAsked({ agent }) ? "no usable answer" : "nobody was asked"}: ${failure}`;
  return `${score ?? "?"}/10, ${findings.length} findings, ${blockersIn(findings).length} blockers`;
}
