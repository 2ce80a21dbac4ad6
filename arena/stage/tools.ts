import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tools } from "../ecosystems/ecosystem.ts";
import { installed } from "./npm-packages.ts";
import { start } from "./process.ts";
import { pytestFolder } from "./pytest-environment.ts";
import { copyVitest } from "./vitest-modules.ts";

/** What a play of an ecosystem finds beside its project. */
export interface Provided {
  /** Before the system's own, on the PATH. */
  readonly folders: readonly string[];
  /** Modules that are copied into a project. */
  readonly modules: string | null;
}

export const SYSTEM: readonly string[] = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"];

/** The tools, or a sentence that says what is missing. */
export async function provide(
  { probe, folder, packages, comesWith }: Tools,
  workspace: string,
  tell: (line: string) => void,
): Promise<Provided | string> {
  if (comesWith === "pytest") {
    const python = await pytestFolder(tell);
    return python === null ? "pytest cannot be installed here" : { folders: [python], modules: null };
  }
  const folders = folder === undefined ? [] : [(await shell(folder, process.env, workspace)).out.trim()];
  const PATH = [...folders, ...SYSTEM].join(":");
  const home = mkdtempSync(join(workspace, "probe-"));
  const { code } = await shell(probe, { PATH, HOME: home }, workspace);
  if (code !== 0) return `\`${probe}\` does not succeed here`;
  if (comesWith === "vitest") return { folders, modules: copyVitest(join(workspace, "vitest")) };
  if (packages === undefined) return { folders, modules: null };
  const modules = await installed(packages, tell);
  return modules === null ? `npm cannot install ${packages.join(", ")} here` : { folders, modules };
}

const shell = (line: string, env: NodeJS.ProcessEnv, cwd: string): ReturnType<typeof start> =>
  start(["/bin/sh", "-c", line], { cwd, env });
