import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "../test/support/patience.ts";

export default defineConfig({
  test: {
    root: dirname(fileURLToPath(import.meta.url)),
    include: ["**/*.test.ts"],
    globalSetup: ["../test/support/build-programs.ts"],
    // Time for two runs of a client.
    testTimeout: 2 * PATIENCE_MS + 20_000,
    hookTimeout: PATIENCE_MS,
    // Each run is a client of some 250 MB; two at a time is what a small machine bears.
    maxWorkers: 2,
  },
});
