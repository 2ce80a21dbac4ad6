import type { ProjectFiles } from "./project-files.ts";
import { FORMAT_CLEAN, LINT_CLEAN, TESTS_PASS, type ProposedCheck } from "./proposed-check.ts";
import { hasSection } from "./ini-section.ts";

export async function discoverCargo(files: ProjectFiles): Promise<readonly ProposedCheck[]> {
  const manifest = await files.read("Cargo.toml");
  const workspace = hasSection(manifest, "workspace");
  if (!workspace && !hasSection(manifest, "package")) return [];
  const scope = workspace ? " --workspace" : "";
  const checks = [{ name: TESTS_PASS, command: `cargo test${scope}`, source: "Cargo.toml" }];

  // Clippy and rustfmt may not be installed; a project that configures them uses them.
  const lints = ["lints.clippy", "workspace.lints.clippy"].some((section) => hasSection(manifest, section));
  const clippyFile = await firstOf(files, ["clippy.toml", ".clippy.toml"]);
  if (lints || clippyFile !== null) {
    const command = `cargo clippy${scope} --all-targets -- -D warnings`;
    checks.push({ name: LINT_CLEAN, command, source: clippyFile ?? "Cargo.toml [lints.clippy]" });
  }
  const formatFile = await firstOf(files, ["rustfmt.toml", ".rustfmt.toml"]);
  if (formatFile !== null) {
    checks.push({ name: FORMAT_CLEAN, command: "cargo fmt --all --check", source: formatFile });
  }
  return checks;
}

async function firstOf(files: ProjectFiles, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await files.has(name)) return name;
  return null;
}
