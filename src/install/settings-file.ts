import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { writeAtomically } from "../files/write-atomically.ts";
import { errnoOf } from "../files/errno.ts";

export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

/** The files of Claude Code that matter here. */
export interface ClaudeFiles {
  readonly settings: { readonly [S in Scope]: string };
  readonly installedPlugins: string;
}

export function claudeFiles(env: NodeJS.ProcessEnv, cwd: string): ClaudeFiles {
  const config = env["CLAUDE_CONFIG_DIR"];
  const folder =
    config === undefined || config === "" ? join(env["HOME"] ?? homedir(), ".claude") : resolve(cwd, config);
  const project = join(projectRoot(cwd), ".claude");
  return {
    settings: {
      user: join(folder, "settings.json"),
      project: join(project, "settings.json"),
      local: join(project, "settings.local.json"),
    },
    installedPlugins: join(folder, "plugins", "installed_plugins.json"),
  };
}

/** The root of the worktree, which is where the client is usually started. */
function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

/** null: there is no such file. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** Where a link leads is where it is written: settings are often kept elsewhere and linked. */
export function writeSettings(path: string, text: string): void {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    return writeAtomically(path, text, { durable: true });
  }
  const target = realpathSync(path);
  const mode = statSync(target).mode & 0o777;
  writeAtomically(target, text, { durable: true, mode });
  return chmodSync(target, mode);
}
