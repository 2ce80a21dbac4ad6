import { defineConfig } from "vitest/config";
import { RealFirst } from "./test/support/real-first.ts";

/** They replace a module, which every test in the same process would see. */
const MOCKING = ["src/worktrees/checkpoints/large-files.test.ts", "src/agents/cost/read-transcript.test.ts"];

const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // A test must not see a coding client's variables, nor this machine's own loop state.
  setupFiles: ["test/support/clean-environment.ts"],
};

export default defineConfig({
  test: {
    projects: [
      // Tests of one module each can't disturb each other, and share a process.
      {
        test: { ...shared, name: "modules", include: ["src/**/*.test.ts"], exclude: MOCKING, isolate: false },
      },
      { test: { ...shared, name: "real", include: ["test/**/*.test.ts", ...MOCKING] } },
    ],
    // Some of the time is spent waiting for processes that the tests start.
    maxWorkers: 3,
    sequence: { sequencer: RealFirst },
    globalSetup: ["test/support/build-programs.ts"],
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
