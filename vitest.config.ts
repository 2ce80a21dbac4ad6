import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ["test/support/build-programs.ts"],
    // A test must not see a coding client's variables, nor this machine's own loop state.
    setupFiles: ["test/support/clean-environment.ts"],
  },
});
