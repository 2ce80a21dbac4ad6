import type {
  Installer,
  Surroundings,
  Planned,
  Program,
  Scope,
  SettingsChange,
  Copy,
  Extras,
} from "../../install/installer.ts";
import { SCOPES, unfitProgram, projectRoot } from "../../install/installer.ts";
import { inFile, sentenceFor, readIfThere } from "../../install/settings-file.ts";
import {
  areHooksDisabled,
  enabledPlugin,
  hasHooksByHand,
  hasOurHooks,
  installedPlugin,
  isPluginDisabled,
  pluginFolder,
  startedIn,
  withHooks,
  withoutHooks,
} from "./settings.ts";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export const claudeCodeInstaller: Installer = {
  id: "claude-code",
  offersMcp: false,
  mcpByHand: () => ["# Claude Code", "claude mcp add loop -- loop mcp"],
  planInstall,
  planUninstall,
  findCopies,
};

function planInstall(around: Surroundings, scope: Scope, program: Program, extras?: Extras): Planned {
  if (extras?.mcp === true)
    return {
      type: "refused",
      why: "Claude Code's shell can run loop; for tools as well: claude mcp add loop -- loop mcp",
    };
  const files = claudeFiles(around);
  try {
    const why = unfitProgram(program) ?? secondCopy(files, scope);
    if (why !== null) return { type: "refused", why };
    const changes = changed(files, scope, (text) => withHooks(text, program));
    return planned(changes, noticesFor(files, scope));
  } catch (error) {
    return refusalOf(error);
  }
}

function planUninstall(around: Surroundings, scope: Scope | null): Planned {
  const files = claudeFiles(around);
  try {
    // In the user's home, their own settings are the project's, too.
    const scopes = (scope === null ? SCOPES : [scope]).filter(
      (each) => each === scope || each === "user" || files.settings[each] !== files.settings.user,
    );
    const changes = scopes.flatMap((each) =>
      changed(files, each, (text) => (text === null ? null : withoutHooks(text))),
    );
    return planned(changes, []);
  } catch (error) {
    return refusalOf(error);
  }
}

function planned(changes: readonly SettingsChange[], notices: readonly string[]): Planned {
  const parts = changes.length === 0 ? [] : (["hooks"] as const);
  return { type: "changes", changes, parts, notices, afterwards: [] };
}

function changed(
  files: ClaudeFiles,
  scope: Scope,
  edit: (text: string | null) => string | null,
): readonly SettingsChange[] {
  const path = files.settings[scope];
  const before = readIfThere(path);
  const after = inFile(path, () => edit(before));
  return after === before ? [] : [{ path, scope, before, after }];
}

/** Two copies would decide each stop twice. */
function secondCopy(files: ClaudeFiles, scope: Scope): string | null {
  const listed = readIfThere(files.installedPlugins);
  const installed = listed === null ? null : installedPlugin(listed);
  if (installed !== null) return besidePlugin(installed);
  for (const each of SCOPES) {
    const path = files.settings[each];
    const text = readIfThere(path);
    if (text === null) continue;
    const why = inFile(path, () => {
      const plugin = enabledPlugin(text);
      if (plugin !== null) return besidePlugin(plugin);
      if (hasHooksByHand(text)) return `${path} has a hand-written loop hook; remove it, then try again.`;
      return each !== scope && hasOurHooks(text)
        ? `${path} already has loop's hooks; to move them, first run: loop uninstall claude-code --scope ${each}`
        : null;
    });
    if (why !== null) return why;
  }
  return null;
}

function besidePlugin(name: string): string {
  return `The plugin ${name} is installed and has the same hooks; to use the settings instead, first run: claude plugin uninstall ${name}`;
}

function noticesFor(files: ClaudeFiles, scope: Scope): readonly string[] {
  const notices = SCOPES.flatMap((each) => {
    const text = readIfThere(files.settings[each]);
    return text !== null && inFile(files.settings[each], () => areHooksDisabled(text))
      ? [`${files.settings[each]} sets disableAllHooks, so Claude Code won't call the hooks.`]
      : [];
  });
  if (scope !== "project") return notices;
  return [
    ...notices,
    "This file is usually shared, but these paths belong to this machine; use --scope local to keep them private.",
  ];
}

function refusalOf(error: unknown): Planned {
  return { type: "refused", why: sentenceFor(error) };
}

/** The files of Claude Code that matter here. */
interface ClaudeFiles {
  readonly settings: { readonly [S in Scope]: string };
  readonly installedPlugins: string;
}

function claudeFiles({ env, cwd }: Surroundings): ClaudeFiles {
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

const UNKNOWN = { hook: null, node: null } as const;

/** Everything in Claude Code that would call our hooks. Ignores files that cannot be parsed. */
function findCopies(around: Surroundings): readonly Copy[] {
  const files = claudeFiles(around);
  const settings = SCOPES.map((scope) => ({ scope, path: files.settings[scope] })).map((file) => ({
    ...file,
    text: understood(() => readIfThere(file.path)) ?? "{}",
  }));
  const plugin =
    understood(() => installedPlugin(readIfThere(files.installedPlugins) ?? "{}")) ??
    settings.map(({ text }) => understood(() => enabledPlugin(text))).find((each) => each !== null) ??
    null;
  const silencing = (isSo: (text: string) => boolean): string | null =>
    settings.find(({ text }) => understood(() => isSo(text)) === true)?.path ?? null;
  const silencedBy = silencing(areHooksDisabled);
  const folder = understood(() => pluginFolder(readIfThere(files.installedPlugins) ?? "{}"));
  return [
    ...(plugin === null
      ? []
      : [
          {
            where: `the plugin ${plugin}`,
            removal: `claude plugin uninstall ${plugin}`,
            // It starts whatever `node` is on the PATH.
            ...UNKNOWN,
            hook: folder === null ? null : join(folder, "dist", "hook.js"),
            silencedBy: silencedBy ?? silencing(isPluginDisabled),
          },
        ]),
    ...settings.flatMap(({ scope, path, text }): readonly Copy[] => {
      if (understood(() => hasOurHooks(text)) === true)
        return [
          {
            where: path,
            removal: `loop uninstall claude-code --scope ${scope}`,
            ...(understood(() => startedIn(text)) ?? UNKNOWN),
            silencedBy,
          },
        ];
      if (understood(() => hasHooksByHand(text)) === true)
        return [{ where: `${path}, written by hand`, removal: `edit ${path}`, ...UNKNOWN, silencedBy }];
      return [];
    }),
  ];
}

function understood<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
