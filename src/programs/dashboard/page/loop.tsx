import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StatusView } from "../../../views/status.ts";
import type { Work } from "../work.ts";
import { Diff } from "./code.tsx";
import { mainAction, otherActions, start, subjectOf, type Subject } from "./dialog.tsx";
import { AtWork, Cut, Died, Paused, Person, Seal } from "./glyphs.tsx";
import { isFalse, Ledger } from "./ledger.tsx";
import { Plan } from "./plan.tsx";
import { ask, detail, exported, go, mayAct, now, problem, route } from "./state.ts";
import { Story } from "./story.tsx";
import { clock, costWords, counted, dollars, duration, notHeldWords } from "./words.ts";

/** One loop: its evidence in a sentence, the ledger, the story, the work. */

const LONGEST_HEADING = 400;

function stateOf(view: StatusView): { readonly word: string; readonly color: string } {
  if (view.phase === "completed") {
    const word = view.confidence ?? "unverified";
    return {
      word: word[0]!.toUpperCase() + word.slice(1),
      color: { verified: "c-green", weak: "c-amber", unverified: "c-ink2" }[word],
    };
  }
  if (view.isGone) return { word: "Its run died", color: "c-violet" };
  if (view.phase === "active")
    return view.needs === null
      ? { word: "Running", color: "c-blue" }
      : { word: "Needs you", color: "c-violet" };
  if (view.phase === "paused") return { word: "Needs you", color: "c-violet" };
  return { word: view.phase ?? "newer", color: "c-ink2" };
}

/** What a plan's verdict means, beside its seal. */
const VERDICTS = {
  SHIP: "every task is shown",
  MONITOR: "some evidence is weak or missing",
  RESEARCH: "too little is shown to rely on it",
} as const;

function evidenceSentence(view: StatusView): string {
  const { criteria, iterations, why } = view;
  const took = [
    counted(iterations.length, "iteration"),
    ...(view.startedAt === null
      ? []
      : [
          duration(
            (view.phase === "active" ? now.value : Date.parse(view.updatedAt ?? "")) -
              Date.parse(view.startedAt),
          ),
        ]),
    costWords(view.cost),
  ].join(", ");
  if (view.phase === "cancelled") return `${took}.`;
  if (view.phase === "completed") {
    const reasons = why ?? [];
    if (reasons.length > 0) return `${reasons.slice(0, 2).join("; ")}. ${took}.`;
    const red = criteria.filter(({ alreadyTrue }) => !alreadyTrue).length;
    const both =
      criteria.length === 1
        ? "The check"
        : criteria.length === 2
          ? "Both checks"
          : `All ${criteria.length} checks`;
    const before =
      red === criteria.length
        ? `${both} failed before the work and pass${criteria.length === 1 ? "es" : ""} now`
        : `${both} pass${criteria.length === 1 ? "es" : ""}`;
    return criteria.length === 0
      ? `No criterion says when it is done. ${took}.`
      : `${before}, and every proof stands. ${took}.`;
  }
  const met = criteria.filter(({ status }) => status === "met").length;
  return `${criteria.length === 0 ? "" : `${met} of ${counted(criteria.length, "criterion", "criteria")} met. `}${took}.`;
}

function StateGlyph({ view }: { readonly view: StatusView }) {
  if (view.phase === "completed") return <Seal confidence={view.confidence} big />;
  if (view.phase === "cancelled") return <Cut label="cancelled" big />;
  if (view.isGone || view.spec === null) return <Died label="needs you" big />;
  if (view.needs?.kind === "paused") return <Paused label="paused" big />;
  return view.needs === null ? <AtWork label="at work" big /> : <Person label="needs you" big />;
}

export function Lead({
  view,
  subject,
  children,
}: {
  readonly view: StatusView;
  readonly subject: Subject;
  readonly children: string;
}) {
  const { word, color } = stateOf(view);
  const spec = view.spec ?? view.id;
  const last = view.iterations.findLast(({ checkpoint }) => checkpoint !== null);
  const key = route.value.key ?? "";
  const isPlan = view.workflow !== null;
  const verdict = view.workflow?.verdict?.verdict;
  const notHeld = view.iterations.filter(isFalse);
  return (
    <>
      <div class="lead">
        <h1 class="spec">{spec.length > LONGEST_HEADING ? `${spec.slice(0, LONGEST_HEADING)}…` : spec}</h1>
        {exported === null && (
          <div class="acts">
            {otherActions(subject)
              .filter(({ what }) => what === "pause" || what === "cancel")
              .map(({ what, label }) => (
                <button key={what} class="btn" disabled={!mayAct.value} onClick={() => start(what, subject)}>
                  {label}
                </button>
              ))}
            {last !== undefined && !isPlan && view.phase !== "active" && (
              <button
                class="btn"
                disabled={!mayAct.value}
                onClick={() => start("undo", subject, { iteration: last.iteration })}
              >
                Undo…
              </button>
            )}
            <button class="btn" onClick={() => void download(key, view.id)}>
              Export
            </button>
          </div>
        )}
      </div>
      <p class="verdict">
        <StateGlyph view={view} />
        <span class={`w ${color}`}>{word}</span> <span>{children}</span>
      </p>
      {verdict !== undefined && (
        <p class="dim">
          {verdict}: {VERDICTS[verdict]}
        </p>
      )}
      {notHeld.length > 0 && !isPlan && (
        <p class="not-held dim">
          {notHeldWords(notHeld.length)}: {notHeld.length === 1 ? "iteration" : "iterations"}{" "}
          {notHeld.map(({ iteration }, index) => (
            <>
              {index === 0 ? "" : ", "}
              <a href={`#i${iteration}`}>{iteration}</a>
            </>
          ))}
        </p>
      )}
      {view.needs !== null && <Asks view={view} subject={subject} />}
      <Tabs isPlan={isPlan} />
    </>
  );
}

