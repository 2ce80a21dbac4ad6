import type { WorkflowTask } from "../../../../views/plan.ts";
import { detail, problem } from "../data/state.ts";
import { subjectOf } from "../dialog/subject.ts";
import { Lead } from "../loop/lead.tsx";
import { CaughtClaims } from "../plan/caught-claims.tsx";
import { outcome } from "../plan/outcome.ts";
import { RestsOn, TaskGlyph } from "../plan/task-state.tsx";
import { Finding } from "./finding.tsx";
import { groupedFindings } from "./grouped-findings.ts";
import { gateSentence } from "./gate.ts";
import { Way } from "./way.tsx";
import { Diff } from "../shown/code.tsx";
import { Contradicts, Open, Seal, Stands, Warning } from "../shown/glyphs.tsx";
import { costWords, counted } from "../shown/words.ts";

/** What a plan came to: the way there, what reviewers found, the gate, and its tasks, riskiest first. */

export function Review() {
  const found = detail.value;
  if (found === null) return <p class="wait">{problem.value ?? "Loading…"}</p>;
  const { view } = found;
  const { workflow } = view;
  const subject = subjectOf(found.key, view);
  if (workflow === null)
    return (
      <main id="main">
        <h1 class="spec">{view.spec ?? view.id}</h1>
        <p class="dim">It has no plan, so there is nothing to review here.</p>
      </main>
    );
  const { judgement } = workflow;
  const findings = groupedFindings(judgement?.findings ?? []);
  const gate = judgement?.gate ?? null;
  const dropped = (judgement?.rounds ?? []).flatMap(({ unquoted = [] }) => unquoted);
  const count = (judgement?.rounds ?? []).reduce((sum, each) => sum + each.dropped, 0);
  const weight = { unverified: 0, weak: 1, verified: 2 } as const;
  const tasks = workflow.tasks.toSorted(
    (one, other) =>
      (one.confidence === null ? -1 : weight[one.confidence]) -
        (other.confidence === null ? -1 : weight[other.confidence]) || other.setbacks - one.setbacks,
  );
  return (
    <main id="main">
      <Lead view={view} subject={subject}>
        {`${outcome(workflow)} ${costWords(view.cost)}.`}
      </Lead>
      <Way view={view} workflow={workflow} />
      <CaughtClaims workflow={workflow} />
      <div class="review">
        <section aria-labelledby="found">
          <div class="head">
            <h2 id="found">What reviewers found</h2>
            <span class="n">a model may stop a completion, never grant one</span>
          </div>
          {judgement === null || judgement.rounds.length === 0 ? (
            <p class="empty">Nobody reviewed it: only checks judge the work.</p>
          ) : (
            findings.length === 0 && <p class="empty">Nothing.</p>
          )}
          {findings.map((finding) => (
            <Finding
              key={`${finding.round} ${finding.id}`}
              finding={finding}
              view={view}
              workflow={workflow}
            />
          ))}
          {count > 0 && (
            <p class="empty">
              {counted(count, "more finding was", "more findings were")} dropped: nothing of the diff was
              quoted.
            </p>
          )}
          {dropped.map(({ file, quote, problem: text }, index) => (
            <details key={index}>
              <summary>
                <span class="n">
                  <code>{file}</code> {text}
                </span>
              </summary>
              <Diff lines={[{ sign: " ", text: quote }]} label="what it quoted" />
            </details>
          ))}
          {(gate?.survivors ?? []).map(({ file, line, change }, index) => (
            <p key={index} class="res c-amber">
              <Warning />
              <span>
                No check notices{" "}
                <code>
                  {file}:{line}
                </code>
                : {change}
              </span>
            </p>
          ))}
        </section>
        <div>
          <section aria-labelledby="gate">
            <div class="head">
              <h2 id="gate">Gate</h2>
              <span
                class={gate === null || gate.items.every(({ state }) => state === "met") ? "n" : "c-amber"}
              >
                {gate === null ? "not reached" : `${gate.passed ? "passed" : "shut"}: ${gateSentence(gate)}`}
              </span>
            </div>
            <ul class="gate">
              {(gate?.items ?? []).map(({ name, state, detail: why }) => (
                <li key={name}>
                  {state === "met" ? (
                    <Stands label="shown by a check" />
                  ) : state === "weak" ? (
                    <Open label="shown by nobody" />
                  ) : (
                    <Contradicts label="something speaks against it" />
                  )}
                  <div>
                    <span class={state === "met" ? "" : "b"}>{name}</span>
                    {why !== null && <p class={`d ${state === "met" ? "" : "c-amber"}`}>{why}</p>}
                  </div>
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="tasks">
            <div class="head">
              <h2 id="tasks">Tasks</h2>
              <span class="n">{orderWords(tasks)}</span>
            </div>
            <table class="tasks">
              <tbody>
                {tasks.map((task) => (
                  <tr key={task.id}>
                    <td>
                      {task.state === "done" ? (
                        <Seal confidence={task.confidence} />
                      ) : (
                        <TaskGlyph task={task} />
                      )}
                    </td>
                    <td class="mono nowrap">{task.id}</td>
                    <td>
                      <span class="s">{task.subject}</span>
                      <RestsOn task={task} tasks={workflow.tasks} />
                    </td>
                    <td class={task.confidence === "verified" || task.state !== "done" ? "dim" : "c-amber"}>
                      {shownWords(task)}
                    </td>
                    <td class="mono dim">{task.commit?.slice(0, 8) ?? ""}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      </div>
    </main>
  );
}

/** Why the tasks are in this order; empty where nothing sets one before another. */
function orderWords(tasks: readonly WorkflowTask[]): string {
  const isUnfinished = tasks.some(({ confidence }) => confidence === null);
  const isRisky = tasks.some(
    ({ confidence, setbacks }) => confidence !== null && (confidence !== "verified" || setbacks > 0),
  );
  if (isUnfinished) return isRisky ? "unfinished first, then the riskiest" : "unfinished first";
  return isRisky ? "riskiest first" : "";
}

/** `verified, 1 setback`. */
function shownWords({ state, confidence, setbacks }: WorkflowTask): string {
  return [
    ...(state === "done" ? [confidence ?? "unverified"] : []),
    ...(setbacks > 0 ? [counted(setbacks, "setback")] : []),
  ].join(", ");
}
