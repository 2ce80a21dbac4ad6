import { SCOPES, type Copy, type Surroundings } from "../../install/installer.ts";
import { readIfThere } from "../../install/settings-file.ts";
import { claudeFiles } from "./claude-files.ts";
import { enabledPlugin, hasHooksByHand, hasOurHooks, installedPlugin } from "./settings.ts";

/** Everything in Claude Code that would call our hooks. Ignores files that cannot be parsed. */
export function findCopies(around: Surroundings): readonly Copy[] {
  const files = claudeFiles(around);
  const settings = SCOPES.map((scope) => ({ scope, path: files.settings[scope] })).map((file) => ({
    ...file,
    text: understood(() => readIfThere(file.path)) ?? "{}",
  }));
  const plugin =
    understood(() => installedPlugin(readIfThere(files.installedPlugins) ?? "{}")) ??
    settings.map(({ text }) => understood(() => enabledPlugin(text))).find((each) => each !== null) ??
    null;
  return [
    ...(plugin === null
      ? []
      : [{ where: `the plugin ${plugin}`, removal: `claude plugin uninstall ${plugin}` }]),
    ...settings.flatMap(({ scope, path, text }): readonly Copy[] => {
      if (understood(() => hasOurHooks(text)) === true)
        return [{ where: path, removal: `loop uninstall claude-code --scope ${scope}` }];
      if (understood(() => hasHooksByHand(text)) === true)
        return [{ where: `${path}, written by hand`, removal: `edit ${path}` }];
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
