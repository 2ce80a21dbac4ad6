import { isDeepStrictEqual } from "node:util";
import type { Program } from "../../install/installer.ts";
import type { Path } from "../../install/json-text.ts";
import { append, remove } from "../../install/json-text.ts";
import { SettingsError } from "../../install/settings-error.ts";
import type { HookEntry } from "./hook-entries.ts";
import { hookEntries, isOurs, isOursByHand } from "./hook-entries.ts";

interface Settings {
  readonly [key: string]: unknown;
  readonly hooks: { readonly [event: string]: readonly Group[] };
}

interface Group {
  readonly hooks: readonly unknown[];
}

/** The settings with our hooks in them, as text; the same text when they are there already. */
export function withHooks(text: string, program: Program): string {
  const wanted = hookEntries(program);
  if (isInPlace(readSettings(text), wanted)) return text;
  let result = withoutHooks(isBlank(text) ? "{}\n" : text);
  for (const [event, entry] of wanted) {
    const { hooks } = readSettings(result);
    const group = { hooks: [entry] };
    if (!hasKey(result, "hooks")) result = append(result, [], "hooks", { [event]: [group] });
    else if (hooks[event] === undefined) result = append(result, ["hooks"], event, [group]);
    else result = append(result, ["hooks", event], null, group);
  }
  return result;
}

/** The settings without any hook of ours, and without what is empty then. */
export function withoutHooks(text: string): string {
  let result = text;
  for (;;) {
    const path = pathOfOurs(readSettings(result));
    if (path === null) return result;
    result = remove(result, path);
  }
}

export function hasOurHooks(text: string): boolean {
  return pathOfOurs(readSettings(text)) !== null;
}

export function hasHooksByHand(text: string): boolean {
  return entriesOf(readSettings(text)).some(({ entry }) => isOursByHand(entry));
}

/** The name of an enabled plugin of ours, such as `loop@loopwright`. */
export function enabledPlugin(text: string): string | null {
  const { enabledPlugins } = readSettings(text);
  if (typeof enabledPlugins !== "object" || enabledPlugins === null) return null;
  const found = Object.entries(enabledPlugins).find(([name, on]) => isOurPlugin(name) && on !== false);
  return found?.[0] ?? null;
}

/** The same from the client's own list of what is installed, whose form may change: what is strange is not there. */
export function installedPlugin(text: string): string | null {
  try {
    const { plugins } = parseJson(text) as { plugins?: unknown };
    return Object.keys(plugins ?? {}).find(isOurPlugin) ?? null;
  } catch {
    return null;
  }
}

export function areHooksDisabled(text: string): boolean {
  return readSettings(text)["disableAllHooks"] === true;
}

function isOurPlugin(name: string): boolean {
  return name.startsWith("loop@");
}

function isInPlace(settings: Settings, wanted: ReadonlyMap<string, HookEntry>): boolean {
  const ours = entriesOf(settings).filter(({ entry }) => isOurs(entry));
  return (
    ours.length === wanted.size &&
    ours.every(({ event, entry }) => isDeepStrictEqual(entry, wanted.get(event)))
  );
}

function entriesOf(settings: Settings): readonly { readonly event: string; readonly entry: unknown }[] {
  return Object.entries(settings.hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map((entry) => ({ event, entry }))),
  );
}

/** The largest thing that holds one hook of ours and nothing else. */
function pathOfOurs({ hooks }: Settings): Path | null {
  for (const [event, groups] of Object.entries(hooks)) {
    for (const [index, group] of groups.entries()) {
      const at = group.hooks.findIndex(isOurs);
      if (at === -1) continue;
      if (group.hooks.length > 1) return ["hooks", event, index, "hooks", at];
      if (groups.length > 1) return ["hooks", event, index];
      return Object.keys(hooks).length > 1 ? ["hooks", event] : ["hooks"];
    }
  }
  return null;
}

function readSettings(text: string): Settings {
  if (isBlank(text)) return { hooks: {} };
  let settings: unknown;
  try {
    settings = parseJson(text);
  } catch (error) {
    throw new SettingsError("it is not valid JSON", { cause: error });
  }
  if (!isObject(settings)) throw new SettingsError("it is not a JSON object");
  const { hooks = {} } = settings;
  if (!isObject(hooks)) throw new SettingsError('its "hooks" is not an object');
  for (const [event, groups] of Object.entries(hooks)) {
    const isFine =
      Array.isArray(groups) && groups.every((group) => isObject(group) && Array.isArray(group["hooks"]));
    if (!isFine) throw new SettingsError(`its "hooks" has something else than hooks at "${event}"`);
  }
  return { ...settings, hooks: hooks as Settings["hooks"] };
}

function hasKey(text: string, key: string): boolean {
  return Object.hasOwn(parseJson(text) as object, key);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Editors of some systems put a byte order mark first, which the client forgives. */
function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}
