import type { WorkflowStatus, WorkflowTask } from "../../../../views/plan.ts";
import type { StatusView } from "../../../../views/status.ts";
import type { AttemptView } from "../../../../views/story/plan-story.ts";
import { stories, useStories } from "./attempt-stories.ts";
import { Attempt } from "./attempt.tsx";
import { RestsOn, stateWords, TaskGlyph, waitsWords } from "./task-state.tsx";
import { Output } from "../shown/code.tsx";
import { counted, dollars } from "../shown/words.ts";

/** Earlier ones are folded; before one that was merged, the setback that it overcame is not. */
function openFrom(attempts: readonly AttemptView[]): number {
  return attempts.at(-1)?.state === "integrated" ? -2 : -1;
}

/** The chosen task, attempt by attempt. */
export function Panel({
  task,
  workflow,
  phase,
  seq,
}: {
  readonly task: WorkflowTask;
  readonly workflow: WorkflowStatus;
  readonly phase: StatusView["phase"];
  readonly seq: number;
}) {
  const attempts = workflow.attempts.filter((each) => each.task === task.id);
  useStories(
    attempts.map(({ loop }) => loop),
    seq,
  );
  const early = attempts.slice(0, openFrom(attempts));
  const shown = (attempt: AttemptView) => (
    <Attempt
      key={attempt.number}
      attempt={attempt}
      story={stories.value.get(attempt.loop) ?? null}
      workflow={workflow}
      task={task}
    />
  );
  return (
    <aside class="panel" aria-label={`task ${task.id}`}>
      <h2>
        <span class="mono dim">{task.id}</span> {task.subject}
      </h2>
      <p class="dim">
        <TaskGlyph task={task} judgement={workflow.judgement} /> {stateWords(task, phase)}
        {task.commit === null ? (
          ""
        ) : (
          <>
            {", merged as "}
            <code>{task.commit.slice(0, 8)}</code>
          </>
        )}
        {task.costUsd === null ? "" : `, ${dollars(task.costUsd)}`}
      </p>
      {task.check !== null && <p class="mono dim">{task.check}</p>}
      {task.doubts.map((doubt) => (
        <p key={doubt} class="c-amber">
          {doubt}
        </p>
      ))}
      <RestsOn task={task} tasks={workflow.tasks} />
      {task.givenUp !== null && attempts.length === 0 && <Output text={task.givenUp} most={6} />}
      {task.skipped !== null && <p class="dim">Left out: {task.skipped}</p>}
      {attempts.length === 0 && (
        <p class="dim">{task.waitsFor.length > 0 ? `It ${waitsWords(task)}.` : "Not begun."}</p>
      )}
      {early.length > 0 && (
        <details>
          <summary>
            {counted(early.length, "earlier attempt")} <span class="n">set back</span>
          </summary>
          {early.map(shown)}
        </details>
      )}
      {attempts.slice(openFrom(attempts)).map(shown)}
    </aside>
  );
}
