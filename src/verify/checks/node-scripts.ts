import { calledPrograms } from "./called-programs.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { Tools } from "./tools.ts";

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

export type Scripts = Readonly<Record<string, unknown>>;

/** Reads `npm run x`, `yarn x` and the like as the name of another script. */
const RUNS_SCRIPT = /^(?:npm|pnpm|yarn|bun)$/;

/** A script of the manifest, looked at as the manager would run it: with those before and after it. */
export class NodeScripts {
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
