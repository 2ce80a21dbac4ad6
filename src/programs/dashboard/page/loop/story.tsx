import type { StatusView } from "../../../../views/status.ts";
import { isWaiting, waitsUntil } from "../../../../views/standing.ts";
import { now, route } from "../data/state.ts";
import { markOf } from "../shown/proof-marks.tsx";
import {
  isFalseClaim,
  isUncheckedClaim,
  type IterationView,
  type RanCheck,
} from "../../../../views/story/iterations.ts";
import { Done, useDone } from "./done.tsx";
import { ProofSaid } from "./proof-said.tsx";
import { Output } from "../shown/code.tsx";
import { Doing } from "../shown/doing.tsx";
import { Failed, Passed, Relation } from "../shown/glyphs.tsx";
import { clock, counted, dollars, period } from "../shown/words.ts";

/** Where a link to an iteration leads. */
export function anchorOf({ iteration, onlyChecked }: IterationView): string {
  return onlyChecked === true ? `i${iteration}-again` : `i${iteration}`;
}

/** What happened, iteration by iteration: it said, the check said, the proof said. */

const CAUGHT: { readonly [by: string]: string } = {
  judge: "caught by the original tests",
  counts: "caught by missing tests",
  holdout: "caught by tests it never saw",
  "must-not": "it did what it must not",
};

export const COMPLETED = { verified: "c-green", weak: "c-amber", unverified: "c-ink2" } as const;

function Heading({ each, view }: { readonly each: IterationView; readonly view: StatusView }) {
  const cost = each.costUsd === null ? "cost unknown" : dollars(each.costUsd);
  const by = each.contradiction?.by ?? "";
  return (
    <div>
      <h3>{each.onlyChecked === true ? "Checked again" : `Iteration ${each.iteration}`}</h3>
      <p class="when">
        {period(each.startedAt, each.endedAt)}
        {each.endedAt === null ? "" : `, ${cost}`}
      </p>
      {by === "must-not" ? (
        <p class="how c-red">
          It did what it must not{isUncheckedClaim(each) ? "; its claim was not checked" : ""}
        </p>
      ) : each.dispute === "undecided" ? (
        <p class="how c-violet">It does not hold with the original tests; you decide which are right</p>
      ) : each.dispute === "approved" ? (
        <p class="dim">It did not hold with the original tests; the changed ones were approved</p>
      ) : isFalseClaim(each) ? (
        <p class="how c-red">False claim{CAUGHT[by] === undefined ? "" : `, ${CAUGHT[by]}`}</p>
      ) : each.verdict === "completed" ? (
        <p class={`how ${COMPLETED[view.confidence ?? "verified"]}`}>
          Completed, {view.confidence ?? "verified"}
        </p>
      ) : each.verdict === "at-work" ? (
        <AtWorkOrWaits view={view} />
      ) : each.verdict === "interrupted" && view.isGone && each === view.iterations.at(-1) ? (
        <p class="how c-violet">Cut off: its run died</p>
      ) : each.verdict === "paused" && each.reason === "blocked" ? (
        <p class="how c-violet">
          {isAsking(each, view) ? "Stopped, and asks you" : "Stopped, and asked you"}
        </p>
      ) : (
        <p class="dim">
          {each.claimed ? "Claimed done" : "No claim"}, {VERDICTS[each.verdict] ?? each.verdict}
        </p>
      )}
    </div>
  );
}

const VERDICTS: { readonly [verdict: string]: string } = {
  held: "went on",
  interrupted: "cut off",
  "handed-back": "asked you",
};

/** Home says the same of the whole loop. */
function AtWorkOrWaits({ view }: { readonly view: StatusView }) {
  const until = waitsUntil(view);
  return isWaiting(until, now.value) ? (
    <p class="how c-amber">Waits until {clock(until)}: usage limit</p>
  ) : (
    <p class="how c-blue">At work</p>
  );
}

function isAsking(each: IterationView, { phase, iterations }: StatusView): boolean {
  return phase === "paused" && each === iterations.at(-1);
}

/** Of what was cut off or never said, nothing was kept. */
function noWords(each: IterationView, view: StatusView): string {
  if (each.onlyChecked === true) return "Nothing: only the checks and proofs ran.";
  if (each.verdict === "at-work") return "Nothing yet.";
  if (each.reason === "blocked" && isAsking(each, view)) return "What it asks stands above.";
  return view.driver === null ? "Its words are in its own session." : "Nothing before it stopped.";
}

