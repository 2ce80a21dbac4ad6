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
await bundle("src/hook/main.ts", "dist/hook.js", { minify: true });
await bundle("src/cli/main.ts", "dist/cli.js", { minifySyntax: true, banner: { js: "#!/usr/bin/env node" } });

async function bundle(entry, outfile, options) {
  const { outputFiles } = await build({ ...shared, ...options, entryPoints: [entry], outfile });
  replace(outfile, outputFiles[0].contents);
}

/** In one step: a hook may be starting at this very moment. */
function replace(path, contents) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}
