import { describeEnding, hasPassed, runAt } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { failScripts } from "./fail-scripts.ts";
import { failTests } from "./fail-tests.ts";
import { proofOf, ranAs, type ProofScene } from "./proof-site.ts";
import { stillFailing } from "./still-failing.ts";

const UNNOTICED = "a failing test that was added to its test files in a clean room didn't make it fail";
const UNNOTICED_VALUE = "expected values in its tests that were changed in a clean room didn't make it fail";
const UNNOTICED_END =
  "a failure that was added to the end of its script in a clean room didn't make it fail: something ends the script early, or makes it harmless";
const STILL_FAILS = "it passes, and prints what it printed where it failed";
const OTHERS_FAILED = "on the same files it passed, then another test failed";

const NOT_PUT_IN = "no failure could be put in to see whether it notices one";

type Shown = Pick<ShownProof, "result" | "detail" | "hasNoticed" | "lacksRoom" | "ran">;

/**
 * Runs a check again on the same files: with two different results it is flaky. Where it can, the same run shows that the check
 * still fails when a test does.
 */
export async function showRepeat(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { progress } = scene.site;
  const title = `${named.name} once more`;
  progress.checkBegins(title);
  const shown = await repeat(scene, named);
  progress.checkEnds(title, shown.result === "stands");
  return proofOf("repeat", named.name, shown);
}

async function repeat(scene: ProofScene, named: NamedCheck): Promise<Shown> {
  const inTests = await failTests(scene, named);
  const seen = inTests.type === "unseen" ? await failScripts(scene, named) : inTests;
  switch (seen.type) {
    case "noticed": {
      const once: Shown = seen.isRepeated
        ? { result: "stands", detail: null }
        : await runOnceMore(scene, named);
      return { ...once, hasNoticed: true };
    }
    case "unnoticed":
      return { result: "open", detail: withPath(UNNOTICED, seen.path) };
    case "unnoticed-end":
      return { result: "open", detail: UNNOTICED_END };
    case "unnoticed-value":
      return { result: "open", detail: withPath(UNNOTICED_VALUE, seen.path) };
    case "other-failures":
      return { result: "fails", detail: OTHERS_FAILED };
    case "unknown": {
      const line = await stillFailing(scene, named);
      if (line !== null) return { result: "open", detail: `${STILL_FAILS}: ${oneLine(line, 160)}` };
      return runOnceMore(scene, named);
    }
    case "no-room":
      return withoutRoom(scene, named, seen.why);
  }
}

/** In other surroundings, the usual ones are asked next. */
async function withoutRoom(scene: ProofScene, named: NamedCheck, why: string): Promise<Shown> {
  const once: Shown =
    scene.surroundings === undefined ? await runOnceMore(scene, named) : { result: "stands", detail: null };
  if (once.result !== "stands") return once;
  return { result: "open", detail: `${NOT_PUT_IN}: ${why}`, lacksRoom: why };
}

function withPath(sentence: string, path: string | null): string {
  return path === null ? sentence : `${sentence} (${oneLine(path, 120)})`;
}

async function runOnceMore(scene: ProofScene, named: NamedCheck): Promise<Shown> {
  const outcome = await runAt(scene.site, named.check);
  if (hasPassed(outcome)) return { result: "stands", detail: null };
  const detail = `on the same files it passed, then it ${describeEnding(outcome.ending)}`;
  return { result: "fails", detail, ran: ranAs(named, outcome) };
}
