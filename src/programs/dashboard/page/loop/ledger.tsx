import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isWaiting, waitsUntil } from "../../../../views/standing.ts";
import type { StatusView } from "../../../../views/status.ts";
import {
  isFalseClaim,
  isUncheckedClaim,
  type IterationView,
  type RanCheck,
  type SeenProof,
} from "../../../../views/story/iterations.ts";
import { now } from "../data/state.ts";
import { testsWords } from "./check-words.ts";
import { anchorOf, COMPLETED } from "./story.tsx";
import { Contradicts, Failed, NotAsked, Passed, Quote } from "../shown/glyphs.tsx";
import { ProofLegend } from "../shown/legend.tsx";
import { Stamps } from "../shown/proof-marks.tsx";
import { clock } from "../shown/words.ts";

/** Claims above a thick line, what was shown below it; a column each iteration. */

const OBJECTIONS: { readonly [kind: string]: string } = {
  judge: "original tests fail",
  counts: "tests are missing",
  repeat: "flaky",
  holdout: "fails",
};

/** Where there is no room for a column of them, the proofs stand below what they are of. */
function ProofsBelow({
  proofs,
  columns,
}: {
  readonly proofs: readonly SeenProof[];
  readonly columns: number;
}) {
  if (proofs.length === 0) return null;
  return (
    <tr class="proofs-below">
      <td colSpan={columns}>
        <div>
          <Stamps proofs={proofs} />
        </div>
      </td>
    </tr>
  );
}

function Result({
  check,
  proofs,
}: {
  readonly check: RanCheck | undefined;
  readonly proofs: readonly SeenProof[];
}) {
  if (check === undefined) return <NotAsked label="not asked" />;
  const against = proofs.filter(({ result, kind }) => result === "fails" && OBJECTIONS[kind] !== undefined);
  return (
    <>
      <span class={check.passed ? "c-green" : "c-red"}>
        {check.passed ? <Passed label="passed" /> : <Failed label="failed" />} {testsWords(check)}
      </span>
      {against.map(({ kind }) => (
        <span key={kind} class="under c-red">
          <Contradicts label="contradicted" /> {OBJECTIONS[kind]}
        </span>
      ))}
    </>
  );
}

const DID: { readonly [verdict: string]: string } = {
  held: "went on",
  "handed-back": "asked you",
  paused: "paused",
  completed: "completed",
  interrupted: "cut off",
  cancelled: "cancelled",
  "at-work": "at work",
};

function didWords(each: IterationView, view: StatusView): string | undefined {
  if (each.verdict === "held" && (isFalseClaim(each) || each.dispute !== undefined)) return "sent it back";
  if (each.verdict === "paused" && each.reason === "blocked") return "asked you";
  if (each.verdict === "completed" && view.confidence !== "verified")
    return `completed, ${view.confidence ?? "unverified"}`;
  const until = waitsUntil(view);
  return each.verdict === "at-work" && isWaiting(until, now.value)
    ? `waits until ${clock(until)}`
    : DID[each.verdict];
}

/** How far to scroll for at least this much, and to a column's beginning, so that none looks cut beside the names. */
function columnFrom(box: HTMLElement, least: number): number {
  const [names, ...columns] = box.querySelectorAll<HTMLElement>("thead tr:first-child > *");
  const starts = columns.map(({ offsetLeft }) => offsetLeft - (names?.offsetWidth ?? 0));
  return starts.find((start) => start >= least) ?? least;
}

