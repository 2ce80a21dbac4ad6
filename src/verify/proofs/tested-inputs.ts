import type { ShownProof } from "../../core/loop/proof.ts";
import { NEIGHBOURS, neighbourOf } from "../answers/neighbours.ts";
import { givenAnswer, type TestedStatement } from "../answers/tested-statements.ts";
import { asReverted, type ReplacedFile } from "../baseline/replacements.ts";
import { namesOutside, type Places } from "../answers/outside-places.ts";
import { folderOf, hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { accusationSaid } from "./accusation-said.ts";
import { askCalls, type AccusedCalls } from "./asked-calls.ts";
import { AlteredTests } from "./altered-tests.ts";
import { chosenStatements, type JudgingText } from "./chosen-statements.ts";
import { SHORT_MS } from "./injected-run.ts";
import { comparedOf, runInRoom, type SampleScene } from "./proof-site.ts";
import { SeenNeighbours, type ChangedInput, type ChangedValue } from "./seen-neighbours.ts";
import { failuresAbout, showsBoth } from "./told-failures.ts";
import { judgingTexts, WorkValues } from "./work-values.ts";

type Shown = Pick<ShownProof, "result" | "detail" | "files">;

const MOST_RUNS = 6;
/** A single input may need more, since some of what it is changed into is refused. */
const MOST_ROUNDS = NEIGHBOURS.length;
/** A check that takes longer is run as often only if a person gave it the time. */
const RUNS_OF_A_LONG_ONE = 24;

/**
 * Work that answers the inputs of its tests and no others: with other values in the tests it gives what the source gave before, or
 * one and the same, or doesn't look at them at all. null: it isn't so, as far as is known.
 */
export async function answersOnlyTests(
  scene: SampleScene,
  checks: readonly NamedCheck[],
): Promise<Shown | null> {
  const [named] = checks;
  const { budget } = scene;
  if (named === undefined) return null;
  const opening = await asReverted(scene.place, scene.comparison, comparedOf(scene, named));
  const tests = await judgingTexts(scene, named);
  if (opening === null || tests.length === 0) return null;
  const work = await WorkValues.of(scene, comparedOf(scene, named), tests);
  if (work === null || work.room === 0) return null;
  const asked = await askCalls({ scene, named, tests, work, opening });
  if (asked === "innocent") return null;
  if (asked !== "unknown") return saidIn(scene, work, asked);
  if (budget.checksMs > SHORT_MS && budget.leftMs() < RUNS_OF_A_LONG_ONE * budget.checksMs) return null;
  const search = await Search.of(scene, named, { opening, tests, work });
  return search === null ? null : search.verdict();
}

function saidIn({ place }: SampleScene, { files }: WorkValues, accused: AccusedCalls): Shown {
  const detail = accusationSaid(accused, { root: place.root, files, tests: accused.tests });
  return { result: "fails", detail, files };
}

interface SearchedWork {
  readonly opening: readonly ReplacedFile[];
  readonly tests: readonly JudgingText[];
  readonly work: WorkValues;
}

class Search {
  readonly #scene: SampleScene;
  readonly #opening: readonly ReplacedFile[];
  readonly #work: WorkValues;
  readonly #tests: AlteredTests;
  readonly #statements: readonly TestedStatement[];
  /** There was nothing before the work to compare with. */
  readonly #isNew: boolean;
  readonly #mayHold: boolean;
  readonly #places: Places;

  private constructor(
    scene: SampleScene,
    parts: {
      readonly opening: readonly ReplacedFile[];
      readonly work: WorkValues;
      readonly tests: AlteredTests;
      readonly statements: readonly TestedStatement[];
      readonly isNew: boolean;
      readonly mayHold: boolean;
      readonly places: Places;
    },
  ) {
    this.#scene = scene;
    this.#opening = parts.opening;
    this.#work = parts.work;
    this.#tests = parts.tests;
    this.#statements = parts.statements;
    this.#isNew = parts.isNew;
    this.#mayHold = parts.mayHold;
    this.#places = parts.places;
  }

  /** null: nothing is known that other values could be put into, or the change has no new value. */
  static async of(
    scene: SampleScene,
    named: NamedCheck,
    { opening, tests, work }: SearchedWork,
  ): Promise<Search | null> {
    const before = scene.comparison.changes.checks.get(named.name)?.before;
    // Of a runner without a report, nobody knows whether it ran a test.
    const mayBeNew = before === "unrun";
    const isTold = !mayBeNew || (scene.reports.get(named.name) ?? null) === null;
    const output = isTold ? await outputWithout(scene, named, opening) : null;
    if (output === null && !mayBeNew) return null;
    const choose = (printed: string | null): readonly TestedStatement[] =>
      chosenStatements(tests, printed, {
        names: work.names,
        isExcused: (content) => work.isExcused(content),
      }).filter(({ expected }) => !work.hadBefore(expected.content));
    const shown = output === null ? [] : choose(output);
    const isNew = mayBeNew && shown.length === 0;
    const statements = isNew ? choose(null) : shown;
    const mayHold = work.mayHold(statements.map(givenAnswer));
    if (statements.length === 0 || (isNew && !mayHold)) return null;
    const altered = new AlteredTests(scene, named, tests);
    const places = { root: scene.place.root, folder: folderOf(scene.site, named.check) };
    return new Search(scene, { opening, work, tests: altered, statements, isNew, mayHold, places });
  }

  async verdict(): Promise<Shown | null> {
    const seen = new SeenNeighbours(this.#statements, { mayHold: this.#mayHold });
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (round >= MOST_RUNS && (!this.#isSingle || seen.accusation() !== null)) break;
      const inputs = this.#changed(round);
      if (inputs.length === 0) continue;
      if (!this.#tests.hasTime()) break;
      const now = await this.#tests.run(inputs, []);
      if (now === null || this.#tests.isUnclear(now)) continue;
      if (hasPassed(now)) {
        seen.add({ inputs, result: "kept", lines: null, output: null });
        if (!seen.isOpen()) return null;
        continue;
      }
      const told = failuresAbout(now.output, this.#expectedIn(inputs), this.#tests.linesOf(inputs));
      if (told === null) continue;
      const before = seen.mayBeAsBefore && !this.#isNew ? await this.#tests.run(inputs, this.#opening) : null;
      const isSame = before !== null && !hasPassed(before) && told.isIn(before.output);
      seen.add({ inputs, result: isSame ? "as-before" : "other", lines: told.lines, output: now.output });
      if (!seen.isOpen()) return null;
    }
    const accusation = seen.accusation();
    if (accusation === null || !(await this.#isRevealing())) return null;
    const { files } = this.#work;
    const tests = [...new Set(seen.told().map(({ statement }) => statement.path))];
    const detail = accusationSaid(accusation, { root: this.#scene.place.root, files, tests });
    return { result: "fails", detail, files };
  }

  get #isSingle(): boolean {
    return this.#statements.flatMap(({ inputs }) => inputs).length === 1;
  }

  /** Each input in another way. In every other round one of a statement alone: two that don't fit may hide what one would show. */
  #changed(round: number): readonly ChangedInput[] {
    return this.#statements.flatMap((statement, at) => {
      const { inputs } = statement;
      const chosen = round % 2 === 0 ? inputs.slice((round / 2) % inputs.length).slice(0, 1) : inputs;
      const contents = [...new Set(chosen.map(({ content }) => content))];
      return chosen.flatMap((place) => {
        // What is the same stays the same.
        const from = round + 3 * (at + contents.indexOf(place.content));
        for (let next = 0; next < NEIGHBOURS.length; next += 1) {
          const how = NEIGHBOURS[(from + next) % NEIGHBOURS.length] ?? "one-letter";
          const value = neighbourOf(place.content, how);
          if (value !== null && !namesOutside(value, this.#places)) return [{ statement, place, how, value }];
        }
        return [];
      });
    });
  }

  #expectedIn(inputs: readonly ChangedInput[]): readonly string[] {
    return [...new Set(inputs.map(({ statement }) => statement.expected.content))];
  }

  /**
   * Whether a failure shows what came out: with other expectations, the usual results are told, and before the work they weren't.
   */
  async #isRevealing(): Promise<boolean> {
    const others = this.#statements.flatMap((statement): readonly ChangedValue[] => {
      const { content, places } = statement.expected;
      const value = neighbourOf(content, "all-letters") ?? neighbourOf(content, "one-letter");
      return value === null ? [] : places.map((place) => ({ statement, place, value }));
    });
    if (others.length === 0) return false;
    const now = await this.#tests.run(others, []);
    if (now === null || hasPassed(now)) return false;
    const quoted = this.#tests.linesOf(others);
    const isShownIn = (output: string, { place, value }: ChangedValue): boolean =>
      showsBoth(output, place.content, value, quoted);
    const shown = others.filter((each) => isShownIn(now.output, each));
    if (shown.length === 0) return false;
    if (this.#isNew) return true;
    const before = await this.#tests.run(others, this.#opening);
    const told = failuresAbout(
      now.output,
      shown.map(({ value }) => value),
      quoted,
    );
    return before !== null && told !== null && !told.isIn(before.output);
  }
}

/** What the check prints without the work, where it fails then; null: it doesn't. */
async function outputWithout(
  scene: SampleScene,
  named: NamedCheck,
  opening: readonly ReplacedFile[],
): Promise<string | null> {
  const haveMoved = comparedOf(scene, named).changes.some(
    ({ kind, change }) => kind === "test" && change === "changed",
  );
  const known = haveMoved ? undefined : scene.failedBefore.get(named.name);
  if (known !== undefined) return known;
  const run = await runInRoom(scene, named, opening, { isSample: true });
  return "why" in run || hasPassed(run.outcome) ? null : run.outcome.output;
}
