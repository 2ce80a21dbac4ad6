import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { uncompilable, wrongSnapshots } from "../baseline/injected-files.ts";
import { countOf } from "../definitions/injecting/marks.ts";
import { runInjected, runMarked, SHORT_MS } from "./injected-run.ts";
import { noticesOtherValues } from "./notice-other-values.ts";
import { comparedOf, type ProofScene } from "./proof-site.ts";
import { hasSwallowed, seenFailures, isComplete } from "./seen-failures.ts";
import type { InjectedRun, KeptExpectations, Seen } from "./seen-failures.ts";
import { asReverted } from "../baseline/replacements.ts";
import { harmlessExpectation } from "./harmless-expectation.ts";

export type SeenInTests =
  | Exclude<Seen, { readonly type: "kept" | "fallen" | "unread" | "unbuilt" }>
  | { readonly type: "unnoticed-value"; readonly path: string | null }
  | { readonly type: "no-room"; readonly why: string };

/** Puts failing tests and wrong expectations into a check's test files, all in one run, and asks again where that doesn't tell. */
export async function failTests(scene: ProofScene, named: NamedCheck): Promise<SeenInTests> {
  const run = await runInjected(scene, named, () => ({ tests: true, altered: "all" }));
  if (run === "no-tests") return { type: "unseen" };
  if ("why" in run) return { type: "no-room", why: run.why };
  const seen = seenFailures(run);
  switch (seen.type) {
    case "kept":
      return withKeptAlone(scene, named, seen.kept);
    case "fallen":
      return withTestsAlone(scene, named);
    case "unread": {
      const path = await readAtOpening(scene, named, run);
      return path === null ? withoutCompiling(scene, named, run) : { type: "unnoticed", path };
    }
    case "unbuilt": {
      // Something in the work keeps what is put in from being built or loaded: it could be before.
      const path = await readAtOpening(scene, named, run);
      return path === null ? { type: "unknown" } : { type: "unnoticed", path };
    }
    case "unseen":
      return withoutCompiling(scene, named, run);
    case "noticed": {
      const disarmed = await disarmedTest(scene, named, run);
      if (disarmed !== null) return { type: "unnoticed", path: disarmed };
      const swallowed = hasSwallowed(run) ? await swallowedValue(scene, named) : null;
      if (swallowed !== null) return swallowed;
      if (run.tookMs > SHORT_MS) return seen;
      return (
        (await withWrongSnapshots(scene, named)) ??
        (await withOtherValues(scene, named, run)) ??
        (await harmlessExpectation(scene, named, run)) ??
        seen
      );
    }
    case "unnoticed":
    case "other-failures":
    case "unknown":
      return seen;
  }
}

/** Assertions that passed with a wrong value may have counted it as a failure. Alone, they show whether the check notices. */
async function withKeptAlone(
  scene: ProofScene,
  named: NamedCheck,
  kept: KeptExpectations,
): Promise<SeenInTests> {
  const run = await runInjected(scene, named, (file) => ({ tests: false, altered: kept.get(file) ?? null }));
  if (run === "no-tests" || "why" in run) return { type: "unknown" };
  if (!run.isGreen) return { type: "noticed", isRepeated: false };
  const file = run.files.find((each) => countOf(run.marks, "kept", each.file) > 0);
  return file === undefined ? { type: "unknown" } : { type: "unnoticed-value", path: file.path };
}

/** No test that got to a wrong expectation failed. Alone, they show whether the check notices. null: it does. */
async function swallowedValue(scene: ProofScene, named: NamedCheck): Promise<SeenInTests | null> {
  const run = await runInjected(scene, named, () => ({ tests: false, altered: "all" }));
  if (run === "no-tests" || "why" in run || !run.isGreen) return null;
  const file = run.files.find(
    (each) => each.isSure && !each.isConditional && countOf(run.marks, "reached", each.file) > 0,
  );
  return file === undefined ? null : { type: "unnoticed-value", path: file.path };
}

/** A wrong expectation ended everything, so the failing tests have to run without it. */
async function withTestsAlone(scene: ProofScene, named: NamedCheck): Promise<SeenInTests> {
  const run = await runInjected(scene, named, () => ({ tests: true, altered: null }));
  if (run === "no-tests" || "why" in run) return { type: "noticed", isRepeated: false };
  const seen = seenFailures(run);
  if (seen.type === "unnoticed") return seen;
  const disarmed = seen.type === "noticed" ? await disarmedTest(scene, named, run) : null;
  if (disarmed !== null) return { type: "unnoticed", path: disarmed };
  return seen.type === "noticed" ? seen : { type: "noticed", isRepeated: false };
}