export function Ledger({ view }: { readonly view: StatusView }) {
  const { iterations, criteria, opening } = view;
  const holdouts = [
    ...new Set(
      iterations.flatMap(({ proofs }) =>
        proofs.filter(({ kind }) => kind === "holdout").map(({ detail }) => detail ?? "holdout"),
      ),
    ),
  ];
  const last = iterations.findLast(({ proofs }) => proofs.length > 0);
  const proofs = last?.proofs ?? [];
  const proofsOf = (name: string): readonly SeenProof[] => proofs.filter((proof) => proof.name === name);
  const hiddenOf = (name: string): readonly SeenProof[] =>
    proofs.filter(({ kind, detail }) => kind === "holdout" && (detail ?? "holdout") === name);
  const ofAll = proofs.filter(({ name, kind }) => name === null && kind !== "holdout");
  const columns = iterations.length + 2;
  const startedAt = view.startedAt ?? "";
  const box = useRef<HTMLDivElement>(null);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const newest = box.current?.querySelector<HTMLElement>("thead .newest");
    if (box.current === null || newest == null) return;
    const opening = box.current.querySelector<HTMLElement>("thead th:nth-child(2)");
    const isWide = newest.offsetLeft + newest.offsetWidth > box.current.clientWidth;
    setIsCut(isWide && opening !== null);
    box.current.scrollLeft = columnFrom(
      box.current,
      newest.offsetLeft + newest.offsetWidth - box.current.clientWidth,
    );
  }, [iterations.length]);
  return (
    <div>
      <div class="scroll" tabIndex={0} role="region" aria-label="ledger of claims and checks" ref={box}>
        {isCut && <p class="cue dim">The newest is shown. Scroll sideways for the others.</p>}
        <table class="ledger">
          <thead>
            <tr>
              <th scope="col">
                <span class="sr">what</span>
              </th>
              <th scope="col">
                <b>Before</b> {clock(startedAt)}
              </th>
              {iterations.map((each) => (
                <th
                  key={`${each.depth} ${each.startedAt}`}
                  scope="col"
                  class={each === iterations.at(-1) ? "newest" : undefined}
                >
                  <a href={`#${anchorOf(each)}`}>
                    <b>{each.onlyChecked === true ? "again" : each.iteration}</b>{" "}
                    {each.endedAt === null ? "now" : clock(each.endedAt)}
                  </a>
                </th>
              ))}
              <th scope="col" class="proofs">
                <b>Proofs</b>
              </th>
            </tr>
            <tr>
              <th scope="row" class="dim">
                It said
              </th>
              <td />
              {iterations.map((each) => (
                <td key={`${each.depth} ${each.startedAt}`}>
                  {!each.claimed || each.onlyChecked === true ? (
                    <span class="dim">
                      {each.onlyChecked === true || each.verdict === "at-work" ? "" : "not yet"}
                    </span>
                  ) : isFalseClaim(each) ? (
                    <>
                      <Quote /> <s>done</s>
                      <span class="sr"> which did not hold</span>
                    </>
                  ) : (
                    <>
                      <Quote /> done
                      {isUncheckedClaim(each) && <span class="dim">, not checked</span>}
                    </>
                  )}
                </td>
              ))}
              <td class="proofs" />
            </tr>
          </thead>
          <tbody>
            {criteria.map(({ name, check }) => (
              <Fragment key={name}>
                <tr>
                  <th scope="row">
                    <span class="what">{name}</span>
                    <span class="cmd mono">{check ?? "no check decides it"}</span>
                  </th>
                  <td>
                    <Result check={opening.find((each) => each.name === name)} proofs={[]} />
                  </td>
                  {iterations.map((each) => (
                    <td key={`${each.depth} ${each.startedAt}`}>
                      <Result
                        check={each.checks.findLast((ran) => ran.name === name)}
                        proofs={each.proofs.filter((proof) => proof.name === name)}
                      />
                    </td>
                  ))}
                  <td class="proofs">
                    <Stamps proofs={proofsOf(name)} />
                  </td>
                </tr>
                <ProofsBelow proofs={proofsOf(name)} columns={columns} />
              </Fragment>
            ))}
            {holdouts.map((name) => (
              <Fragment key={name}>
                <tr>
                  <th scope="row">
                    <span class="what">{name.replace(/^holdout: /, "")}</span>
                    <span class="cmd">with tests that it never saw</span>
                  </th>
                  <td>
                    <NotAsked label="not asked" />
                  </td>
                  {iterations.map((each) => {
                    const proof = each.proofs.findLast(
                      ({ kind, detail }) => kind === "holdout" && (detail ?? "holdout") === name,
                    );
                    return (
                      <td key={`${each.depth} ${each.startedAt}`}>
                        {proof === undefined ? (
                          <NotAsked label="not asked" />
                        ) : (
                          <span class={proof.result === "stands" ? "c-green" : "c-red"}>
                            {proof.result === "stands" ? (
                              <Passed label="passed" />
                            ) : (
                              <Failed label="failed" />
                            )}{" "}
                            {proof.result === "stands" ? "passes" : "fails"}
                          </span>
                        )}
                      </td>
                    );
                  })}
                  <td class="proofs">
                    <Stamps proofs={hiddenOf(name)} />
                  </td>
                </tr>
                <ProofsBelow proofs={hiddenOf(name)} columns={columns} />
              </Fragment>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" class="dim">
                The loop
              </th>
              <td class="dim">opened</td>
              {iterations.map((each) => (
                <td
                  key={`${each.depth} ${each.startedAt}`}
                  class={
                    each.verdict === "completed"
                      ? `${COMPLETED[view.confidence ?? "unverified"]} b`
                      : isFalseClaim(each)
                        ? "c-red"
                        : "dim"
                  }
                >
                  {didWords(each, view)}
                </td>
              ))}
              <td class="proofs">
                {ofAll.length > 0 && <span class="dim">of all of it: </span>}
                <Stamps proofs={ofAll} />
              </td>
            </tr>
            <ProofsBelow proofs={ofAll} columns={columns} />
          </tfoot>
        </table>
      </div>
      <ProofLegend proofs={iterations.flatMap(({ proofs }) => proofs)} />
    </div>
  );
}
