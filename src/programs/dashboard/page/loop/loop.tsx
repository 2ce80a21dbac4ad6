import type { StatusView } from "../../../../views/status.ts";
import { detail, problem, route } from "../data/state.ts";
import { type Subject, subjectOf } from "../dialog/subject.ts";
import { Asks } from "./asks.tsx";
import { CostChart } from "./cost-chart.tsx";
import { evidenceSentence } from "./evidence-sentence.ts";
import { Lead } from "./lead.tsx";
import { Ledger } from "./ledger.tsx";
import { Story } from "./story.tsx";
import { Changed, TheWork } from "./work.tsx";
import { Plan } from "../plan/plan.tsx";
import { Died } from "../shown/glyphs.tsx";
import { costWords } from "../shown/words.ts";

/** One loop: its evidence in a sentence, the ledger, the story, the work. */

function More({ view }: { readonly view: StatusView }) {
  return (
    <section>
      <details>
        <summary>Limits, agent and more</summary>
        <dl class="kv">
          <dt>Loop</dt>
          <dd class="mono">{view.id}</dd>
          <dt>Project</dt>
          <dd class="mono">{view.root}</dd>
          <dt>Agent</dt>
          <dd>
            {view.driver?.agent ?? "a session's"} {view.driver?.model ?? ""}{" "}
            {view.driver?.alive === true ? `(process ${view.driver.pid ?? ""})` : ""}
          </dd>
          <dt>Budget</dt>
          <dd>{costWords(view.cost)}</dd>
          <dt>Iterations</dt>
          <dd>
            {view.iteration} of {view.iterationLimit ?? "any number"}
          </dd>
          <dt>Shape</dt>
          <dd>
            {view.shape}, spec {view.score}/10, fit {view.fit}
          </dd>
        </dl>
      </details>
      {view.words.length > 0 && (
        <details>
          <summary>What you told it</summary>
          {view.words.map(({ text, heard }, index) => (
            <p key={index}>
              “{text}” <span class="dim">{heard ? "heard" : "waits for the next turn"}</span>
            </p>
          ))}
        </details>
      )}
    </section>
  );
}

export function Loop() {
  const { key } = route.value;
  const found = detail.value;
  if (found === null) return <p class="wait">{problem.value ?? "Loading…"}</p>;
  const { view } = found;
  const subject = subjectOf(key ?? "", view);
  if (view.spec === null) return <Unreadable view={view} subject={subject} />;
  if (view.workflow !== null) return <Plan view={view} subject={subject} />;
  return (
    <main id="main">
      <Lead view={view} subject={subject}>
        {evidenceSentence(view)}
      </Lead>
      <div class="overview">
        <Ledger view={view} />
        <aside class="beside" aria-label="cost and files">
          <div>
            <h2>Cost</h2>
            <CostChart view={view} />
          </div>
          <div>
            <h2>Changed since the opening</h2>
            <Changed view={view} />
          </div>
        </aside>
      </div>
      <Story view={view} />
      <TheWork view={view} />
      <More view={view} />
    </main>
  );
}

const UNREADABLE: { readonly [phase: string]: string } = {
  aborted: "Cannot be read",
  newer: "Newer",
  untrusted: "Not trusted",
};

function Unreadable({ view, subject }: { readonly view: StatusView; readonly subject: Subject }) {
  return (
    <main id="main">
      <h1 class="spec mono">{view.id}</h1>
      <p class="verdict">
        <Died label="cannot be shown" big />{" "}
        <span class="w c-violet">{UNREADABLE[view.phase ?? "newer"] ?? view.phase}</span>{" "}
        <span>{view.reason}</span>
      </p>
      {view.phase === "aborted" && (
        <p class="dim">Only its record is damaged: the project’s files are as they were left.</p>
      )}
      <Asks view={view} subject={subject} />
    </main>
  );
}
