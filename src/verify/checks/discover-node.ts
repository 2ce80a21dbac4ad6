import { ownObject } from "../definitions/parts/formats.ts";
import { calledPrograms, mendsFiles } from "../definitions/shell/simple-commands.ts";
import type { ProjectFiles, FoundCheck, ProposedCheck, Tools } from "./found-check.ts";
import {
  BUILD_SUCCEEDS,
  FORMAT_CLEAN,
  LINT_CLEAN,
  NO_TYPE_ERRORS,
  notInstalled,
  PROJECT_CHECK_PASSES,
  TESTS_PASS,
} from "./found-check.ts";

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

/** How a program of the project's packages is called, and never downloaded. */
const EXECUTE: Record<PackageManager, string> = {
  npm: "npx --no-install",
  pnpm: "pnpm exec",
  yarn: "yarn run",
  bun: "bunx --no-install",
};

export async function discoverNode(files: ProjectFiles, tools: Tools): Promise<readonly FoundCheck[]> {
  const manifest = parseObject(await files.read("package.json"));
  if (manifest === null) return [];
  const manager = await packageManager(files, manifest);
  const scripts = new NodeScripts(ownObject(manifest["scripts"]), files, tools);
  const obstacleOf = (source: string, missing: string | null): string | null => {
    if (tools.onPath(manager) === null) return notInstalled("package.json", manager);
    return missing === null ? null : `Run ${manager} install first: ${source} needs ${missing}.`;
  };
  const checks: FoundCheck[] = [];
  for (const [name, candidates] of SCRIPTS) {
    const script = candidates.find((candidate) => endsByItself(scripts.lineOf(candidate)));
    if (script === undefined) continue;
    const proposed = proposalOf(name, script, scripts.lineOf(script) ?? "", manager, tools);
    if (proposed === null) continue;
    const obstacle = obstacleOf(`package.json script ${script}`, await scripts.missingFor(script));
    checks.push({ ...proposed, obstacle });
  }
  const typesChecked = checks.some((check) => check.name === NO_TYPE_ERRORS);
  if (!typesChecked && dependsOnTypeScript(manifest) && (await files.has("tsconfig.json"))) {
    const source = "tsconfig.json";
    const missing = tools.inNodeModules("tsc") || (await files.has(".pnp.cjs")) ? null : "tsc";
    const obstacle = obstacleOf(source, missing);
    checks.push({ name: NO_TYPE_ERRORS, command: `${EXECUTE[manager]} tsc --noEmit`, source, obstacle });
  }
  return checks;
}

/** A script that mends what it finds is no check; where only one program does it, that is called without. */
function proposalOf(
  name: string,
  script: string,
  line: string,
  manager: PackageManager,
  tools: Tools,
): ProposedCheck | null {
  const source = `package.json script ${script}`;
  if (!mendsFiles(line)) return { name, command: `${manager} run ${script}`, source };
  const [call, ...others] = calledPrograms(line);
  if (call === undefined || others.length > 0 || !/^[\w@+./ -]+$/.test(line)) return null;
  const command = line.replace(/\s+--fix(?![\w-])/g, "").trim();
  if (mendsFiles(command)) return null;
  const isOwn = tools.inNodeModules(call[0]);
  return {
    name,
    command: isOwn ? `${EXECUTE[manager]} ${command}` : command,
    source: `${source}, without --fix`,
  };
}

/** Neither npm's placeholder nor a script that waits for changes. */
function endsByItself(script: string | null): boolean {
  if (script === null) return false;
  return !script.includes("no test specified") && !/--watch(All)?\b(?!=false)/.test(script);
}

async function packageManager(
  files: ProjectFiles,
  manifest: Readonly<Record<string, unknown>>,
): Promise<PackageManager> {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest["packageManager"]))?.[1];
  if (named !== undefined) return named as PackageManager;
  for (const [file, manager] of LOCK_FILES) if (await files.has(file)) return manager;
  return "npm";
}

function dependsOnTypeScript(manifest: Readonly<Record<string, unknown>>): boolean {
  return ["dependencies", "devDependencies"].some((list) =>
    Object.hasOwn(ownObject(manifest[list]), "typescript"),
  );
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? ownObject(value) : null;
  } catch {
    return null;
  }
}

type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

type Scripts = Readonly<Record<string, unknown>>;

/** Reads `npm run x`, `yarn x` and the like as the name of another script. */
const RUNS_SCRIPT = /^(?:npm|pnpm|yarn|bun)$/;

/** A script of the manifest, looked at as the manager would run it: with those before and after it. */
class NodeScripts {
  readonly #scripts: Scripts;
  readonly #files: ProjectFiles;
  readonly #tools: Tools;

  constructor(scripts: Scripts, files: ProjectFiles, tools: Tools) {
    this.#scripts = scripts;
    this.#files = files;
    this.#tools = tools;
  }

  lineOf(name: string): string | null {
    const line = Object.hasOwn(this.#scripts, name) ? this.#scripts[name] : null;
    return typeof line === "string" && line.trim() !== "" ? line : null;
  }

  /** A program that the script needs and that is not there. */
  async missingFor(name: string, seen: ReadonlySet<string> = new Set()): Promise<string | null> {
    if (seen.has(name)) return null;
    const lines = [`pre${name}`, name, `post${name}`].flatMap((each) => this.lineOf(each) ?? []);
    for (const call of lines.flatMap(calledPrograms)) {
      const missing = await this.#missingIn(call, new Set([...seen, name]));
      if (missing !== null) return missing;
    }
    return null;
  }

  async #missingIn(
    [program, ...words]: readonly [string, ...string[]],
    seen: ReadonlySet<string>,
  ): Promise<string | null> {
    if (!(await this.#isThere(program))) return program;
    const [first, second] = words.filter((word) => !word.startsWith("-"));
    if (program === "npx" || program === "bunx") {
      return first === undefined || (await this.#isThere(first)) ? null : first;
    }
    if (!RUNS_SCRIPT.test(program)) return null;
    const called = first === "run" || first === "run-script" ? second : first;
    return called === undefined || this.lineOf(called) === null ? null : this.missingFor(called, seen);
  }

  async #isThere(program: string): Promise<boolean> {
    if (program.startsWith("/")) return true;
    if (program.includes("/")) return this.#files.has(program);
    if (this.#tools.inNodeModules(program) || this.#tools.onPath(program) !== null) return true;
    // Without a folder for them, its packages are known to yarn alone.
    return this.#files.has(".pnp.cjs");
  }
}
