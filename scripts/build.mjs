// Bundles the programs. Each is one self-contained file, so that starting one reads nothing else.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  define: { LOOPWRIGHT_VERSION: JSON.stringify(version) },
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

mkdirSync("dist", { recursive: true });
// CommonJS starts a few milliseconds sooner than ES modules, and a hook is started at every stop.
replace("dist/package.json", '{ "type": "commonjs" }\n');
const engine = await bundle("src/hook/engine.ts", { minify: true });
const define = { ...shared.define, ENGINE_SOURCE: JSON.stringify(engine) };
replace("dist/hook.js", await bundle("src/hook/main.ts", { minify: true, define }));
replace(
  "dist/cli.js",
  await bundle("src/cli/main.ts", { minifySyntax: true, banner: { js: "#!/usr/bin/env node" } }),
);

async function bundle(entry, options) {
  const { outputFiles } = await build({ ...shared, ...options, entryPoints: [entry] });
  return outputFiles[0].text;
}

/** In one step: a hook may be starting at this very moment. */
function replace(path, contents) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}
