import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ["**/*.test.ts"],
    globalSetup: ["../test/support/build-programs.ts"],
    testTimeout: 120_000,
    hookTimeout: 30_000,
    // Each run is a client of some 250 MB; two at a time is what a small machine bears.
    maxWorkers: 2,
  },
});
