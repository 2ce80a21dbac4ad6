import type { ProjectFiles } from "./project-files.ts";
import { LINT_CLEAN, TESTS_PASS, type ProposedCheck } from "./proposed-check.ts";

export async function discoverGo(files: ProjectFiles): Promise<readonly ProposedCheck[]> {
  const manifest = await files.read("go.mod");
  if (manifest === null || !/^\s*module\s+\S/m.test(manifest)) return [];
  return [
    { name: TESTS_PASS, command: "go test ./...", source: "go.mod" },
    { name: LINT_CLEAN, command: "go vet ./...", source: "go.mod" },
  ];
}
