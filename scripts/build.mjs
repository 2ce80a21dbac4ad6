// Bundles the programs. Each is one self-contained file, so that starting one reads nothing else.
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  define: { LOOPWRIGHT_VERSION: JSON.stringify(version) },
  // The licences of what is bundled go into a file of their own.
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  write: false,
};
const bundled = new Set();

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
replace("dist/licenses.txt", [...bundled].toSorted().map(licenseOf).join("\n"));

function licenseOf(name) {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(`${folder}/${file}`, "utf8")}`;
}

async function bundle(entry, options) {
  const { outputFiles, metafile } = await build({ ...shared, ...options, entryPoints: [entry] });
  for (const path of Object.keys(metafile.inputs)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    if (name !== undefined) bundled.add(name);
  }
  return outputFiles[0].text;
}

/** In one step: a hook may be starting at this very moment. */
function replace(path, contents) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}
