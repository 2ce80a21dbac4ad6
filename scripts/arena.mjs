// Builds and runs the arena: agents that are honest, and agents that are not, before several gates.
import { spawnSync } from "node:child_process";
import { build } from "esbuild";

await build({
  entryPoints: ["arena/main.ts"],
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  outfile: "dist/arena.js",
  logLevel: "warning",
});
process.exitCode =
  spawnSync(process.execPath, ["dist/arena.js", ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1;
