import { isDeepStrictEqual } from "node:util";
import { parse, type ParseError } from "jsonc-parser";
import { append, remove, wasEmpty, type Path } from "./json-text.ts";
import { closed, isBlank, opened } from "./made-text.ts";
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

/** The settings with one entry per event, as text; unchanged when they are already there. null: there is no file. */
export function withEntries(
  text: string | null,
  wanted: ReadonlyMap<string, object>,
  isOurs: IsOurs,
  parse: Parse = parseJson,
): string {
  if (text !== null && isInPlace(readHookSettings(text, parse), wanted, isOurs)) return text;
  let result = opened(text === null ? null : withoutEntries(text, isOurs, parse));
  for (const [event, entry] of wanted) {
    const { hooks } = readHookSettings(result, parse);
    const group = { hooks: [entry] };
    if (!hasKey(result, "hooks", parse)) result = append(result, [], "hooks", { [event]: [group] });
    else if (hooks[event] === undefined) result = append(result, ["hooks"], event, [group]);
    else result = append(result, ["hooks", event], null, group);
  }
  return result;
}

/** The settings without our entries, and without what was made for them; null: no file. */
export function withoutEntries(text: string, isOurs: IsOurs, parse: Parse = parseJson): string | null {
  let result = text;
  for (;;) {
    const path = pathOfOurs(result, readHookSettings(result, parse), isOurs);
    if (path === null) return result === text ? text : closed(result);
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

/** The largest element that contains one of our hooks and nothing else, and wasn't there before it. */
function pathOfOurs(text: string, { hooks }: HookSettings, isOurs: IsOurs): Path | null {
  for (const [event, groups] of Object.entries(hooks)) {
    for (const [index, group] of groups.entries()) {
      const at = group.hooks.findIndex(isOurs);
      if (at === -1) continue;
      if (group.hooks.length > 1) return ["hooks", event, index, "hooks", at];
      if (groups.length > 1 || wasEmpty(text, ["hooks", event])) return ["hooks", event, index];
      const isAlone = Object.keys(hooks).length === 1 && !wasEmpty(text, ["hooks"]);
      return isAlone ? ["hooks"] : ["hooks", event];
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
