import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Surroundings, Scope } from "../../install/installer.ts";
import { projectRoot } from "../../install/project-root.ts";

/** The files of Claude Code that matter here. */
export interface ClaudeFiles {
  readonly settings: { readonly [S in Scope]: string };
  readonly installedPlugins: string;
}

export function claudeFiles({ env, cwd }: Surroundings): ClaudeFiles {
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
