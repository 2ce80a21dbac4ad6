import { gateSentence, gateWord, objectionWords } from "../../../../views/gate-words.ts";
import { detail, problem } from "../data/state.ts";
import { subjectOf } from "../dialog/subject.ts";
import { Lead } from "../loop/lead.tsx";
import { CaughtClaims } from "../plan/caught-claims.tsx";
import { outcome } from "../plan/outcome.ts";
import { Finding } from "./finding.tsx";
import { groupedFindings } from "../../../../views/grouped-findings.ts";
import { useReviewed } from "./reviewed.ts";
import { Tasks } from "./tasks.tsx";
import { Way } from "./way.tsx";
import { Diff } from "../shown/code.tsx";
import { Contradicts, Open, Stands, Warning } from "../shown/glyphs.tsx";
import { costSentence, counted } from "../shown/words.ts";

/** What a plan came to: the way there, what reviewers found, the gate, and its tasks, riskiest first. */

const GATE_COLORS = { met: "", weak: "c-amber", open: "c-red" } as const;

export function Review() {
  const found = detail.value;
  if (found === null) return <p class="wait">{problem.value ?? "Loading…"}</p>;
  return <ReviewOf found={found} />;
}

function ReviewOf({ found }: { readonly found: NonNullable<typeof detail.value> }) {
  const { view } = found;
  useReviewed(view);
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
  const isEmpty = findings.length + count + dropped.length + (gate?.survivors ?? []).length === 0;
  return (
    <main id="main">
      <Lead view={view} subject={subject}>
        {`${outcome(workflow)} ${costSentence(view.cost)}`}
      </Lead>
      <Way view={view} workflow={workflow} />
      <CaughtClaims workflow={workflow} />
      <div class={isEmpty ? "review bare" : "review"}>
        <section aria-labelledby="found">
          <div class="head">
            <h2 id="found">What reviewers found</h2>
            <span class="n">reviewers can block the work, not approve it</span>
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
              <span class={gate?.passed === false ? "c-red" : "n"}>
                {gate === null ? "not reached" : `${gateWord(gate)}: ${gateSentence(gate)}`}
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
                    {why !== null && (
                      <p class={`d ${GATE_COLORS[state]}`}>
                        {state === "open" ? objectionWords({ name, detail: why }) : why}
                      </p>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </section>
          <Tasks workflow={workflow} />
        </div>
      </div>
    </main>
  );
}
