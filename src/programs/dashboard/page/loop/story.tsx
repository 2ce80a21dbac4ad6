import type { StatusView } from "../../../../views/status.ts";
import { route } from "../data/state.ts";
import { markOf } from "../shown/proof-marks.tsx";
import {
  isFalseClaim,
  isUncheckedClaim,
  type IterationView,
  type RanCheck,
} from "../../../../views/story/iterations.ts";
import { ProofSaid } from "./proof-said.tsx";
import { Output } from "../shown/code.tsx";
import { Failed, Passed, Relation } from "../shown/glyphs.tsx";
import { counted, dollars, period } from "../shown/words.ts";

/** What happened, iteration by iteration: it said, the check said, the proof said. */

const CAUGHT: { readonly [by: string]: string } = {
  judge: "caught by the original tests",
  counts: "caught by missing tests",
  holdout: "caught by tests it never saw",
  "must-not": "it did what it must not",
};

function Heading({ each, view }: { readonly each: IterationView; readonly view: StatusView }) {
  const cost = each.costUsd === null ? "cost unknown" : dollars(each.costUsd);
  const by = each.contradiction?.by ?? "";
  return (
    <div>
      <h3>Iteration {each.iteration}</h3>
      <p class="when">
        {period(each.startedAt, each.endedAt)}
        {each.endedAt === null ? "" : `, ${cost}`}
      </p>
      {by === "must-not" ? (
        <p class="how c-red">
          It did what it must not{isUncheckedClaim(each) ? "; its claim was not checked" : ""}
        </p>
      ) : by === "judge" && view.needs?.kind === "approval" ? (
        <p class="how c-red">Did not hold with the original tests; you decide which tests are right</p>
      ) : isFalseClaim(each) ? (
        <p class="how c-red">False claim{CAUGHT[by] === undefined ? "" : `, ${CAUGHT[by]}`}</p>
      ) : each.verdict === "completed" ? (
        <p class="how c-green">Completed, {view.confidence ?? "verified"}</p>
      ) : each.verdict === "at-work" ? (
        <p class="how c-blue">At work</p>
      ) : (
        <p class="dim">
          {each.claimed ? "Claimed done" : "No claim"}, {each.verdict === "held" ? "went on" : each.verdict}
        </p>
      )}
    </div>
  );
}

function Said({ each, live }: { readonly each: IterationView; readonly live: StatusView["live"] }) {
  const words = each.verdict === "at-work" ? (live?.said ?? null) : each.said;
  const files = each.files;
  return (
    <div>
      <p class="said-h">It said</p>
      {words !== null ? (
        <blockquote>“{words.trim()}”</blockquote>
      ) : (
        <p class="dim">{each.verdict === "at-work" ? "Nothing yet." : "Its words are in its own session."}</p>
      )}
      {each.verdict === "at-work" && live?.tool != null && (
        <p class="did">
          Now: <code>{live.tool.detail === "" ? live.tool.name : live.tool.detail}</code>
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
      {each.turns.length > 0 && (
        <p class="did">
          {each.turns.map((turn) => (
            <a key={turn} href={`/l/${route.value.key ?? ""}/turn/${turn}`}>
              turn {turn}{" "}
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
        const isOpen = isBad || route.value.iteration === each.iteration;
        const isRed = each.checks.some(({ passed }) => !passed);
        const isContradicted = each.proofs.some((proof) => markOf(proof) === "contradicts");
        return (
          <article
            key={`${each.depth} ${each.iteration} ${each.startedAt}`}
            id={`i${each.iteration}`}
            class={`it cols3${isBad ? " false" : each.verdict === "completed" ? " done" : each.verdict === "at-work" ? " live" : ""}`}
          >
            <Heading each={each} view={view} />
            <Said each={each} live={view.live} />
            <div class="relc">{each.claimed && each.checks.length > 0 && <Relation agrees={!isRed} />}</div>
            <CheckSaid each={each} isOpen={isOpen} />
            <div class="relc">
              {each.claimed && each.proofs.length > 0 && !isRed && <Relation agrees={!isContradicted} />}
            </div>
            <ProofSaid each={each} isOpen={isOpen} />
          </article>
        );
      })}
      {view.iterations.length === 0 && <p class="empty">No iteration has begun.</p>}
    </section>
  );
}
