import { writeFileSync } from "node:fs";

/** A vitest reporter that keeps, per file, what `.ci/second-look.mjs` decides on: counts, and what failed by name. */
export default class OutcomeReporter {
  #path;

  onInit(vitest) {
    this.#path = vitest.config.outputFile.outcome;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => ({ file: module.moduleId, ...outcomeOf(module) }));
    for (const error of unhandledErrors) blame(files, error);
    writeFileSync(this.#path, JSON.stringify(files));
  }
}

function outcomeOf(module) {
  const tests = [...module.children.allTests()];
  const of = (state) => tests.filter((test) => test.result().state === state);
  const failures = of("failed").map((test) => test.fullName);
  // A file that does not load, or a hook that throws, has no failed test.
  if (failures.length === 0 && !module.ok()) failures.push("(the file itself)");
  return { passed: of("passed").length, skipped: of("skipped").length, failures };
}

/** An error outside of any test is a failure of the file that ran meanwhile; of none, where vitest does not know which. */
function blame(files, { message, VITEST_TEST_PATH: path }) {
  const failure = `(outside of a test: ${message})`;
  const blamed = files.find(({ file }) => file === path);
  if (blamed === undefined) files.push({ file: null, passed: 0, skipped: 0, failures: [failure] });
  else blamed.failures.push(failure);
}
