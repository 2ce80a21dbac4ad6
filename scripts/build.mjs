// Builds the programs. Each is one self-contained file, replaced in one step, so that it is always one version.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { build } from "esbuild";
import { programOf } from "./parts.mjs";

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));

/** @type {Set<string>} */
const bundled = new Set();

mkdirSync("dist", { recursive: true });
const page = await pageOf("src/programs/dashboard/page");
const define = {
  LOOPWRIGHT_VERSION: JSON.stringify(version),
  PAGE_DIGEST: JSON.stringify(createHash("sha256").update(page).digest("hex")),
};
replace("dist/dashboard.html", page, 0o644);
// CommonJS starts a few milliseconds sooner than ES modules, and a hook is started at every stop.
// With the version, by which a plugin's hook and another `loop` know each other.
replace("dist/package.json", `${JSON.stringify({ name, version, type: "commonjs" })}\n`);
replace(
  "dist/hook.js",
  await bundle({
    starter: "src/programs/hook/main.ts",
    entries: ["src/programs/hook/engine.ts", "src/programs/hook/tool-use.ts"],
    // Most stops have no loop, and read all of this file for nothing.
    together: ["src/programs/hook/engine.ts", "src/programs/hook/tool-use.ts"],
  }),
);
replace(
  "dist/cli.js",
  await bundle({
    starter: "src/programs/cli/start.ts",
    entries: ["src/programs/cli/main.ts", "src/programs/cli/helper.ts"],
    // What is started most: what every command needs, a turn of a run, and what people and agents type all day.
    plain: [
      "src/programs/cli/main.ts",
      "src/storage/loops/machine.ts",
      "src/programs/cli/helper.ts",
      "src/programs/cli/commands/status.ts",
    ],
    banner: "#!/usr/bin/env node\n",
  }),
);
// For many machines: loaded only with the URL of a fleet, and of another age than the rest (pg-boss asks for Node 22.12).
replace("dist/fleet-engine.js", await engineOf("src/programs/fleet-engine/main.ts"), 0o644);
// For the agents that are driven: a folder for their PATH, with nothing else in it.
mkdirSync("dist/bin", { recursive: true });
replace("dist/bin/loop", readFileSync("plugin/bin/loop", "utf8").replace("/../dist/cli.js", "/../cli.js"));
// What other clients are given: a skill, and a plugin where they have no hooks. The script looks at calls before hook.js does.
for (const [file, mode] of [
  ["hook.sh", 0o755],
  ["bridge.js", 0o644],
  ["skill.md", 0o644],
])
  replace(`dist/${file}`, readFileSync(`plugin/${file}`, "utf8"), mode);
replace("dist/licenses.txt", [...bundled].toSorted().map(licenseOf).join("\n"));
assemblePlugin();

/** The plugin of Claude Code in `dist/plugin`, and `dist` as the marketplace that offers it. */
function assemblePlugin() {
  const draft = `dist/.plugin-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  for (const part of ["agents", "hooks", "skills", "bin"])
    cpSync(`plugin/${part}`, `${draft}/${part}`, { recursive: true });
  chmodSync(`${draft}/bin/loop`, 0o755);
  mkdirSync(`${draft}/.claude-plugin`);
  const { name: plugin, ...manifest } = JSON.parse(readFileSync("plugin/.claude-plugin/plugin.json", "utf8"));
  writeFileSync(
    `${draft}/.claude-plugin/plugin.json`,
    `${JSON.stringify({ name: plugin, version, ...manifest }, null, 2)}\n`,
  );
  mkdirSync(`${draft}/dist/bin`, { recursive: true });
  for (const file of [
    "hook.js",
    "hook.sh",
    "cli.js",
    "dashboard.html",
    "fleet-engine.js",
    "bin/loop",
    "licenses.txt",
    "package.json",
  ]) {
    copyFileSync(`dist/${file}`, `${draft}/dist/${file}`);
  }
  copyFileSync("LICENSE", `${draft}/LICENSE`);
  copyFileSync("plugin/README.md", `${draft}/README.md`);
  swap(draft, "dist/plugin");
  mkdirSync("dist/.claude-plugin", { recursive: true });
  replace("dist/.claude-plugin/marketplace.json", readFileSync("plugin/marketplace.json", "utf8"), 0o644);
}

/** A folder cannot be replaced in one step; for the time of two renames it is gone. */
function swap(draft, folder) {
  const old = `${draft}-old`;
  try {
    renameSync(folder, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another build was quicker, with the same result.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    rmSync(draft, { recursive: true });
  }
  rmSync(old, { recursive: true, force: true });
}

function licenseOf(name) {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(`${folder}/${file}`, "utf8")}`;
}

async function bundle(parts) {
  const { program, inputs } = await programOf({ ...parts, define });
  noteBundled(inputs);
  return program;
}

/** The engine of a fleet with its libraries, as a module that is required. */
async function engineOf(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node22.12",
    // Written in C, or for another platform: pg does without.
    external: ["pg-native", "pg-cloudflare", "cloudflare:sockets"],
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
  });
  noteBundled(Object.keys(metafile.inputs));
  return outputFiles[0].text;
}

/** The dashboard's page: its script and its style inside one file, which asks for nothing else. */
async function pageOf(folder) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${folder}/main.tsx`, `${folder}/style.css`],
    outdir: "page",
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome111", "firefox113", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
  });
  noteBundled(Object.keys(metafile.inputs));
  const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text.trim();
  // What ends a script would end it anywhere in it.
  const script = textOf(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  return readFileSync(`${folder}/index.html`, "utf8")
    .replace("/*STYLE*/", () => textOf(".css"))
    .replace("/*SCRIPT*/", () => script);
}

function noteBundled(paths) {
  for (const path of paths) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    if (name !== undefined) bundled.add(name);
  }
}

/** In one step: a hook may be starting at this very moment. */
function replace(path, contents, mode = 0o755) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  chmodSync(draft, mode);
  renameSync(draft, path);
}
