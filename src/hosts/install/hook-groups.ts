import { isDeepStrictEqual } from "node:util";
import type { Path } from "./json-text.ts";
import { append, remove } from "./json-text.ts";
import { SettingsError } from "./settings-error.ts";

/** Settings as several hosts have them: `hooks`, an event, groups of it, and in each the `hooks` to call. */
export interface HookSettings {
  readonly [key: string]: unknown;
  readonly hooks: { readonly [event: string]: readonly { readonly hooks: readonly unknown[] }[] };
}

/** Whether any version of us wrote an entry. */
type IsOurs = (entry: unknown) => boolean;

/** The settings with one entry at each event, as text; the same text when they are there already. */
export function withEntries(text: string, wanted: ReadonlyMap<string, object>, isOurs: IsOurs): string {
  if (isInPlace(readHookSettings(text), wanted, isOurs)) return text;
  let result = withoutEntries(isBlank(text) ? "{}\n" : text, isOurs);
  for (const [event, entry] of wanted) {
    const { hooks } = readHookSettings(result);
    const group = { hooks: [entry] };
    if (!hasKey(result, "hooks")) result = append(result, [], "hooks", { [event]: [group] });
    else if (hooks[event] === undefined) result = append(result, ["hooks"], event, [group]);
    else result = append(result, ["hooks", event], null, group);
  }
  return result;
}

/** The settings without any entry of ours, and without what is empty then. */
export function withoutEntries(text: string, isOurs: IsOurs): string {
  let result = text;
  for (;;) {
    const path = pathOfOurs(readHookSettings(result), isOurs);
    if (path === null) return result;
    result = remove(result, path);
  }
}

export function entriesIn(text: string): readonly unknown[] {
  return entriesOf(readHookSettings(text)).map(({ entry }) => entry);
}

export function readHookSettings(text: string): HookSettings {
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
  return { ...settings, hooks: hooks as HookSettings["hooks"] };
}

function isInPlace(settings: HookSettings, wanted: ReadonlyMap<string, object>, isOurs: IsOurs): boolean {
  const ours = entriesOf(settings).filter(({ entry }) => isOurs(entry));
  return (
    ours.length === wanted.size &&
    ours.every(({ event, entry }) => isDeepStrictEqual(entry, wanted.get(event)))
  );
}

function entriesOf(settings: HookSettings): readonly { readonly event: string; readonly entry: unknown }[] {
  return Object.entries(settings.hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map((entry) => ({ event, entry }))),
  );
}

/** The largest thing that holds one hook of ours and nothing else. */
function pathOfOurs({ hooks }: HookSettings, isOurs: IsOurs): Path | null {
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

function hasKey(text: string, key: string): boolean {
  return Object.hasOwn(parseJson(text) as object, key);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Editors of some systems put a byte order mark first, which hosts forgive. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}
