import type {
  Installer,
  Surroundings,
  Planned,
  Program,
  Scope,
  SettingsChange,
} from "../../install/installer.ts";
import { SCOPES } from "../../install/installer.ts";
import { unfitProgram } from "../../install/program.ts";
import { SettingsError, sentenceFor } from "../../install/settings-error.ts";
import { readIfThere } from "../../install/settings-file.ts";
import type { ClaudeFiles } from "./claude-files.ts";
import { findCopies } from "./find-copies.ts";
import { claudeFiles } from "./claude-files.ts";
import {
  areHooksDisabled,
  enabledPlugin,
  hasHooksByHand,
  hasOurHooks,
  installedPlugin,
  withHooks,
  withoutHooks,
} from "./settings.ts";

export const claudeCodeInstaller: Installer = { id: "claude-code", planInstall, planUninstall, findCopies };

function planInstall(around: Surroundings, scope: Scope, program: Program): Planned {
  const files = claudeFiles(around);
  try {
    const why = unfitProgram(program) ?? secondCopy(files, scope);
    if (why !== null) return { type: "refused", why };
    const changes = changed(files, scope, (text) => withHooks(text, program));
    return { type: "changes", changes, notices: noticesFor(files, scope) };
  } catch (error) {
    return refusalOf(error);
  }
}

function planUninstall(around: Surroundings, scope: Scope | null): Planned {
  const files = claudeFiles(around);
  try {
    const scopes = scope === null ? SCOPES : [scope];
    return {
      type: "changes",
      changes: scopes.flatMap((each) => changed(files, each, withoutHooks)),
      notices: [],
    };
  } catch (error) {
    return refusalOf(error);
  }
}

function changed(
  files: ClaudeFiles,
  scope: Scope,
  edit: (text: string) => string,
): readonly SettingsChange[] {
  const path = files.settings[scope];
  const before = readIfThere(path);
  const after = inFile(path, () => edit(before ?? ""));
  return after === (before ?? "") ? [] : [{ path, scope, before, after }];
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

function inFile<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(`${path} cannot be edited: ${error.message}; fix it, then try again.`, {
      cause: error,
    });
  }
}

function refusalOf(error: unknown): Planned {
  return { type: "refused", why: sentenceFor(error) };
}
