import type { StatusView } from "../../../../views/status.ts";
import { isWaiting, waitsUntil } from "../../../../views/standing.ts";
import { exported, mayAct, now, route } from "../data/state.ts";
import { start } from "../dialog/open-dialog.ts";
import { type Subject, otherActions } from "../dialog/subject.ts";
import { Asks } from "./asks.tsx";
import { isFalseClaim } from "../../../../views/story/iterations.ts";
import { Tabs } from "./tabs.tsx";
import { AtWork, Cut, Died, Paused, Person, Seal, Waits } from "../shown/glyphs.tsx";
import { caughtWords, waitWords } from "../shown/words.ts";

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
    return view.needs !== null
      ? { word: "Needs you", color: "c-violet" }
      : isWaiting(waitsUntil(view), now.value)
        ? { word: "Waiting", color: "c-amber" }
        : { word: "Running", color: "c-blue" };
  if (view.phase === "paused") return { word: "Needs you", color: "c-violet" };
  return { word: view.phase ?? "newer", color: "c-ink2" };
}

/** What a plan's verdict means, in words that come before its name. */
const VERDICTS = {
  SHIP: "Every task is verified.",
  MONITOR: "Some evidence is weak or missing: look at it before you rely on it.",
  RESEARCH: "Too little is shown to rely on it.",
} as const;

function StateGlyph({ view }: { readonly view: StatusView }) {
  if (view.phase === "completed") return <Seal confidence={view.confidence} big />;
  if (view.phase === "cancelled") return <Cut label="cancelled" big />;
  if (view.isGone || view.spec === null) return <Died label="needs you" big />;
  if (view.needs?.kind === "paused") return <Paused label="paused" big />;
  if (view.needs !== null) return <Person label="needs you" big />;
  if (isWaiting(waitsUntil(view), now.value)) return <Waits label="waits" big />;
  return <AtWork label="at work" big />;
}

/** Above every view of a loop: what was wanted, how it stands, and what can be done. */
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
  const until = view.needs === null ? waitsUntil(view) : null;
  const notHeld = view.iterations.filter(isFalseClaim);
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
                Undo iteration {last.iteration}
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
        <span class={`w ${color}`}>{word}</span>{" "}
        <span>
          {isWaiting(until, now.value) ? `${waitWords(until, now.value)}. ` : ""}
          {children}
        </span>
      </p>
      {verdict !== undefined && (
        <p class="dim">
          {VERDICTS[verdict]} <span class="nowrap">Verdict: {verdict}</span>
        </p>
      )}
      {notHeld.length > 0 && !isPlan && (
        <p class="not-held dim">
          {caughtWords(notHeld.length)}: {notHeld.length === 1 ? "iteration" : "iterations"}{" "}
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
