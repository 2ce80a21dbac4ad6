import { Fragment } from "preact";
import type { WorkflowStatus, WorkflowTask } from "../../../../views/plan.ts";
import type { StatusView } from "../../../../views/status.ts";
import type { AttemptView } from "../../../../views/story/plan-story.ts";
import { isFalseClaim, type IterationView, type RanCheck } from "../../../../views/story/iterations.ts";
import { testsWords } from "../loop/check-words.ts";
import { setbackWords } from "./task-state.tsx";
import { Output, tellSame } from "../shown/code.tsx";
import { Doing } from "../shown/doing.tsx";
import { AtWork, Failed, Passed, Quote, Relation, Waits } from "../shown/glyphs.tsx";
import { markColor, markOf, ProofGlyph, Stamps } from "../shown/proof-marks.tsx";
import { proofName } from "../shown/legend.tsx";
import { counted, dollars, period } from "../shown/words.ts";

/** It said, its check said, the proof said, the merge said. */
export function Attempt({
  attempt,
  story,
  workflow,
  task,
}: {
  readonly attempt: AttemptView;
  readonly story: StatusView | null;
  readonly workflow: WorkflowStatus;
  readonly task: WorkflowTask;
}) {
  const merge = workflow.merges.find(
    ({ accepted, refused, endedAt }) =>
      endedAt !== null &&
      (attempt.state === "integrated"
        ? accepted.some((each) => each.task === task.id)
        : refused.some((each) => each.task === task.id)) &&
      endedAt >= attempt.startedAt,
  );
  return (
    <>
      <h3>
        Attempt {attempt.number}{" "}
        <span class="dim" style={{ fontWeight: 400 }}>
          {period(attempt.startedAt, attempt.endedAt)}
          {attempt.worker === null ? "" : `, on ${attempt.worker}`}
          {attempt.costUsd === null ? "" : `, ${dollars(attempt.costUsd)}`}
          {attempt.reservedUsd === null ? "" : `, ${dollars(attempt.reservedUsd)} reserved`}
          {story === null ? "" : `, ${counted(story.iterations.length, "iteration")}`}
        </span>
      </h3>
      {attempt.state === "running" && task.live !== null && (
        <p class={task.live.until === null ? "c-blue" : "c-amber"}>
          {task.live.until === null ? <AtWork /> : <Waits />} <Doing live={task.live} />
        </p>
      )}
      {(story?.iterations ?? []).filter(tells).map((each, at, all) => (
        <div
          key={each.iteration}
          class={`step ${isFalseClaim(each) ? "false" : each.verdict === "completed" && task.check !== null ? "done" : ""}`}
        >
          {each.said !== null && (
            <>
              <Quote />
              <div class="x">“{each.said.trim()}”</div>
            </>
          )}
          {each.checks.map((check) => (
            <>
              {each.claimed ? <Relation agrees={check.passed} /> : <span />}
              <div class={`x ${check.passed ? "c-green" : "c-red"}`}>
                {check.passed ? <Passed /> : <Failed />} check {check.passed ? "passes" : "fails"},{" "}
                {testsWords(check)}
                {!check.passed &&
                  each.claimed &&
                  (isAsBefore(check, all[at - 1]) ? (
                    <p class="dim">with the same output as before</p>
                  ) : (
                    <Output text={check.output} most={MOST_LINES} />
                  ))}
              </div>
            </>
          ))}
          {each.proofs
            .filter(({ result }) => result === "fails")
            .map((proof, index) => (
              <Fragment key={index}>
                {markOf(proof) === "contradicts" ? <Relation agrees={false} /> : <ProofGlyph proof={proof} />}
                <div class={`x ${markColor(proof)}`}>
                  <b title={proofName(proof.kind).means}>{proofName(proof.kind).name}</b> {proof.detail}
                  {proof.ran !== undefined && <Output text={proof.ran.output} most={MOST_LINES} />}
                </div>
              </Fragment>
            ))}
          {each.proofs.some(({ result }) => result === "stands") && (
            <>
              <Relation agrees />
              <div class="x">
                <Stamps proofs={each.proofs.filter(({ result }) => result === "stands")} />
              </div>
            </>
          )}
        </div>
      ))}
      {attempt.setback !== null && (
        <div class="step false">
          <Relation agrees={false} />
          <div class="x">
            <b class="c-red">
              {merge === undefined
                ? setbackWords(attempt.setback)
                : `Merge ${merge.merge}: passes alone, ${setbackWords(attempt.setback)}`}
            </b>
            {!isToldBefore(attempt.setback, story) && <Output text={attempt.setback.detail} most={12} />}
          </div>
        </div>
      )}
      {attempt.state === "integrated" && merge !== undefined && (
        <div class={`step ${task.check === null && merge.checks.length === 0 ? "" : "done"}`}>
          {task.check === null && merge.checks.length === 0 ? <span /> : <Relation agrees />}
          <div class="x">
            <b>Merge {merge.merge}</b>{" "}
            <span class={task.check === null && merge.checks.length === 0 ? "c-amber" : "c-green"}>
              {task.check === null && merge.checks.length === 0
                ? "accepted, and no check looked at it"
                : merge.checks.length === 0
                  ? "accepted; its checks had run on the same files"
                  : `passes with everything merged before it: ${counted(merge.checks.length, "check")}`}
            </span>
          </div>
        </div>
      )}
    </>
  );
}

const MOST_LINES = 8;

/** What an agent is told three times, a reader needs once. */
function isAsBefore({ name, output }: RanCheck, before: IterationView | undefined): boolean {
  const ran = before?.claimed === true ? before.checks.find((each) => each.name === name) : undefined;
  return ran !== undefined && !ran.passed && tellSame(ran.output, output, MOST_LINES);
}

/** A setback has the output of the last check below a line with the check's name. */
function isToldBefore({ detail }: NonNullable<AttemptView["setback"]>, story: StatusView | null): boolean {
  const [, output] = /^--- [^\n]*\n([^]*)$/m.exec(detail) ?? [];
  const last = story?.iterations.at(-1)?.checks.findLast(({ passed }) => !passed);
  return output !== undefined && last !== undefined && tellSame(output, last.output, MOST_LINES);
}

/** An attempt that has only begun says nothing yet. */
function tells({ said, checks, proofs }: IterationView): boolean {
  return said !== null || checks.length + proofs.length > 0;
}