async function download(key: string, id: string): Promise<void> {
  const link = document.createElement("a");
  const html = await fetch(`/api/loops/${key}/export`, {
    headers: { "X-Loopwright-Key": localStorage.getItem("loopwright-key") ?? "" },
  });
  if (!html.ok) return;
  link.href = URL.createObjectURL(await html.blob());
  link.download = `${id}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function Asks({ view, subject }: { readonly view: StatusView; readonly subject: Subject }) {
  const { needs } = view;
  if (needs === null) return null;
  const main = mainAction(subject);
  const others = otherActions(subject).filter(({ what }) => what === "copy" || what === "continue");
  return (
    <div class="callout">
      <div class="line">
        <div>
          <p class="b">{needs.sentence}</p>
          {needs.detail !== null && <p class="dim">{needs.detail}</p>}
          {needs.commands.length > 0 && <p class="mono dim">{needs.commands.join(" && ")}</p>}
        </div>
        {exported === null && (
          <div class="acts">
            {main !== null && (
              <button
                class="btn main"
                disabled={!mayAct.value && main.what !== "copy"}
                onClick={() => start(main.what, subject)}
              >
                {main.label}
              </button>
            )}
            {others.map(({ what, label }) => (
              <button
                key={label}
                class="btn"
                disabled={!mayAct.value && what !== "copy"}
                onClick={() => start(what, subject)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function Tabs({ isPlan }: { readonly isPlan: boolean }) {
  const { view, key } = route.value;
  const base = exported === null ? `/l/${key ?? ""}` : "";
  const link = (path: string): string =>
    exported === null ? (path === "loop" ? base : `${base}/${path}`) : `#${path === "loop" ? "" : path}`;
  const tabs = [
    ["loop", isPlan ? "Plan" : "Loop"] as const,
    ...(isPlan ? [["review", "Review"] as const] : []),
    ...(exported === null ? [["log", "Log"] as const] : []),
  ];
  return (
    <nav class="tabs" aria-label="views of this loop">
      {tabs.map(([path, label]) => (
        <a
          key={path}
          href={link(path)}
          aria-current={view === path ? "page" : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            go(link(path));
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

function CostChart({ view }: { readonly view: StatusView }) {
  const points = view.iterations.filter(({ endedAt, costUsd }) => endedAt !== null && costUsd !== null);
  if (points.length === 0 || view.startedAt === null) return <p class="dim">{costWords(view.cost)}</p>;
  const from = Date.parse(view.startedAt);
  const to = Math.max(from + 1, ...points.map(({ endedAt }) => Date.parse(endedAt ?? "")));
  let sum = 0;
  const sums = points.map((each) => ({
    each,
    at: Date.parse(each.endedAt ?? ""),
    usd: (sum += each.costUsd ?? 0),
  }));
  const top = Math.max(view.budgetUsd ?? 0, sum) || 1;
  const x = (at: number): number => 4 + ((at - from) / (to - from)) * 196;
  const y = (usd: number): number => 74 - (usd / top) * 62;
  let path = `M4 ${y(0)}`;
  for (const { at, usd } of sums) path += `H${x(at)}V${y(usd)}`;
  const wasted = sums
    .filter(({ each }) => isFalse(each))
    .reduce((total, { each }) => total + (each.costUsd ?? 0), 0);
  return (
    <figure>
      <svg
        viewBox="0 0 250 92"
        width="100%"
        role="img"
        aria-label={`cost over time: ${costWords(view.cost)}`}
      >
        {view.budgetUsd !== null && (
          <>
            <path d={`M4 ${y(view.budgetUsd)}H200`} stroke="var(--line-2)" stroke-dasharray="3 3" />
            <text x="206" y={y(view.budgetUsd) + 4} font-size="12" fill="var(--ink-2)">
              {dollars(view.budgetUsd)}
            </text>
          </>
        )}
        <path d="M4 74H200" stroke="var(--line)" />
        <path d={path} fill="none" stroke="var(--ink-2)" stroke-width="1.5" />
        {sums.map(({ each, at, usd }, index) =>
          isFalse(each) ? (
            <path
              key={index}
              d={`M${x(at) - 3.5} ${y(usd) - 3.5}l7 7m0 -7l-7 7`}
              stroke="var(--red)"
              stroke-width="1.8"
            />
          ) : (
            <circle
              key={index}
              cx={x(at)}
              cy={y(usd)}
              r="3"
              fill={each.verdict === "completed" ? "var(--green)" : "var(--bg)"}
              stroke={each.verdict === "completed" ? "var(--green)" : "var(--ink-2)"}
              stroke-width="1.5"
            />
          ),
        )}
        <text x="206" y={y(sum) + 4} font-size="12" font-weight="600" fill="var(--ink)">
          {dollars(Math.round(sum * 100) / 100)}
        </text>
        <text x="4" y="88" font-size="11" fill="var(--ink-2)">
          {clock(view.startedAt)}
        </text>
        <text x="200" y="88" font-size="11" fill="var(--ink-2)" text-anchor="end">
          {clock(new Date(to).toISOString())}
        </text>
      </svg>
      {wasted > 0 && (
        <figcaption class="dim">
          {dollars(Math.round(wasted * 100) / 100)} in turns whose claim did not hold{" "}
          <span class="c-red">×</span>
        </figcaption>
      )}
    </figure>
  );
}

const KINDS = {
  source: "source",
  tests: "tests",
  definitions: "scripts and settings",
  deleted: "deleted",
} as const;

function Changed({ view }: { readonly view: StatusView }) {
  const { changed } = view;
  if (changed === null) {
    const known = view.iterations.flatMap(({ files }) => files ?? []).map(({ path }) => path);
    const paths = [...new Set(known)];
    if (paths.length === 0) return <p class="dim">Nothing as far as is known.</p>;
    return (
      <ul class="files">
        {paths.slice(0, 8).map((path) => (
          <li key={path}>
            <code class="clip">{path}</code>
            <span />
          </li>
        ))}
        {paths.length > 8 && <li class="dim">and {paths.length - 8} more</li>}
      </ul>
    );
  }
  const kinds = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter((kind) => changed[kind].length > 0);
  return (
    <>
      {kinds.map((kind) => (
        <ul key={kind} class="files">
          {changed[kind].slice(0, 8).map((path) => (
            <li key={path}>
              <code class="clip">{path}</code>
              <span class="dim">{kind === "source" ? "" : KINDS[kind]}</span>
            </li>
          ))}
          {changed[kind].length > 8 && <li class="dim">and {changed[kind].length - 8} more</li>}
        </ul>
      ))}
      {changed.tests.length + changed.definitions.length + changed.deleted.length === 0 && (
        <p class="dim">No test, script or setting</p>
      )}
    </>
  );
}

const work = signal<Work | null>(null);
let workOf = "";

function TheWork({ view }: { readonly view: StatusView }) {
  const key = `${route.value.key ?? ""} ${view.seq}`;
  useEffect(() => {
    if (exported !== null) {
      work.value = exported.work;
      return;
    }
    if (workOf === key) return;
    workOf = key;
    ask<Work>(`/api/loops/${route.value.key ?? ""}/work`).then(
      (found) => (work.value = found),
      () => (work.value = null),
    );
  }, [key]);
  const found = work.value;
  if (found === null || (found.files.length === 0 && found.note === null)) return null;
  return (
    <section aria-labelledby="work">
      <div class="head">
        <h2 id="work">The work</h2>
        <span class="n">opening to now, {counted(found.files.length, "file")}</span>
      </div>
      {found.note !== null && <p class="dim">{found.note}</p>}
      {found.files.map(({ path, change, lines, added, removed }) => (
        <details key={path} open={found.files.length <= 5}>
          <summary>
            <code>{path}</code>{" "}
            <span class="n">
              {change} {added !== null && `+${added}`} {removed !== null && `−${removed}`}
            </span>
          </summary>
          {lines.length === 0 ? (
            <p class="dim">Too long to compare here, or not text.</p>
          ) : (
            <Diff lines={lines} label={`changes of ${path}`} />
          )}
        </details>
      ))}
    </section>
  );
}

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

function Unreadable({ view, subject }: { readonly view: StatusView; readonly subject: Subject }) {
  return (
    <main id="main">
      <h1 class="spec mono">{view.id}</h1>
      <p class="verdict">
        <Died label="cannot be shown" big /> <span class="w c-violet">{view.phase ?? "newer"}</span>{" "}
        <span>{view.reason}</span>
      </p>
      <Asks view={view} subject={subject} />
    </main>
  );
}
