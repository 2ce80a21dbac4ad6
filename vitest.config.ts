import { defineConfig } from "vitest/config";
import { RealFirst } from "./test/support/real-first.ts";

/** Folders without clock, files and processes: their tests can't disturb each other, and share a process. */
const PURE = "src/{core,drivers,hosts,judgement,markdown,rubric,test-reports,text,views}/**/*.test.ts";

const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // A test must not see a coding client's variables, nor this machine's own loop state.
  setupFiles: ["test/support/clean-environment.ts"],
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: "pure", include: [PURE], isolate: false } },
      {
        test: {
          ...shared,
          name: "real",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [PURE],
        },
      },
    ],
    // Some of the time is spent waiting for processes that the tests start.
    maxWorkers: 3,
    sequence: { sequencer: RealFirst },
    globalSetup: ["test/support/build-programs.ts"],
    // With `npm run coverage`, of the two folders on which a loop's truth rests. Raise these, never lower them.
    coverage: {
      include: ["src/core/**/*.ts", "src/journal/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text"],
      thresholds: {
        "src/core/**": { lines: 95, branches: 92, functions: 92 },
        "src/journal/**": { lines: 97, branches: 85, functions: 100 },
      },
    },
  },
});
