import type { NamedCheck } from "../checks/run-checks.ts";
import { countOf } from "../definitions/injecting/marks.ts";
import { runInjected } from "./injected-run.ts";
import { comparedOf, type ProofScene } from "./proof-site.ts";
import { failedAsExpected, hasFewerFailures, type InjectedRun } from "./seen-failures.ts";

/** By file: which of its wrong expectations were not seen to fail the check. */
type Unseen = ReadonlyMap<number, ReadonlySet<number>>;

const MOST_ROUNDS = 3;
const MOST_ALONE = 4;

/**
 * An expectation of a test that the work wrote, and that may be wrong without failing the check: nothing gets there, nobody waits
 * for it, or something swallows what it throws. Others of the same file may fail as they should. null: there is none, as far as is
 * known.
 */
export async function harmlessExpectation(
  scene: ProofScene,
  named: NamedCheck,
  run: InjectedRun,
): Promise<Harmless | null> {
  const written = new Set(
    comparedOf(scene, named).changes.flatMap(({ kind, change, path }) =>
      kind === "test" && change !== "removed" ? [path] : [],
    ),
  );
  const files = run.files.filter(
    (each) => each.altered.size > 0 && each.isSure && !each.isConditional && written.has(each.path),
  );
  let left: Unseen = new Map(files.map(({ file, altered }) => [file, altered]));
  if (failedAsExpected(run)) left = without(left, run);
  for (let round = 0; left.size > 0 && round < MOST_ROUNDS; round += 1) {
    const asked = left;
    const again = await runWith(scene, named, asked);
    if (again === null) return null;
    if (again.isGreen) return unnoticedIn(again, asked);
    // Fewer tests failed than got to a wrong expectation: some of those swallow it.
    if (hasFewerFailures(again)) return oneByOne(scene, named, asked);
    left = without(asked, again);
    if (sizeOf(left) === sizeOf(asked)) return null;
  }
  return null;
}

interface Harmless {
  readonly type: "unnoticed-value";
  readonly path: string;
}

async function oneByOne(scene: ProofScene, named: NamedCheck, asked: Unseen): Promise<Harmless | null> {
  const single = [...asked].flatMap(([file, ids]) => [...ids].map((id) => [file, new Set([id])] as const));
  for (const one of single.slice(0, MOST_ALONE)) {
    const alone = new Map([one]);
    const again = await runWith(scene, named, alone);
    if (again === null) return null;
    if (again.isGreen) return unnoticedIn(again, alone);
  }
  return null;
}

async function runWith(scene: ProofScene, named: NamedCheck, asked: Unseen): Promise<InjectedRun | null> {
  const run = await runInjected(scene, named, (file) => ({ tests: false, altered: asked.get(file) ?? null }));
  return run === "no-tests" || "why" in run ? null : run;
}

function unnoticedIn({ files, marks }: InjectedRun, asked: Unseen): Harmless | null {
  const file = files.find((each) => asked.has(each.file) && countOf(marks, "loaded", each.file) > 0);
  return file === undefined ? null : { type: "unnoticed-value", path: file.path };
}

/** Without those that were reached where the check failed. */
function without(unseen: Unseen, { marks }: InjectedRun): Unseen {
  const left = [...unseen].map(([file, ids]) => {
    const rest = [...ids].filter((id) => countOf(marks, "reached", file, id) === 0);
    return [file, new Set(rest)] as const;
  });
  return new Map(left.filter(([, ids]) => ids.size > 0));
}

function sizeOf(unseen: Unseen): number {
  return [...unseen.values()].reduce((sum, { size }) => sum + size, 0);
}
