import type { LoopEvent } from "../../core/events/event.ts";
import type { Finding, IntentSummary } from "../../core/stages/stages.ts";
import type { Redact } from "../../system/secrets/redact.ts";

/**
 * The event to store: free text from agents, hosts and checks, without secrets. The user's own words (the spec and the commands
 * of the plan) stay as they are, and so do names, which identify things.
 */
export function redactEvent(event: LoopEvent, redact: Redact): LoopEvent {
  const orNull = (text: string | null): string | null => (text === null ? null : redact(text));
  switch (event.type) {
    case "loop.paused":
      return { ...event, detail: orNull(event.detail) };
    case "permission.denied":
      return { ...event, denials: event.denials.map(redact) };
    case "usage-limit.met":
      return { ...event, detail: redact(event.detail) };
    case "turn.ended":
      return { ...event, said: orNull(event.said) };
    case "criterion.attested":
      return { ...event, note: orNull(event.note) };
    case "check.ran": {
      const { evidence } = event;
      const { ending, outputTail } = evidence;
      return {
        ...event,
        evidence: { ...evidence, ending: redact(ending), outputTail: redact(outputTail) },
      };
    }
    case "proof.shown": {
      const { proof } = event;
      const { detail, ran } = proof;
      const redacted = ran === undefined ? {} : { ran: { ...ran, output: redact(ran.output) } };
      return { ...event, proof: { ...proof, detail: orNull(detail), ...redacted } };
    }
    case "task.recorded":
      return { ...event, task: { ...event.task, subject: redact(event.task.subject) } };
    case "loosening.refused":
      return { ...event, what: redact(event.what) };
    case "loop.completed":
      return { ...event, why: event.why.map(redact) };
    case "attempt.set-back":
      return { ...event, setback: { ...event.setback, detail: redact(event.setback.detail) } };
    case "attempt.fell-short":
      return { ...event, detail: redact(event.detail) };
    case "merge.ended":
      return {
        ...event,
        setBack: event.setBack.map(({ task, setback }) => ({
          task,
          setback: { ...setback, detail: redact(setback.detail) },
        })),
      };
    case "attempt.finished":
      return { ...event, doubts: event.doubts.map(redact) };
    case "check.wavered":
      return { ...event, check: redact(event.check) };
    case "task.given-up":
    case "task.skipped":
      return { ...event, why: redact(event.why) };
    case "learnings.recalled":
      return { ...event, learnings: event.learnings.map((each) => ({ ...each, text: redact(each.text) })) };
    case "intent.settled":
      return { ...event, intent: { ...event.intent, echo: redactSummary(event.intent.echo, redact) } };
    case "question.closed":
      return { ...event, failure: orNull(event.failure) };
    case "counsel.given":
      return { ...event, approach: redact(event.approach) };
    case "wave.reviewed":
    case "work.reviewed":
      return {
        ...event,
        ...(event.panel === undefined
          ? {}
          : { panel: event.panel.map((each) => ({ ...each, failure: orNull(each.failure) })) }),
        ...(event.unquoted === undefined
          ? {}
          : {
              unquoted: event.unquoted.map(({ file, quote, problem }) => ({
                file,
                quote: redact(quote),
                problem: redact(problem),
              })),
            }),
        findings: event.findings.map((each) => redactFinding(each, redact)),
        failure: orNull(event.failure),
      };
    case "next.said":
      return { ...event, text: orNull(event.text) };
    case "words.told":
      return { ...event, text: redact(event.text) };
    case "gate.judged":
      return {
        ...event,
        items: event.items.map((each) => ({ ...each, detail: orNull(each.detail) })),
        survivors: event.survivors.map((each) => ({ ...each, change: redact(each.change) })),
      };
    // Lists every event, so that nobody adds one without thinking about this.
    case "loop.opened":
    case "loop.trusted":
    case "learnings.judged":
    case "loop.continued":
    case "loop.cancelled":
    case "session.bound":
    case "frame.pushed":
    case "frame.popped":
    case "turn.started":
    case "turn.launched":
    case "wait.began":
    case "criterion.added":
    case "criterion.amended":
    case "criterion.removed":
    case "criterion.disclaimed":
    case "opening.approved":
    case "words.heard":
    case "protection.approved":
    case "step.added":
    case "step.finished":
    case "step.reopened":
    case "step.removed":
    case "task.dropped":
    case "exit.signalled":
    case "exit.withdrawn":
    case "cost.charged":
    case "transcript.read":
    case "breakers.counted":
    case "iteration.adopted":
    case "iteration.held":
    case "iteration.handed-back":
    case "run.began":
    case "run.ended":
    case "conversation.opened":
    case "checkpoint.restored":
    case "commit.wanted":
    case "work.committed":
    case "commit.undone":
    case "shape.changed":
    case "plan.adopted":
    case "plan.extended":
    case "task.edited":
    case "task.retried":
    case "stages.begun":
    case "shape.drawn":
    case "question.asked":
    case "finding.resolved":
    case "branch.begun":
    case "wave.begun":
    case "wave.ended":
    case "attempt.started":
    case "attempt.placed":
    case "merge.begun":
    case "merge.undone":
    case "work.checked":
    case "agent.limited":
    case "delivery.begun":
    case "work.delivered":
      return event;
  }
}

function redactSummary(echo: IntentSummary | null, redact: Redact): IntentSummary | null {
  if (echo === null) return null;
  const { deliverable, firstFact, hardestConstraint } = echo;
  return {
    deliverable: redact(deliverable),
    firstFact: redact(firstFact),
    hardestConstraint: redact(hardestConstraint),
  };
}

function redactFinding(finding: Finding, redact: Redact): Finding {
  const { quote, problem, command, fix } = finding;
  return {
    ...finding,
    quote: redact(quote),
    problem: redact(problem),
    command: command === null ? null : redact(command),
    fix: fix === null ? null : redact(fix),
  };
}
