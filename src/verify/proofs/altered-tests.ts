import { withValues } from "../answers/written-test.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import type { JudgingText } from "./chosen-statements.ts";
import { noticingOf } from "./faulty-run.ts";
import { runInRoom, type SampleScene } from "./proof-site.ts";
import type { ChangedValue } from "./seen-neighbours.ts";

/** The tests of a check, run with other values in them. */
export class AlteredTests {
  readonly #scene: SampleScene;
  readonly #named: NamedCheck;
  readonly #tests: readonly JudgingText[];
  #longestMs = 0;

  constructor(scene: SampleScene, named: NamedCheck, tests: readonly JudgingText[]) {
    this.#scene = scene;
    this.#named = named;
    this.#tests = tests;
  }

  /** Whether there is time for a run with the work, and one without it. */
  hasTime(): boolean {
    return this.#scene.budget.leftMs() > 2 * this.#longestMs;
  }

  /** `others`: files that are replaced, too. null: it couldn't be run. */
  async run(
    inputs: readonly ChangedValue[],
    others: readonly ReplacedFile[],
  ): Promise<CommandOutcome | null> {
    const { site } = this.#scene;
    const begun = site.now();
    const replaced = this.#replaced(inputs);
    const own = new Set(replaced.map(({ path }) => path));
    const run = await runInRoom(
      this.#scene,
      this.#named,
      [...others.filter(({ path }) => !own.has(path)), ...replaced],
      { isSample: true },
    );
    this.#longestMs = Math.max(this.#longestMs, site.now() - begun);
    return "why" in run ? null : run.outcome;
  }

  isUnclear(outcome: CommandOutcome): boolean {
    return noticingOf(outcome, this.#scene.reports.get(this.#named.name) ?? null) === "unclear";
  }

  /** The lines that have other values in them: a runner may quote them. */
  linesOf(inputs: readonly ChangedValue[]): readonly string[] {
    return this.#replaced(inputs).flatMap(({ path, content }) => {
      const lines = content?.toString("utf8").split("\n") ?? [];
      return inputs
        .filter(({ statement }) => statement.path === path)
        .map(({ statement }) => lines[statement.line - 1]?.trim() ?? "");
    });
  }

  #replaced(inputs: readonly ChangedValue[]): readonly ReplacedFile[] {
    const paths = new Set(inputs.map(({ statement }) => statement.path));
    return this.#tests
      .filter(({ path }) => paths.has(path))
      .map(({ path, text, mode }): ReplacedFile => {
        const own = inputs.filter(({ statement }) => statement.path === path);
        const all = own.flatMap(({ place, value }) =>
          [place, ...("twins" in place ? place.twins : [])].map(
            (each) => [each.from, { place: each, value }] as const,
          ),
        );
        const unique = [...new Map(all.toReversed()).values()];
        return { path, mode, content: Buffer.from(withValues(text, unique)) };
      });
  }
}
