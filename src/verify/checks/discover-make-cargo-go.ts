import { calledPrograms, mendsFiles } from "../definitions/shell/simple-commands.ts";
import type { ProjectFiles, FoundCheck, Tools } from "./found-check.ts";
import {
  BUILD_SUCCEEDS,
  LINT_CLEAN,
  notInstalled,
  PROJECT_CHECK_PASSES,
  TESTS_PASS,
  hasSection,
  FORMAT_CLEAN,
} from "./found-check.ts";

/** In the order make looks for them. */
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

const TARGETS: readonly (readonly [target: string, name: string])[] = [
  ["test", TESTS_PASS],
  ["lint", LINT_CLEAN],
  ["build", BUILD_SUCCEEDS],
  ["check", PROJECT_CHECK_PASSES],
];

export async function discoverMake(files: ProjectFiles, tools: Tools): Promise<readonly FoundCheck[]> {
  for (const file of MAKEFILES) {
    const text = await files.read(file);
    if (text === null) continue;
    const recipes = recipesOf(text);
    const hasOwnPath = /^\s*(?:export\s+)?PATH\s*[:?+]?=/m.test(text);
    return TARGETS.flatMap(([target, name]): FoundCheck[] => {
      const recipe = recipes.get(target);
      if (recipe === undefined || recipe.some(mendsFiles)) return [];
      const source = `${file} target ${target}`;
      const programs = ["make", ...(hasOwnPath ? [] : recipe.flatMap(plainPrograms))];
      const missing = programs.find((program) => tools.onPath(program) === null);
      const obstacle = missing === undefined ? null : notInstalled(source, missing);
      return [{ name, command: `make ${target}`, source, obstacle }];
    });
  }
  return [];
}

/** By their targets, the lines of all recipes. */
function recipesOf(text: string): ReadonlyMap<string, readonly string[]> {
  const recipes = new Map<string, string[]>();
  let targets: readonly string[] = [];
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    if (line.startsWith("\t")) {
      for (const target of targets) recipes.get(target)?.push(line.trim().replace(/^[@+-]+/, ""));
      continue;
    }
    // `name := value` and `name ::= value` are variables.
    const rule = /^([^\s:=#][^:=#]*)::?(?![:=])/.exec(line);
    if (rule === null) continue;
    targets = rule[1]?.trim().split(/\s+/) ?? [];
    for (const target of targets) recipes.set(target, recipes.get(target) ?? []);
  }
  return recipes;
}

/** Not those by a path: make may build them first. */
function plainPrograms(line: string): readonly string[] {
  if (line.includes("$")) return [];
  return calledPrograms(line).flatMap(([program]) => (program.includes("/") ? [] : [program]));
}

export async function discoverCargo(files: ProjectFiles, tools: Tools): Promise<readonly FoundCheck[]> {
  const manifest = await files.read("Cargo.toml");
  const workspace = hasSection(manifest, "workspace");
  if (!workspace && !hasSection(manifest, "package")) return [];
  const scope = workspace ? " --workspace" : "";
  const needing = (
    source: string,
    ...programs: readonly string[]
  ): Pick<FoundCheck, "source" | "obstacle"> => {
    const missing = programs.find((program) => tools.onPath(program) === null);
    return { source, obstacle: missing === undefined ? null : notInstalled(source, missing) };
  };
  const checks: FoundCheck[] = [
    { name: TESTS_PASS, command: `cargo test${scope}`, ...needing("Cargo.toml", "cargo") },
  ];

  // Clippy and rustfmt are not for every project; who configures them uses them.
  const lints = ["lints.clippy", "workspace.lints.clippy"].some((section) => hasSection(manifest, section));
  const clippyFile = await firstOf(files, ["clippy.toml", ".clippy.toml"]);
  if (lints || clippyFile !== null) {
    const command = `cargo clippy${scope} --all-targets -- -D warnings`;
    const source = clippyFile ?? "Cargo.toml [lints.clippy]";
    checks.push({ name: LINT_CLEAN, command, ...needing(source, "cargo", "cargo-clippy") });
  }
  const formatFile = await firstOf(files, ["rustfmt.toml", ".rustfmt.toml"]);
  if (formatFile !== null) {
    const command = "cargo fmt --all --check";
    checks.push({ name: FORMAT_CLEAN, command, ...needing(formatFile, "cargo", "cargo-fmt") });
  }
  return checks;
}

async function firstOf(files: ProjectFiles, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await files.has(name)) return name;
  return null;
}

export async function discoverGo(files: ProjectFiles, tools: Tools): Promise<readonly FoundCheck[]> {
  const source = "go.mod";
  const manifest = await files.read(source);
  if (manifest === null || !/^\s*module\s+\S/m.test(manifest)) return [];
  const obstacle = tools.onPath("go") === null ? notInstalled(source, "go") : null;
  return [
    { name: TESTS_PASS, command: "go test ./...", source, obstacle },
    { name: LINT_CLEAN, command: "go vet ./...", source, obstacle },
  ];
}
