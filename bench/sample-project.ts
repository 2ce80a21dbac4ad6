import type { WorkShape } from "../src/core/stages/stages.ts";
import type { ProjectFacts } from "../src/core/questions/question.ts";
import type { WorkDiff } from "../src/core/questions/review/work-diff.ts";
import { readableFiles } from "../src/core/questions/review/work-diff.ts";

/** A project that nobody wrote, with a spec and the work for it. */
export interface SampleProject {
  readonly name: string;
  readonly files: readonly string[];
  readonly changedLines: number;
  readonly failureLines: number;
  readonly spec: string;
  readonly facts: ProjectFacts;
  readonly shape: WorkShape;
  readonly diff: WorkDiff;
}

interface Size {
  readonly files: number;
  readonly sentences: number;
  readonly criteria: number;
  readonly changedFiles: number;
  readonly linesOfEach: number;
  readonly failureLines: number;
}

export const SAMPLES: readonly SampleProject[] = [
  sample("small", { files: 8, sentences: 1, criteria: 1, changedFiles: 2, linesOfEach: 20, failureLines: 5 }),
  sample("middle", {
    files: 150,
    sentences: 12,
    criteria: 4,
    changedFiles: 12,
    linesOfEach: 60,
    failureLines: 40,
  }),
  sample("large", {
    files: 5_000,
    sentences: 80,
    criteria: 6,
    changedFiles: 150,
    linesOfEach: 80,
    failureLines: 400,
  }),
];

function sample(name: string, size: Size): SampleProject {
  const files = Array.from({ length: size.files }, (_, index) => `src/part-${index % 40}/module-${index}.ts`);
  const changed = files.slice(0, size.changedFiles);
  const stats = changed.map((path) => ({ path, added: size.linesOfEach, removed: 0 }));
  const spec = Array.from(
    { length: size.sentences },
    (_, index) =>
      `Make module ${index} return the sum of price times quantity for each order, also for returns.`,
  ).join(" ");
  const readable = new Set(readableFiles(stats));
  return {
    name,
    files,
    changedLines: size.changedFiles * size.linesOfEach,
    failureLines: size.failureLines,
    spec: `${spec} Done when npm test passes.`,
    facts: {
      checks: [{ name: "tests pass", command: "npm test" }],
      checkFolder: null,
      files,
    },
    shape: {
      kind: "build",
      aspects: ["logic"],
      criteria: Array.from({ length: size.criteria }, (_, index) => ({
        name: `orders of kind ${index} are summed up`,
        check: null,
        proposed: null,
      })),
      decisions: Array.from({ length: size.criteria }, (_, index) => `Sums of kind ${index} are in cents.`),
    },
    diff: {
      stats,
      files: changed
        .filter((path) => readable.has(path))
        .map((path) => ({
          path,
          lines: Array.from({ length: size.linesOfEach }, (_, index) => ({
            kind: "added" as const,
            line: index + 1,
            text: `  const sum${index} = sumOf(orders, ({ price, quantity }) => price * quantity);`,
          })),
        })),
    },
  };
}
