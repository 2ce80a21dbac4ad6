import type { SettledFinding } from "../../../../views/review.ts";
import type { StatusView } from "../../../../views/status.ts";
import { exported, mayAct, route } from "../data/state.ts";
import { start } from "../dialog/open-dialog.ts";
import { subjectOf } from "../dialog/subject.ts";
import { TaskGlyph } from "../plan/task-state.tsx";
import type { Workflow } from "./gate.ts";
import { Contradicts, NotAsked, Warning } from "../shown/glyphs.tsx";

const SEVERITY = {
  BLOCKER: { color: "c-red", glyph: <Contradicts /> },
  WARNING: { color: "c-amber", glyph: <Warning /> },
  SUGGESTION: { color: "c-ink2", glyph: <NotAsked /> },
} as const;

/** What a reviewer found, and what became of it. */
export function Finding({
  finding,
  view,
  workflow,
}: {
  readonly finding: SettledFinding;
  readonly view: StatusView;
  readonly workflow: Workflow;
}) {
  const { severity, file, line, quote, problem: text, breaks, fix, resolution, task, round } = finding;
  const { color, glyph } = SEVERITY[severity];
  const fixed = workflow.tasks.find(({ id }) => id === task);
  const isOpen = resolution === null && view.phase !== "completed" && view.phase !== "cancelled";
  return (
    <article class={`finding ${severity}`}>
      <p class="h">
        <span class={`sev ${color}`}>
          {glyph} {severity}
        </span>
        <code>
          {file}
          {line === null ? "" : `:${line}`}
        </code>
        <span class="dim">
          {breaks === null ? "" : `breaks ${breaks}, `}found in round {round}
        </span>
      </p>
      <div class="two">
        <div class="code mono" tabIndex={0} role="group" aria-label="quoted line">
          <div class="q">
            <span class="sign">{line ?? ""}</span> {quote}
          </div>
        </div>
        <div>
          <p class="p">{text}</p>
          {fix !== null && <p class="dim">Proposed: {fix}</p>}
        </div>
      </div>
      <p class="dim">
        {fixed !== undefined ? (
          <>
            <TaskGlyph task={fixed} /> {fixed.confidence ?? fixed.state}: became {fixed.id}
            {fixed.doubts[0] === undefined ? "" : `; ${fixed.doubts[0]}`}
          </>
        ) : (
          (resolution ?? "not decided")
        )}
      </p>
      {isOpen && exported === null && (
        <p>
          <button
            class="btn v"
            disabled={!mayAct.value}
            onClick={() => start("resolve", subjectOf(route.value.key ?? "", view), { finding: finding.id })}
          >
            Decide…
          </button>
        </p>
      )}
    </article>
  );
}
