import { isDeepStrictEqual } from "node:util";
import { parse, type ParseError } from "jsonc-parser";
import { append, remove, type Path } from "./json-text.ts";
import { SettingsError } from "./settings-file.ts";

/** The settings format several hosts share: `hooks`, an event, its groups, and in each the `hooks` to call. */
export interface HookSettings {
  readonly [key: string]: unknown;
  readonly hooks: { readonly [event: string]: readonly { readonly hooks: readonly unknown[] }[] };
}

/** Whether any version of Loopwright wrote an entry. */
type IsOurs = (entry: unknown) => boolean;

/** As the host reads it. Throws what it cannot read. */
type Parse = (text: string) => unknown;

/** A file that begins with this was made by us, and goes when nothing else is in it: nobody ends a file with two empty lines. */
export const NEW_FILE = "{}\n\n\n";

/** The settings with one entry per event, as text; unchanged when they are already there. */
export function withEntries(
  text: string,
  wanted: ReadonlyMap<string, object>,
  isOurs: IsOurs,
  parse: Parse = parseJson,
): string {
  if (isInPlace(readHookSettings(text, parse), wanted, isOurs)) return text;
  let result = withoutEntries(isBlank(text) ? "{}\n" : text, isOurs, parse);
  for (const [event, entry] of wanted) {
    const { hooks } = readHookSettings(result, parse);
    const group = { hooks: [entry] };
    if (!hasKey(result, "hooks", parse)) result = append(result, [], "hooks", { [event]: [group] });
    else if (hooks[event] === undefined) result = append(result, ["hooks"], event, [group]);
    else result = append(result, ["hooks", event], null, group);
  }
  return result;
}

/** The settings without our entries, and without what that leaves empty. */
export function withoutEntries(text: string, isOurs: IsOurs, parse: Parse = parseJson): string {
  let result = text;
  for (;;) {
    const path = pathOfOurs(readHookSettings(result, parse), isOurs);
    if (path === null) return result;
    result = remove(result, path);
  }
}

export function entriesIn(text: string, parse: Parse = parseJson): readonly unknown[] {
  return entriesOf(readHookSettings(text, parse)).map(({ entry }) => entry);
}

export function readHookSettings(text: string, parse: Parse = parseJson): HookSettings {
  if (isBlank(text)) return { hooks: {} };
  let settings: unknown;
  try {
    settings = parse(text);
  } catch (error) {
    throw new SettingsError("it is not valid JSON", { cause: error });
  }
  if (!isObject(settings)) throw new SettingsError("it is not a JSON object");
  const { hooks = {} } = settings;
  if (!isObject(hooks)) throw new SettingsError('its "hooks" is not an object');
  for (const [event, groups] of Object.entries(hooks)) {
    const isFine =
      Array.isArray(groups) && groups.every((group) => isObject(group) && Array.isArray(group["hooks"]));
    if (!isFine) throw new SettingsError(`its "hooks" has something other than hooks at "${event}"`);
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

/** The largest element that contains one of our hooks and nothing else. */
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

function hasKey(text: string, key: string, parse: Parse): boolean {
  return Object.hasOwn(parse(text) as object, key);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Some editors start a file with a byte order mark, which hosts accept. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

/** For hosts that accept comments in their settings. */
export function parseWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors);
  if (errors.length > 0) throw new Error("not JSON");
  return value;
}
