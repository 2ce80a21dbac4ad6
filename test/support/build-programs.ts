import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";

/** What the process that stays for all calls has others do, or not at all. */
const STAND_INS: { readonly [module: string]: string } = {
  "/system/process/agent-process.ts": "test/support/agents-in-process.ts",
  "/system/process/guardian.ts": "test/support/no-guardian.ts",
};

const standIns: Plugin = {
  name: "stand-ins",
  setup(builder) {
    builder.onResolve({ filter: /\/(?:agent-process|guardian)\.ts$/ }, ({ path, importer }) => {
      const [, stand] = Object.entries(STAND_INS).find(([module]) => path.endsWith(module)) ?? [];
      return stand === undefined || importer === resolve(stand) ? null : { path: resolve(stand) };
    });
  },
};

/** Small real programs that tests spawn (writers to kill, children to end), bundled because Node 20 runs no TypeScript. */
export default async function buildPrograms(): Promise<void> {
  const programs = readdirSync("test/programs").map((name) => `test/programs/${name}`);
  const stays = (path: string): boolean => path.endsWith("/in-process.ts");
  await Promise.all([
    bundle({ entryPoints: programs.filter((path) => !stays(path)) }),
    bundle({ entryPoints: programs.filter(stays), plugins: [standIns] }),
  ]);
}

async function bundle(parts: Pick<BuildOptions, "entryPoints" | "plugins">): Promise<void> {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  await build({
    ...parts,
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
