import { readFileSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** Everything that tests leave in the temporary folder goes with them. */
function ownTemporaryFolder(): () => void {
  const folder = makeTemporaryFolder();
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Small real programs that tests spawn (writers to kill, children to end), bundled because Node 20 runs no TypeScript. */
async function buildPrograms(): Promise<void> {
  const entryPoints = readdirSync("test/programs").map((name) => `test/programs/${name}`);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  await build({
    entryPoints,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Some packages have their ES modules only there; what they offer as CommonJS cannot be bundled.
    mainFields: ["module", "main"],
    outdir: "dist/test-programs",
    outExtension: { ".js": ".mjs" },
    define: { LOOPWRIGHT_VERSION: JSON.stringify(version) },
    // Some of what is bundled is CommonJS, and asks for modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: "error",
  });
}

export default async function setUp(): Promise<() => void> {
  await buildPrograms();
  return ownTemporaryFolder();
}
