import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time is spent waiting for processes that the tests start, not working.
    maxWorkers: 3,
    // Real processes with clocks of their own: where nobody watches, a test may try twice.
    retry: process.env["CI"] === undefined ? 0 : 1,
    globalSetup: ["test/support/build-programs.ts"],
    // A test must not see a coding client's variables, nor this machine's own loop state.
    setupFiles: ["test/support/clean-environment.ts"],
  },
});
