import type { StatusView } from "../../../../views/status.ts";
import { exported, mayAct, route } from "../data/state.ts";
import { start } from "../dialog/open-dialog.ts";
import { subjectOf } from "../dialog/subject.ts";
import { TaskGlyph } from "../plan/task-state.tsx";
import { Contradicts, NotAsked, Passed, Warning } from "../shown/glyphs.tsx";
import { Contradicted } from "./contradicted.tsx";
import type { Workflow } from "./gate.ts";
import { type Found, resolutionWords } from "../../../../views/grouped-findings.ts";
import { Place } from "./place.tsx";

const SEVERITY = {
  BLOCKER: { color: "c-red", glyph: <Contradicts /> },
  WARNING: { color: "c-amber", glyph: <Warning /> },
  SUGGESTION: { color: "c-ink2", glyph: <NotAsked /> },
} as const;

function WhatBecame({ finding, workflow }: { readonly finding: Found; readonly workflow: Workflow }) {
  const { resolution, task } = finding;
  const fixed = workflow.tasks.find(({ id }) => id === task);
  if (fixed === undefined) return <p class="dim as-sentence">{resolutionWords(resolution)}</p>;
  const word = fixed.confidence ?? fixed.state;
  const color = { verified: "c-green", weak: "c-amber" }[word as string] ?? "c-ink2";
  const [doubt] = fixed.doubts;
  return (
    <p class="became">
      <TaskGlyph task={fixed} judgement={workflow.judgement} />{" "}
      <span>
        {fixed.state === "done" ? "Put right by" : "Became"} {fixed.id}, <b class={color}>{word}</b>
        {doubt === undefined ? "" : <span class="dim">: {doubt}</span>}
      </span>
    </p>
  );
}

/** What a reviewer found, and what became of it. */
export function Finding({
  finding,
  view,
  workflow,
}: {
  readonly finding: Found;
  readonly view: StatusView;
  readonly workflow: Workflow;
}) {
  const { severity, file, line, problem: text, breaks, fix, resolution, rounds } = finding;
  const { color, glyph } = SEVERITY[severity];
  const isSolved = workflow.tasks.some(({ id, state }) => id === finding.task && state === "done");
  const isOpen = resolution === null && view.phase !== "completed" && view.phase !== "cancelled";
  return (
    <article class={`finding ${severity}${isSolved ? " solved" : ""}`}>
      <p class="h">
        <span class={`sev ${isSolved ? "c-ink2" : color}`}>
          {isSolved ? <Passed /> : glyph} {severity}
          {isSolved ? ", put right" : ""}
        </span>
        <code>
          {file}
          {line === null ? "" : `:${line}`}
        </code>
        <span class="dim">
          {breaks === null ? "" : `breaks ${breaks}, `}found in {rounds.length === 1 ? "round" : "rounds"}{" "}
          {rounds.join(" and ")}
        </span>
      </p>
      {severity === "BLOCKER" ? (
        <>
          <Contradicted finding={finding} workflow={workflow} seq={view.seq} />
          <Place finding={finding} />
          {fix !== null && <p class="dim">Proposed: {fix}</p>}
        </>
      ) : (
        <div class="two">
          <div>
            <Place finding={finding} />
          </div>
          <div>
            <p class="p">{text}</p>
            {fix !== null && <p class="dim">Proposed: {fix}</p>}
          </div>
        </div>
      )}
      <WhatBecame finding={finding} workflow={workflow} />
      {isOpen && exported === null && (
        <p>
          <button
            class="btn v"
            disabled={!mayAct.value}
            onClick={() => start("resolve", subjectOf(route.value.key ?? "", view), { finding: finding.id })}
          >
            Decide
          </button>
        </p>
      )}
    </article>
  );
}
