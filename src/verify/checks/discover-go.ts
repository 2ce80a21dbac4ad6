import type { ProjectFiles } from "./project-files.ts";
import { LINT_CLEAN, notInstalled, TESTS_PASS, type FoundCheck } from "./proposed-check.ts";
import type { Tools } from "./tools.ts";

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
