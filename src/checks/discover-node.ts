import type { ProjectFiles } from "./project-files.ts";
import {
  BUILD_SUCCEEDS,
  FORMAT_CLEAN,
  LINT_CLEAN,
  NO_TYPE_ERRORS,
  PROJECT_CHECK_PASSES,
  TESTS_PASS,
  type ProposedCheck,
} from "./proposed-check.ts";

type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** Only these names ever end up in a command; of several for one statement, the first that exists. */
const SCRIPTS: readonly (readonly [name: string, scripts: readonly string[]])[] = [
  [TESTS_PASS, ["test"]],
  [LINT_CLEAN, ["lint"]],
  [NO_TYPE_ERRORS, ["typecheck", "type-check", "check-types", "tsc"]],
  [BUILD_SUCCEEDS, ["build"]],
  [FORMAT_CLEAN, ["format:check", "check:format", "fmt:check"]],
  [PROJECT_CHECK_PASSES, ["check"]],
];

const LOCK_FILES: readonly (readonly [file: string, manager: PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

const TYPE_CHECK: Record<PackageManager, string> = {
  npm: "npx --no-install tsc --noEmit",
  pnpm: "pnpm exec tsc --noEmit",
  yarn: "yarn run tsc --noEmit",
  bun: "bunx --no-install tsc --noEmit",
};

export async function discoverNode(files: ProjectFiles): Promise<readonly ProposedCheck[]> {
  const manifest = parseObject(await files.read("package.json"));
  if (manifest === null) return [];
  const manager = await packageManager(files, manifest);
  const scripts = ownObject(manifest["scripts"]);
  const checks = SCRIPTS.flatMap(([name, candidates]): ProposedCheck[] => {
    const script = candidates.find((candidate) => endsByItself(scripts[candidate]));
    if (script === undefined) return [];
    return [{ name, command: `${manager} run ${script}`, source: `package.json script ${script}` }];
  });
  const typesChecked = checks.some((check) => check.name === NO_TYPE_ERRORS);
  if (!typesChecked && dependsOnTypeScript(manifest) && (await files.has("tsconfig.json"))) {
    checks.push({ name: NO_TYPE_ERRORS, command: TYPE_CHECK[manager], source: "tsconfig.json" });
  }
  return checks;
}

/** Not npm's placeholder, and not a script that watches for changes. */
function endsByItself(script: unknown): boolean {
  if (typeof script !== "string" || script.trim() === "") return false;
  return !script.includes("no test specified") && !/--watch(All)?\b(?!=false)/.test(script);
}

async function packageManager(
  files: ProjectFiles,
  manifest: Record<string, unknown>,
): Promise<PackageManager> {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest["packageManager"]))?.[1];
  if (named !== undefined) return named as PackageManager;
  for (const [file, manager] of LOCK_FILES) if (await files.has(file)) return manager;
  return "npm";
}

function dependsOnTypeScript(manifest: Record<string, unknown>): boolean {
  return ["dependencies", "devDependencies"].some((list) =>
    Object.hasOwn(ownObject(manifest[list]), "typescript"),
  );
}

function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function ownObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
