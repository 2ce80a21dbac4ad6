import type { ShownProof } from "../../core/loop/proof.ts";
import { listed } from "../../core/listed.ts";
import { readFileNow } from "../baseline/injected-files.ts";
import { readKept } from "../baseline/kept-files.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { nameOf } from "../definitions/project-files.ts";
import { chosenFaults } from "../faults/choose-faults.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { namesFile } from "../violations/suppressions.ts";
import { runBounded } from "./bounded-run.ts";
import { faultyFiles, readSource, type SourceOnDisk } from "./faulty-files.ts";
import { firstNoticing, noticingOf } from "./faulty-run.ts";
import { comparedOf, type SampleScene } from "./proof-site.ts";

const MOST_FAULTS = 60;
const MOST_MODULES = 3;
const MOST_NAMED = 3;
const SHORTEST_STEM = 3;

/**
 * A new module that tests are to be about, since the spec asks for them or new ones mention it, and that no check notices a fault
 * in: its tests may only look whether it is there, while others notice the rest of the work. null: there is none, as far as is
 * known.
 */
export async function unnoticedModule(
  scene: SampleScene,
  checks: readonly NamedCheck[],
): Promise<Pick<ShownProof, "result" | "detail" | "files"> | null> {
  const { comparison, spec, place, budget } = scene;
  const [first] = checks;
  const changed = comparison.changes.files?.source ?? [];
  if (first === undefined || changed.length < 2) return null;
  const before = await readKept(place, comparedOf(scene, first).baseline.kept, new Set(changed));
  const tests = await addedTests(scene, checks);
  const isTested = (path: string): boolean =>
    tests.some((text) => mentions(text, path)) || (comparison.wantsTests && namesFile(spec, path));
  for (const path of changed.filter((each) => !before.has(each) && isTested(each)).slice(0, MOST_MODULES)) {
    const source = await readSource(place.root, path, allLines);
    const faults = source === null ? [] : chosenFaults([source], MOST_FAULTS).filter(isInFunction);
    if (source === null || faults.length === 0 || budget.leftMs() <= 0) continue;
    if (!(await isUnnoticed(scene, checks, source, faults))) continue;
    const lines = faults
      .toSorted((one, other) => one.line - other.line)
      .map(({ line }) => `line ${line} of ${oneLine(path, 80)}`);
    return {
      result: "fails",
      detail: `no check notices a change of ${listed(lines, MOST_NAMED)}, although it is new and has tests`,
      files: [path],
    };
  }
  return null;
}

type Faults = ReturnType<typeof chosenFaults>;

/** What is written once a file is loaded, and what is only said, isn't looked at by every test. */
function isInFunction({ kind, owner }: Faults[number]): boolean {
  return kind !== "message" && owner !== null;
}

async function isUnnoticed(
  scene: SampleScene,
  checks: readonly NamedCheck[],
  source: SourceOnDisk,
  faults: Faults,
): Promise<boolean> {
  const noticing = await firstNoticing(checks, async (named) => {
    const run = await runBounded(scene, named, faultyFiles([source], faults));
    return "why" in run ? "unclear" : noticingOf(run.outcome, scene.reports.get(named.name) ?? null);
  });
  return noticing === "unnoticed";
}

async function addedTests(scene: SampleScene, checks: readonly NamedCheck[]): Promise<readonly string[]> {
  const paths = checks.flatMap((named) =>
    comparedOf(scene, named).changes.flatMap(({ kind, change, path }) =>
      kind === "test" && change === "added" ? [path] : [],
    ),
  );
  const texts = await Promise.all(
    [...new Set(paths)].map(async (path) => readFileNow(scene.place.root, path)),
  );
  return texts.flatMap((each) => (each === null ? [] : [each.text]));
}

function mentions(text: string, path: string): boolean {
  const stem = nameOf(path).replace(/\.\w+$/, "");
  return stem.length >= SHORTEST_STEM && new RegExp(`\\b${stem.replaceAll(/\W/g, "\\$&")}\\b`).test(text);
}

function allLines(text: string): ReadonlySet<number> {
  return new Set(text.split("\n").map((_, index) => index + 1));
}
