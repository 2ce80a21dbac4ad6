import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Runner } from "../task.ts";
import { copyVitest } from "./vitest-modules.ts";
import { pytestFolder } from "./pytest-environment.ts";

const CLI = resolve("dist/cli.js");

/** What all plays share: a folder for their projects, and the runners. */
export interface Workspace {
  readonly folder: string;
  /** In which a play finds `loop`, the runner and the system's own programs, and nothing else. */
  readonly path: (runner: Runner) => string;
  /** Modules that are linked into a project, one by one. */
  readonly modules: (runner: Runner) => string | null;
  /** Runners that this machine does not have, and that could not be installed. */
  readonly missing: ReadonlySet<Runner>;
  readonly close: () => void;
}

export async function openWorkspace(
  runners: ReadonlySet<Runner>,
  tell: (line: string) => void,
): Promise<Workspace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-arena-")));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "loop"), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 });
  const vitest = runners.has("vitest") ? copyVitest(join(folder, "vitest")) : null;
  const python = runners.has("pytest") ? await pytestFolder(tell) : null;
  const own = [bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"];
  return {
    folder,
    path: (runner) => [...(runner === "pytest" && python !== null ? [python] : []), ...own].join(delimiter),
    modules: (runner) => (runner === "vitest" ? vitest : null),
    missing: new Set<Runner>(runners.has("pytest") && python === null ? ["pytest"] : []),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
