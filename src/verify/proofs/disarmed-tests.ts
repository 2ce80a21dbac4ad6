import type { NamedCheck } from "../checks/run-checks.ts";
import { asReverted } from "../baseline/replacements.ts";
import { countOf } from "../definitions/injecting/marks.ts";
import { runInjected, SHORT_MS } from "./injected-run.ts";
import { comparedOf } from "./proof-site.ts";
import type { ProofScene } from "./proof-site.ts";
import { isComplete } from "./seen-failures.ts";
import type { InjectedRun } from "./seen-failures.ts";

/** How often the tests that didn't run yet are asked alone: a check may stop at its first failure. */
const MOST_ROUNDS = 3;

/**
 * A test file that the work keeps from running, although other files of the same check fail as they should: what it loads ends it,
 * say. With the source of the opening it ran. null: there is none, as far as is known.
 */
export async function disarmedTest(
  scene: ProofScene,
  named: NamedCheck,
  run: InjectedRun,
): Promise<string | null> {
  if (isComplete(run)) return null;
  let silent = silentIn(run);
  for (let round = 0; silent.size > 0 && round < MOST_ROUNDS; round += 1) {
    if (round > 0 && run.tookMs > SHORT_MS) return null;
    const again = await runInjected(scene, named, (file) => ({ tests: silent.has(file), altered: null }));
    if (typeof again === "string") return null;
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
export async function readAtOpening(
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
  if (typeof then === "string") return null;
  const ran = then.files.find(({ file }) => silent.has(file) && countOf(then.marks, "loaded", file) > 0);
  return ran?.path ?? null;
}
