// Builds and runs the benchmarks: figures are ratios to something measured in the same run.
import { spawnSync } from "node:child_process";
import { build } from "esbuild";

await build({
  entryPoints: ["bench/main.ts"],
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  mainFields: ["module", "main"],
  outfile: "dist/bench.js",
  // It finds its own files beside itself.
  external: ["playwright-core"],
  logLevel: "warning",
});
process.exitCode =
  spawnSync(process.execPath, ["--expose-gc", "dist/bench.js", ...process.argv.slice(2)], {
    stdio: "inherit",
  }).status ?? 1;
