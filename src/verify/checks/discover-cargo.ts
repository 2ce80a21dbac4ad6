import { hasSection } from "./ini-section.ts";
import type { ProjectFiles } from "./project-files.ts";
import { FORMAT_CLEAN, LINT_CLEAN, notInstalled, TESTS_PASS, type FoundCheck } from "./proposed-check.ts";
import type { Tools } from "./tools.ts";

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
