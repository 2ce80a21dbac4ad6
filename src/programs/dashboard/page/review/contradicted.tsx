import type { StatusView } from "../../../../views/status.ts";
import type { AttemptView } from "../../../../views/story/plan-story.ts";
import { isFalseClaim } from "../../../../views/story/iterations.ts";
import { testsWords } from "../loop/check-words.ts";
import { stories, useStories } from "../plan/attempt-stories.ts";
import { Failed, Passed, Relation } from "../shown/glyphs.tsx";
import { Stamps } from "../shown/proof-marks.tsx";
import type { Found } from "../../../../views/grouped-findings.ts";
import type { Workflow } from "./gate.ts";

/** Where a finding names no task, so many attempts are asked who wrote the file. */
const MOST_ASKED = 20;

/** The merged attempts that may have written what a finding is about. */
function candidates({ breaks, task, round }: Found, workflow: Workflow): readonly AttemptView[] {
  const reviewedAt = workflow.milestones.find(
    ({ what, number }) => what === "review" && number === round,
  )?.at;
  const merged = workflow.attempts.filter(
    (each) =>
      each.state === "integrated" && each.task !== task && (each.endedAt ?? "") <= (reviewedAt ?? "~"),
  );
  // `T-004: what it is about`
  const [, broken] = /^([\w.-]+)(?::|$)/.exec(breaks ?? "") ?? [];
  const named = merged.filter((each) => each.task === broken);
  return named.length > 0 ? named.slice(-1) : merged.slice(-MOST_ASKED);
}

function wrote({ iterations }: StatusView, file: string): boolean {
  return iterations.some(({ files }) => files?.some(({ path }) => path === file) === true);
}

/** The claim, its check, and the reviewer who saw what neither said. */
export function Contradicted({
  finding,
  workflow,
  seq,
}: {
  readonly finding: Found;
  readonly workflow: Workflow;
  readonly seq: number;
}) {
  const asked = candidates(finding, workflow);
  useStories(
    asked.map(({ loop }) => loop),
    seq,
  );
  const writer =
    asked.length === 1
      ? asked[0]
      : asked.findLast(({ loop }) => {
          const story = stories.value.get(loop);
          return story !== undefined && wrote(story, finding.file);
        });
  const story = writer === undefined ? undefined : stories.value.get(writer.loop);
  const last = story?.iterations.findLast(({ claimed, said }) => claimed && said !== null);
  if (writer === undefined || last === undefined) return <p class="p">{finding.problem}</p>;
  return (
    <div class="three">
      <div>
        <p class="dim">{writer.task} said</p>
        <p class="p">“{(last.said ?? "").trim()}”</p>
      </div>
      <Relation agrees={!isFalseClaim(last)} />
      <div>
        <p class="dim">Its check said</p>
        {last.checks.length === 0 && <p class="dim">It has none.</p>}
        {last.checks.map((check) => (
          <p key={check.name} class={check.passed ? "c-green" : "c-red"}>
            {check.passed ? <Passed /> : <Failed />} {check.passed ? "passes" : "fails"}, {testsWords(check)}
          </p>
        ))}
        <Stamps proofs={last.proofs} />
      </div>
      <Relation agrees={false} />
      <div>
        <p class="dim">The reviewer said</p>
        <p class="p">{finding.problem}</p>
      </div>
    </div>
  );
}