/** What the check compiles, and yet never begins, is ended before: such a program cannot fail. */
async function withoutCompiling(
  scene: ProofScene,
  named: NamedCheck,
  { files }: InjectedRun,
): Promise<SeenInTests> {
  const paths = files.map(({ path }) => path);
  const broken = await runMarked(scene, named, async () => ({
    replaced: await uncompilable(scene.place, paths),
  }));
  const isPart = broken !== "nothing" && !("why" in broken.run) && !hasPassed(broken.run.outcome);
  return isPart ? { type: "unnoticed", path: null } : { type: "unseen" };
}

/**
 * Where no comparison was recognised, in a file or anywhere, every value in the tests is another one. null: that was noticed, or
 * isn't known.
 */
async function withOtherValues(
  scene: ProofScene,
  named: NamedCheck,
  { files, marks }: InjectedRun,
): Promise<SeenInTests | null> {
  const reached = files.filter(({ file }) => countOf(marks, "reached", file) > 0).map(({ path }) => path);
  const others = await noticesOtherValues(scene, named, new Set(reached));
  return others.type === "unnoticed" ? { type: "unnoticed-value", path: others.path } : null;
}

/** null: they were noticed, or there are none. */
async function withWrongSnapshots(scene: ProofScene, named: NamedCheck): Promise<SeenInTests | null> {
  const wrong = await runMarked(scene, named, async ({ nonce }) => ({
    replaced: await wrongSnapshots(scene.place, comparedOf(scene, named), nonce),
  }));
  if (wrong === "nothing" || "why" in wrong.run || !hasPassed(wrong.run.outcome)) return null;
  return { type: "unnoticed-value", path: wrong.replaced[0]?.path ?? null };
}

/** How often the tests that didn't run yet are asked alone: a check may stop at its first failure. */
const MOST_ROUNDS = 3;

/**
 * A test file that the work keeps from running, although other files of the same check fail as they should: what it loads ends it,
 * say. With the source of the opening it ran. null: there is none, as far as is known.
 */
async function disarmedTest(scene: ProofScene, named: NamedCheck, run: InjectedRun): Promise<string | null> {
  if (isComplete(run)) return null;
  let silent = silentIn(run);
  for (let round = 0; silent.size > 0 && round < MOST_ROUNDS; round += 1) {
    if (round > 0 && run.tookMs > SHORT_MS) return null;
    const again = await runInjected(scene, named, (file) => ({ tests: silent.has(file), altered: null }));
    if (again === "no-tests" || "why" in again) return null;
    const harmless = again.files.find(({ file }) => countOf(again.marks, "survived", file) > 0);
    if (harmless !== undefined) return harmless.path;
    if (again.isGreen) return ranAtOpening(scene, named, silent);
    const left = new Set([...silentIn(again)].filter((file) => silent.has(file)));
    if (left.size === silent.size) return null;
    silent = left;
  }
  return null;
}

function silentIn({ files, marks }: InjectedRun): ReadonlySet<number> {
  const silent = files.filter(
    ({ file, isSure }) =>
      isSure && countOf(marks, "ran", file) === 0 && countOf(marks, "reached", file) === 0,
  );
  return new Set(silent.map(({ file }) => file));
}

/** The first of the test files that is read with the source of the opening; null: none is, so other files may have the tests. */
async function readAtOpening(
  scene: ProofScene,
  named: NamedCheck,
  { files }: InjectedRun,
): Promise<string | null> {
  return ranAtOpening(scene, named, new Set(files.map(({ file }) => file)));
}

async function ranAtOpening(
  scene: ProofScene,
  named: NamedCheck,
  silent: ReadonlySet<number>,
): Promise<string | null> {
  const source = await asReverted(scene.place, scene.comparison, comparedOf(scene, named));
  if (source === null) return null;
  const failing = (file: number): { readonly tests: boolean; readonly altered: null } => ({
    tests: silent.has(file),
    altered: null,
  });
  const then = await runInjected(scene, named, failing, source);
  if (then === "no-tests" || "why" in then) return null;
  const ran = then.files.find(({ file }) => silent.has(file) && countOf(then.marks, "loaded", file) > 0);
  return ran?.path ?? null;
}
