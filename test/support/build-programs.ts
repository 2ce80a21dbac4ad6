import { readdirSync } from "node:fs";
import { build } from "esbuild";

/** Small real programs that tests spawn (writers to kill, children to end), bundled because Node 20 runs no TypeScript. */
export default async function buildPrograms(): Promise<void> {
  const entryPoints = readdirSync("test/programs").map((name) => `test/programs/${name}`);
  if (entryPoints.length === 0) return;
  await build({
    entryPoints,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    outdir: "dist/test-programs",
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
}
