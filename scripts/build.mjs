// Bundles the programs. Each is one self-contained file, so that starting one reads nothing else.
import { mkdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
// CommonJS starts a few milliseconds sooner than ES modules, and a hook is started at every stop.
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n');

const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  define: { LOOPWRIGHT_VERSION: JSON.stringify(version) },
  legalComments: "none",
  logLevel: "warning",
};

await Promise.all([
  build({
    ...shared,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/cli.js",
    banner: { js: "#!/usr/bin/env node" },
    minifySyntax: true,
  }),
  build({ ...shared, entryPoints: ["src/hook/main.ts"], outfile: "dist/hook.js", minify: true }),
]);
chmodSync("dist/cli.js", 0o755);
