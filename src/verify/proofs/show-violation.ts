import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import type { SourceJudge } from "../definitions/source-judge.ts";
import { isTestPath } from "../definitions/test-files.ts";
import { findCandidates, type Candidate } from "../violations/candidates.ts";
import { kindsFor, NAMES, type PutIn } from "../violations/mistakes.ts";
import { violatedNow } from "../violations/put-in.ts";
import { missedAmong } from "./missed-violations.ts";
import { comparedOf, proofOf, type SampleScene } from "./proof-site.ts";
import { seen, type Seen } from "./violation-runs.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/** Of those that changed, and of the others. */
const MOST_FILES = 200;

/** A mistake in each file that a linter, a type checker or a build should see: it has to report it. */
export async function showViolation(scene: SampleScene, named: NamedCheck): Promise<ShownProof> {
  const { progress } = scene.site;
  const title = `${named.name} with a mistake put in`;
  progress.checkBegins(title);
  const shown = await tryJudges(scene, named);
  progress.checkEnds(title, shown.result !== "fails");
  return proofOf("violation", named.name, shown);
}

async function tryJudges(
  scene: SampleScene,
  named: NamedCheck,
): Promise<Pick<ShownProof, "result" | "detail">> {
  let isReported = false;
  for (const [at, judge] of comparedOf(scene, named).sourceJudges.entries()) {
    if (at > 0 && scene.budget.leftMs() <= 0) break;
    const tried = await tryJudge(scene, named, judge);
    if (tried.told !== null) return { result: "fails", detail: tried.told };
    isReported ||= tried.isReported;
  }
  return { result: isReported ? "stands" : "open", detail: null };
}

/** What came of the mistakes: what was missed, in a sentence, and whether any was reported. */
interface Tried {
  readonly told: string | null;
  readonly isReported: boolean;
}

/** A mistake that it wouldn't have reported at the opening either is followed by a plainer one. */
async function tryJudge(scene: SampleScene, named: NamedCheck, judge: SourceJudge): Promise<Tried> {
  let candidates = await findCandidates(scene, comparedOf(scene, named), judge);
  let isReported = false;
  for (const kind of kindsFor(judge)) {
    const violated = await violatedNow(scene.place, kind, someOf(candidates, kind));
    const trial = { scene, named, kind };
    const found = await seen(trial, violated);
    isReported ||= found.isRed;
    const missed = await missedAmong(trial, found);
    if (missed.length > 0) return { told: toldOfMissed(kind, missed), isReported };
    if (violated.length > 0) candidates = stillOpen(found);
    if (candidates.length === 0) break;
  }
  return { told: null, isReported };
}

/** A new file that a mistake doesn't get reported in may be none of the check's business. */
function stillOpen({ unreported }: Seen): readonly Candidate[] {
  return unreported.map(({ candidate }) => candidate).filter(({ from }) => from !== null);
}

/** A syntax error ends most tools early, and a sum says nothing of one file: then the files that changed have to do. */
function someOf(candidates: readonly Candidate[], kind: PutIn): readonly Candidate[] {
  const changed = candidates.filter(({ isChanged }) => isChanged).slice(0, MOST_FILES);
  if (kind === "coverage") return changed.filter(({ path }) => !isTestPath(path));
  if (kind === "syntax") return changed;
  return [...changed, ...candidates.filter(({ isChanged }) => !isChanged).slice(0, MOST_FILES)];
}

const MOST_NAMED = 3;
const LONGEST = 120;

/** A mistake that went unreported, in a sentence. */
function toldOfMissed(kind: PutIn, missed: readonly Candidate[]): string {
  const named = missed.slice(0, MOST_NAMED).map(({ path, from }) => {
    const was = from === null || from === path ? "" : ` (${oneLine(from, LONGEST)} at the opening)`;
    return `${oneLine(path, LONGEST)}${was}`;
  });
  const more = missed.length - named.length;
  const files = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `${NAMES[kind]} put into ${files} isn't reported`;
}
