import type { StatusView } from "../../../views/status.ts";
import type { SettledFinding } from "../../../views/review.ts";
import { Diff } from "./code.tsx";
import { start, subjectOf } from "./dialog.tsx";
import { Accepted, Contradicts, NotAsked, Open, Seal, Stands, Warning, Weak } from "./glyphs.tsx";
import { Lead } from "./loop.tsx";
import { outcome, RestsOn, TaskGlyph } from "./plan.tsx";
import { detail, exported, mayAct, problem, route } from "./state.ts";
import { clock, costWords, counted } from "./words.ts";

/** What a plan came to: the way there, what reviewers found, the gate, and its tasks, riskiest first. */

type Workflow = NonNullable<StatusView["workflow"]>;

type Gate = NonNullable<NonNullable<Workflow["judgement"]>["gate"]>;

/** A gate lets through what nothing speaks against, which is less than shown. */
function gateSentence({ passed, items }: Gate): string {
  const count = (wanted: string): number => items.filter(({ state }) => state === wanted).length;
  const [met, open] = [count("met"), count("open")];
  const against =
    passed && open === 0
      ? "nothing speaks against it"
      : `${counted(open, "item speaks", "items speak")} against it`;
  const missing = items.length - met - open;
  return `${against}; ${met} of ${counted(items.length, "item")} ${met === 1 ? "is" : "are"} shown by a check${missing === 0 ? "" : `, ${missing} by nobody`}`;
}

const CONFIDENCES = ["unverified", "weak", "verified"] as const;

function lowest(tasks: Workflow["tasks"]): string {
  const done = tasks.filter(({ state }) => state === "done");
  return (
    CONFIDENCES.find((each) => done.some(({ confidence }) => (confidence ?? "unverified") === each)) ??
    "unverified"
  );
}

/** `4 verified, 1 unverified`. */
function evidenceWords(tasks: Workflow["tasks"]): string {
  const done = tasks.filter(({ state }) => state === "done");
  const parts = CONFIDENCES.toReversed().flatMap((each) => {
    const count = done.filter(({ confidence }) => (confidence ?? "unverified") === each).length;
    return count === 0 ? [] : [count === done.length ? `all ${each}` : `${count} ${each}`];
  });
  return parts.join(", ");
}

function Way({ view, workflow }: { readonly view: StatusView; readonly workflow: Workflow }) {
  const { milestones, judgement, tasks } = workflow;
  const rounds = new Map((judgement?.rounds ?? []).map((each) => [each.round, each]));
  const done = milestones.findLast(({ what }) => what === "tasks-done");
  const steps = [
    ...(done === undefined
      ? []
      : [
          {
            at: done.at,
            glyph: <Seal confidence={lowest(tasks)} />,
            head: `${workflow.counts.done} of ${tasks.length} tasks`,
            text: evidenceWords(tasks),
          },
        ]),
    ...milestones.flatMap(({ at, what, number }) => {
      if (what === "review") {
        const round = rounds.get(number);
        const blockers = round?.blockers ?? 0;
        const dropped = round?.dropped ?? 0;
        return [
          {
            at,
            glyph: blockers > 0 ? <Contradicts /> : <Stands />,
            head: `Review ${number}: ${round?.score ?? "no answer"}${round?.score == null ? "" : "/10"}`,
            text: `${blockers === 0 ? "no blocker" : counted(blockers, "blocker")}${dropped === 0 ? "" : `, ${dropped} dropped`}`,
          },
        ];
      }
      if (what === "extended")
        return [{ at, glyph: <Weak />, head: counted(number, "more task"), text: "to put things right" }];
      if (what === "gate") {
        const { gate } = judgement ?? { gate: null };
        const isShown = gate?.passed === true && gate.items.every(({ state }) => state === "met");
        return [
          {
            at,
            glyph: isShown ? <Stands /> : <Open />,
            head: `Gate: ${gate?.passed === true ? "passed" : "shut"}`,
            text: gate === null ? "" : gateSentence(gate),
          },
        ];
      }
      if (what === "delivered")
        return [
          {
            at,
            glyph: <Accepted />,
            head: workflow.delivered?.how === "moved" ? "Delivered" : "Left on its branch",
            text:
              workflow.userBranch === null
                ? ""
                : workflow.delivered?.how === "moved"
                  ? `${workflow.userBranch} was fast-forwarded`
                  : (workflow.branch ?? ""),
          },
        ];
      return [];
    }),
  ];
  if (steps.length === 0) return null;
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

const SEVERITY = {
  BLOCKER: { color: "c-red", glyph: <Contradicts /> },
  WARNING: { color: "c-amber", glyph: <Warning /> },
  SUGGESTION: { color: "c-ink2", glyph: <NotAsked /> },
} as const;

function Finding({
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
  const findings = judgement?.findings ?? [];
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
              <span class="n">riskiest first</span>
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
                      {task.subject}
                      <RestsOn task={task} tasks={workflow.tasks} />
                    </td>
                    <td class="dim">{task.setbacks > 0 ? counted(task.setbacks, "setback") : ""}</td>
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
