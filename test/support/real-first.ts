import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files of tests with real processes take longest: they begin first, and the quick ones fill what is left at the end.
 * Those of one project follow each other, because they share processes.
 */
export class RealFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted
        .filter(({ project }) => project.name === name)
        .toSorted((one, other) => Number(isReal(other)) - Number(isReal(one))),
    );
  }
}

function isReal({ moduleId }: TestSpecification): boolean {
  return !moduleId.includes("/src/");
}
