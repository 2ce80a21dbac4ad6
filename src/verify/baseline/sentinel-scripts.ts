import { randomInt } from "node:crypto";
import { languageOf } from "../definitions/injecting/injected.ts";
import type { ComparedCheck } from "./compare.ts";
import { listKept, type Place, type Listing } from "./kept-files.ts";
import type { ReplacedFile } from "./replacements.ts";
import { namedFiles } from "../definitions/named-files.ts";
import { nameOf } from "../definitions/project-files.ts";
import { begun, ended, type Language, type Sentinels } from "../definitions/injecting/language.ts";
import type { Marker } from "../definitions/injecting/marks.ts";
import { readFileNow } from "./injected-files.ts";

/** What a script prints where it begins, and where it ends by itself. */
interface ScriptSentinels {
  readonly begun: string;
  readonly ended: string;
}

/** A check's scripts, marked: they say where they begin and end. */
export interface SentinelScripts {
  readonly files: readonly ReplacedFile[];
  /** In the order in which they end; never empty. */
  readonly scripts: readonly ScriptSentinels[];
  /** What ends last fails there. If that cannot be marked, nothing fails. */
  readonly failing: ScriptSentinels | null;
}

const MOST_LOADED = 60;
const LARGEST_NONCE = 10 ** 12;

export function freshSentinels(fails: boolean): Sentinels {
  return { nonce: String(randomInt(LARGEST_NONCE)).padStart(12, "0"), fails };
}

export function printedBy(marks: Sentinels): ScriptSentinels {
  return { begun: begun(marks), ended: ended(marks) };
}

/** null if it has no script whose end is known. */
export async function sentinelScripts(
  place: Place,
  check: ComparedCheck,
  now: Listing,
): Promise<SentinelScripts | null> {
  const files = new Map<string, ReplacedFile>();
  const scripts: ScriptSentinels[] = [];
  let failing: ScriptSentinels | null = null;
  for (const path of check.scripts.toReversed()) {
    const marks = freshSentinels(path === check.lastScript);
    const marked = await sentinelScript({ place, check, now, path, marks });
    // What two scripts load can be marked for one of them.
    if (marked === null || marked.some((each) => files.has(each.path))) continue;
    for (const each of marked) files.set(each.path, each);
    const printed = printedBy(marks);
    scripts.unshift(printed);
    if (marks.fails) failing = printed;
  }
  return scripts.length === 0 ? null : { files: [...files.values()], scripts, failing };
}

/** A check's scripts, comparing with other values than they should. */
export async function wrongScripts(
  { root }: Place,
  { scripts }: ComparedCheck,
  marker: Omit<Marker, "file">,
): Promise<readonly ReplacedFile[]> {
  const replaced: ReplacedFile[] = [];
  for (const [file, path] of scripts.entries()) {
    const now = await readFileNow(root, path);
    const language = now === null ? null : languageOf(path, now.text);
    if (now === null || language === null) continue;
    const text = language.wrongValues({ path, text: now.text }, { ...marker, file });
    replaced.push({ path, mode: now.mode, content: Buffer.from(text) });
  }
  return replaced;
}

interface Marking {
  readonly place: Place;
  readonly check: ComparedCheck;
  readonly now: Listing;
  readonly path: string;
  readonly marks: Sentinels;
}

/** The script and what it loads; null if its end isn't known. */
async function sentinelScript(marking: Marking): Promise<readonly ReplacedFile[] | null> {
  const { place, path, marks } = marking;
  const file = await readFileNow(place.root, path);
  const language = file === null ? null : languageOf(path, file.text);
  if (file === null || language === null) return null;
  const text = language.script(file.text, marks);
  const loaded = text === null ? null : await markedLoads(marking, file.text, language);
  if (text === null || loaded === null) return null;
  return [{ path, mode: file.mode, content: Buffer.from(text) }, ...loaded];
}

/**
 * A harness may end the process for the script. One that is as it was at the opening, or that defines the check, is trusted to
 * do so; the work is not.
 */
async function markedLoads(
  { place, check, now, path: script, marks }: Marking,
  text: string,
  language: Language,
): Promise<readonly ReplacedFile[] | null> {
  const { listing: then } = await listKept(place, check.baseline.kept);
  const defining = new Set(check.definitions.map(({ path }) => path));
  const has = new Set([...now.keys()].filter((path) => language.file.test(path)));
  const found = new Set([script]);
  const waiting = [{ path: script, text }];
  const marked: ReplacedFile[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const path of loadedBy(next, has)) {
      if (found.has(path) || found.size > MOST_LOADED) continue;
      found.add(path);
      const file = await readFileNow(place.root, path);
      if (file === null) continue;
      waiting.push({ path, text: file.text });
      const isTrusted = then.get(path) === now.get(path) || defining.has(path);
      if (!isTrusted) continue;
      if (language.endsUnmarked(file.text)) return null;
      const own = language.loaded(file.text, marks);
      if (own !== null) marked.push({ path, mode: file.mode, content: Buffer.from(own) });
    }
  }
  return marked;
}

function loadedBy(
  file: { readonly path: string; readonly text: string },
  has: ReadonlySet<string>,
): ReadonlySet<string> {
  const named = namedFiles({ ...file, folders: [] }, has);
  if (!file.path.endsWith(".sh")) return named;
  // `. "$(dirname "$0")/lib.sh"`: shells build paths, so the name has to do.
  const words = new Set(file.text.match(/[\w.-]+\.(?:sh|bash|zsh)\b/g));
  return new Set([...named, ...[...has].filter((path) => words.has(nameOf(path)) && path !== file.path)]);
}
