import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { uncompilable, wrongSnapshots } from "../baseline/injected-files.ts";
import { countOf } from "../definitions/injecting/marks.ts";
import { disarmedTest, readAtOpening } from "./disarmed-tests.ts";
import { runInjected, runMarked, SHORT_MS } from "./injected-run.ts";
import { noticesOtherValues } from "./notice-other-values.ts";
import { comparedOf } from "./proof-site.ts";
import type { ProofScene } from "./proof-site.ts";
import { seenFailures } from "./seen-failures.ts";
import type { InjectedRun, KeptExpectations, Seen } from "./seen-failures.ts";

export type SeenInTests =
  | Exclude<Seen, { readonly type: "kept" | "fallen" | "unread" }>
  | { readonly type: "unnoticed-value"; readonly path: string | null };

/** Puts failing tests and wrong expectations into a check's test files, all in one run, and asks again where that doesn't tell. */
export async function failTests(scene: ProofScene, named: NamedCheck): Promise<SeenInTests> {
  const run = await runInjected(scene, named, () => ({ tests: true, altered: "all" }));
  if (run === "no-tests") return { type: "unseen" };
  if (run === "no-room") return { type: "unknown" };
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
    case "unseen":
      return withoutCompiling(scene, named, run);
    case "noticed": {
      const disarmed = await disarmedTest(scene, named, run);
      if (disarmed !== null) return { type: "unnoticed", path: disarmed };
      if (run.tookMs > SHORT_MS) return seen;
      return (await withWrongSnapshots(scene, named)) ?? (await withOtherValues(scene, named, run)) ?? seen;
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
  if (typeof run === "string") return { type: "unknown" };
  if (!run.isGreen) return { type: "noticed", isRepeated: false };
  const file = run.files.find((each) => countOf(run.marks, "kept", each.file) > 0);
  return file === undefined ? { type: "unknown" } : { type: "unnoticed-value", path: file.path };
}

/** A wrong expectation ended everything, so the failing tests have to run without it. */
async function withTestsAlone(scene: ProofScene, named: NamedCheck): Promise<SeenInTests> {
  const run = await runInjected(scene, named, () => ({ tests: true, altered: null }));
  if (typeof run === "string") return { type: "noticed", isRepeated: false };
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
  const isPart = broken !== "nothing" && broken.run !== null && !hasPassed(broken.run.outcome);
  return isPart ? { type: "unnoticed", path: null } : { type: "unseen" };
}

/** Where no comparison was recognised, every value in the tests is another one. null: that was noticed, or isn't known. */
async function withOtherValues(
  scene: ProofScene,
  named: NamedCheck,
  { files, marks }: InjectedRun,
): Promise<SeenInTests | null> {
  if (files.some(({ file }) => countOf(marks, "reached", file) > 0)) return null;
  const others = await noticesOtherValues(scene, named);
  return others.type === "unnoticed" ? { type: "unnoticed-value", path: others.path } : null;
}

/** null: they were noticed, or there are none. */
async function withWrongSnapshots(scene: ProofScene, named: NamedCheck): Promise<SeenInTests | null> {
  const wrong = await runMarked(scene, named, async ({ nonce }) => ({
    replaced: await wrongSnapshots(scene.place, comparedOf(scene, named), nonce),
  }));
  if (wrong === "nothing" || wrong.run === null || !hasPassed(wrong.run.outcome)) return null;
  return { type: "unnoticed-value", path: wrong.replaced[0]?.path ?? null };
}
