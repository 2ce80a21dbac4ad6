import {
  entriesIn,
  parseJson,
  readHookSettings,
  withEntries,
  withoutEntries,
} from "../../install/hook-groups.ts";
import type { Program } from "../../install/installer.ts";
import { hookEntries, isOurs, isOursByHand } from "./hook-entries.ts";

/** The settings with our hooks, as text; unchanged when the hooks are already there. */
export function withHooks(text: string, program: Program): string {
  return withEntries(text, hookEntries(program), isOurs);
}

/** The settings without our hooks, and without what that leaves empty. */
export function withoutHooks(text: string): string {
  return withoutEntries(text, isOurs);
}

export function hasOurHooks(text: string): boolean {
  return entriesIn(text).some(isOurs);
}

export function hasHooksByHand(text: string): boolean {
  return entriesIn(text).some(isOursByHand);
}

/** The name of our plugin if it is enabled, such as `loop@loopwright`. */
export function enabledPlugin(text: string): string | null {
  const { enabledPlugins } = readHookSettings(text);
  if (typeof enabledPlugins !== "object" || enabledPlugins === null) return null;
  const found = Object.entries(enabledPlugins).find(([name, on]) => isOurPlugin(name) && on !== false);
  return found?.[0] ?? null;
}

/** The same from the client's list of installed plugins. Its format may change, so unknown forms count as absent. */
export function installedPlugin(text: string): string | null {
  try {
    const { plugins } = parseJson(text) as { plugins?: unknown };
    return Object.keys(plugins ?? {}).find(isOurPlugin) ?? null;
  } catch {
    return null;
  }
}

export function areHooksDisabled(text: string): boolean {
  return readHookSettings(text)["disableAllHooks"] === true;
}

function isOurPlugin(name: string): boolean {
  return name.startsWith("loop@");
}