function Said({ each, view }: { readonly each: IterationView; readonly view: StatusView }) {
  const { live } = view;
  const words = each.verdict === "at-work" ? (live?.said ?? null) : each.said;
  const files = each.files;
  return (
    <div>
      <p class="said-h">It said</p>
      {words !== null ? <blockquote>“{words.trim()}”</blockquote> : <p class="dim">{noWords(each, view)}</p>}
      {each.verdict === "at-work" && live?.tool != null && (
        <p class="did">
          Now <Doing live={live} />
        </p>
      )}
      {files !== null && (
        <p class="did">
          What it did{files.length === 0 ? ": nothing" : ""}
          {files.slice(0, 6).map(({ path, added, removed }) => (
            <span key={path}>
              {"  "}
              <code>{path}</code> {added !== null && added > 0 && <span class="c-green">+{added}</span>}{" "}
              {removed !== null && removed > 0 && <span class="c-red">−{removed}</span>}
            </span>
          ))}
          {files.length > 6 && ` and ${files.length - 6} more`}
        </p>
      )}
      <Done each={each} />
      {each.turns.length > 0 && (
        <p class="did">
          {each.turns.map((turn) => (
            <a key={turn} href={`/l/${route.value.key ?? ""}/turn/${turn}`}>
              prompt and output of turn {turn}{" "}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

function checkWords(check: RanCheck): string {
  const { tests, passed } = check;
  if (tests === null) return passed ? "passes" : `fails: ${check.ending}`;
  const ran = counted(tests.executed, tests.unit === "tests" ? "test" : "package");
  return passed ? `passes, ${tests.passed} of ${ran}` : `fails, ${tests.failed} of ${ran}`;
}

function CheckSaid({ each, isOpen }: { readonly each: IterationView; readonly isOpen: boolean }) {
  const failing = each.checks.filter(({ passed }) => !passed);
  return (
    <div>
      <p class="said-h">The check said</p>
      {each.checks.length === 0 && <p class="dim">Not asked.</p>}
      {each.checks.map((check) => (
        <div key={check.name}>
          <p class={`res ${check.passed ? "c-green" : "c-red"}`}>
            {check.passed ? <Passed label="passed" /> : <Failed label="failed" />}
            <span>
              <b>{check.name}</b> {checkWords(check)}
            </span>
          </p>
          {isOpen && check.output.trim() !== "" && (!check.passed || failing.length === 0) && (
            <Output text={check.output} most={check.passed ? 5 : 12} />
          )}
        </div>
      ))}
    </div>
  );
}

export function Story({ view }: { readonly view: StatusView }) {
  useDone(view);
  return (
    <section class="story" aria-labelledby="story">
      <div class="cols3 head3">
        <h2 id="story">What happened</h2>
        <span>It said</span>
        <span />
        <span>The check said</span>
        <span />
        <span>The proof said</span>
      </div>
      {view.iterations.map((each) => {
        const isBad = isFalseClaim(each) || each.contradiction?.by === "must-not";
        const isOpen = isBad || each.dispute !== undefined || route.value.iteration === each.iteration;
        const isRed = each.checks.some(({ passed }) => !passed);
        // Who doubts doesn't agree; the marks beside it say so.
        const isDoubted = each.proofs.some((proof) => markOf(proof) === "doubts");
        const isContradicted = each.proofs.some((proof) => markOf(proof) === "contradicts");
        return (
          <article
            key={`${each.depth} ${each.iteration} ${each.startedAt}`}
            id={anchorOf(each)}
            class={`it cols3${isBad ? " false" : each.verdict === "completed" ? ` done ${view.confidence ?? ""}` : each.verdict === "at-work" ? " live" : each.dispute === "undecided" ? " asks" : ""}`}
          >
            <Heading each={each} view={view} />
            <Said each={each} view={view} />
            <div class="relc">{each.claimed && each.checks.length > 0 && <Relation agrees={!isRed} />}</div>
            <CheckSaid each={each} isOpen={isOpen} />
            <div class="relc">
              {each.claimed && each.proofs.length > 0 && !isRed && (isContradicted || !isDoubted) && (
                <Relation agrees={!isContradicted} />
              )}
            </div>
            <ProofSaid each={each} isOpen={isOpen} />
          </article>
        );
      })}
      {view.iterations.length === 0 && <p class="empty">No iteration has begun.</p>}
    </section>
  );
}
