import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/support/patience.ts";
import { RealFirst } from "./test/support/real-first.ts";

/** What the decision and the journal are tested by: `npm run coverage` runs these, and `.ci/run` everything else beside it. */
const COVERED = [
  "src/{core,storage/journal}/**/*.test.ts",
  "test/{journal-*,live-loop,working-directory,newer-journal,frozen-journals,trust-of-a-copy}.test.ts",
];

/** They replace a module, which every other test in the same process would see. */
const REPLACING = {
  covered: ["test/journal-{append,snapshot}.test.ts"],
  others: [
    "src/worktrees/checkpoints/large-files.test.ts",
    "src/agents/cost/read-transcript.test.ts",
    "test/processes-per-decision.test.ts",
  ],
};

const shared = {
  // Longer than what a test waits for, which says what that was.
  testTimeout: PATIENCE_MS + 10_000,
  hookTimeout: PATIENCE_MS + 70_000,
  // A test must not see a coding client's variables, nor this machine's own loop state.
  setupFiles: ["test/support/clean-environment.ts"],
  // To start a process and load the sources for every file would take longer than most files do.
  isolate: false,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "tests",
          include: ["{src,test}/**/*.test.ts"],
          exclude: [...COVERED, ...REPLACING.others],
        },
      },
      { test: { ...shared, name: "covered", include: COVERED, exclude: REPLACING.covered } },
      { test: { ...shared, name: "alone", include: REPLACING.others, isolate: true } },
      { test: { ...shared, name: "covered-alone", include: REPLACING.covered, isolate: true } },
    ],
    // Some of the time is spent waiting for processes that the tests start.
    maxWorkers: 4,
    sequence: { sequencer: RealFirst },
    globalSetup: ["test/support/build-programs.ts", "test/support/own-temporary-folder.ts"],
    // With `npm run coverage`, of the two folders on which a loop's truth rests. Raise these, never lower them.
    coverage: {
      include: ["src/core/**/*.ts", "src/storage/journal/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text"],
      thresholds: {
        "src/core/**": { lines: 95, branches: 92, functions: 92 },
        "src/storage/journal/**": { lines: 97, branches: 85, functions: 100 },
      },
    },
  },
});
