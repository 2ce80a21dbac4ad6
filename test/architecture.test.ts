import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** Who may import whom. A folder not named on the right is out of reach. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  // Pure: no clock, no files, no processes, no packages.
  core: [],
  views: ["core"],
  markdown: ["core"],
  hosts: ["core", "views", "markdown"],
  // The edges: each knows the core and at most the edge below it.
  journal: ["core"],
  process: ["core"],
  worktree: ["core", "process"],
  checks: ["core", "process", "worktree"],
  store: ["core", "journal", "views"],
  cost: ["core"],
  foreign: ["core", "process"],
  install: ["core", "journal"],
  // How agents are started and read from outside: descriptions, as pure as the core.
  drivers: ["core", "cost", "hosts"],
  rehearsal: ["core", "drivers", "journal", "process"],
  // What puts them together, and what people and agents touch.
  app: ["core", "views", "hosts", "journal", "process", "worktree", "checks", "store", "cost", "foreign"],
  run: ["core", "views", "hosts", "journal", "process", "worktree", "store", "cost", "drivers", "app"],
  demo: ["core", "app", "rehearsal", "run"],
  cli: [
    "core",
    "views",
    "hosts",
    "journal",
    "process",
    "drivers",
    "rehearsal",
    "app",
    "run",
    "demo",
    "install",
  ],
  hook: ["core", "hosts", "store", "app"],
};

/** Packages a folder may use, and whether it may reach outside the program at all. */
const MAY_REACH: {
  readonly [folder: string]: { readonly node: boolean; readonly packages: readonly string[] };
} = {
  core: { node: false, packages: [] },
  views: { node: false, packages: [] },
  markdown: { node: false, packages: ["micromark"] },
  hosts: { node: false, packages: [] },
  journal: { node: true, packages: ["valibot"] },
  process: { node: true, packages: [] },
  worktree: { node: true, packages: ["picomatch"] },
  checks: { node: true, packages: [] },
  store: { node: true, packages: ["valibot"] },
  cost: { node: true, packages: [] },
  foreign: { node: true, packages: [] },
  install: { node: true, packages: [] },
  drivers: { node: false, packages: [] },
  rehearsal: { node: true, packages: ["valibot"] },
  run: { node: true, packages: ["valibot"] },
  app: { node: true, packages: [] },
  demo: { node: true, packages: [] },
  cli: { node: true, packages: ["commander"] },
  hook: { node: true, packages: [] },
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const STATEMENT = /^(?:import|export)\b[^;]*?\bfrom\s*"([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

function importsOf(file: string, text: string): readonly Import[] {
  return [...text.matchAll(STATEMENT)].map((match) => ({
    file,
    target: match[1] ?? match[2] ?? match[3] ?? "",
  }));
}

/** One sentence a violation; none when the import is allowed. */
function violation({ file, target }: Import): string | null {
  const folder = file.split("/")[1] ?? "";
  if (target.startsWith("node:")) {
    return MAY_REACH[folder]?.node === true ? null : `${file} reaches ${target}`;
  }
  if (!target.startsWith(".")) {
    return MAY_REACH[folder]?.packages.includes(target) === true
      ? null
      : `${file} uses the package ${target}`;
  }
  const to = normalize(join(dirname(file), target)).split("/")[1] ?? "";
  if (to === folder || MAY_IMPORT[folder]?.includes(to) === true) return null;
  return `${file} imports ${to}/`;
}

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => join("src", path))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));

test("each folder imports only what it may", () => {
  const violations = sources.flatMap((file) =>
    importsOf(file, readFileSync(file, "utf8")).flatMap((each) => violation(each) ?? []),
  );
  expect(violations).toEqual([]);
});

test("every folder has a rule, and the rules name no folder that is gone", () => {
  const folders = [...new Set(sources.map((file) => file.split("/")[1]))].toSorted();
  expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(folders);
  expect(Object.keys(MAY_REACH).toSorted()).toEqual(folders);
});

test("the clock and chance stay out of the pure folders", () => {
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.(env|argv|cwd|pid)\b|\bperformance\./;
  const pure = sources.filter((file) => /^src\/(core|views|hosts|markdown|drivers)\//.test(file));
  expect(pure.length).toBeGreaterThan(20);
  expect(pure.filter((file) => impure.test(readFileSync(file, "utf8")))).toEqual([]);
});

test.each([
  [
    "src/core/planted.ts",
    'import { readFileSync } from "node:fs/promises";',
    "src/core/planted.ts reaches node:fs/promises",
  ],
  [
    "src/core/stop/planted.ts",
    'import { x } from "../../journal/append.ts";',
    "src/core/stop/planted.ts imports journal/",
  ],
  [
    "src/journal/planted.ts",
    'const x = await import("../store/project.ts");',
    "src/journal/planted.ts imports store/",
  ],
  ["src/hook/planted.ts", 'export { x } from "../cli/main.ts";', "src/hook/planted.ts imports cli/"],
  [
    "src/app/planted.ts",
    'import { Command } from "commander";',
    "src/app/planted.ts uses the package commander",
  ],
])("the fence bites: %s", (file, text, expected) => {
  expect(importsOf(file, text).map(violation)).toEqual([expected]);
});
