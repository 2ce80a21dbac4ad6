import { isCode } from "../definitions/test-files.ts";
import { readKept } from "./kept-files.ts";
import { codeLines, newWords, type MentionOptions } from "./runner-mentions.ts";

const LONGEST_TEXT = 256 * 1024;

/** What judges defines for itself: macros that fail, variables of a whole C program, classes. */
const OWN_MACRO =
  /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w{2,})\((?=(?:[^\n]|\\\n){0,300}?(?:fail|abort|exit|print|assert|error|\+\+))/gim;
/** What `assert` does in C is the same for all files that include such a one. */
const OWN_ASSERT = /^[ \t]*#[ \t]*define[ \t]+(?:assert(?=\()|NDEBUG\b)/gm;
const OWN_VARIABLE =
  /^(?:volatile[ \t]+)?(?:unsigned[ \t]+)?(?:int|long|short|char|size_t|bool)[ \t]+(\w{3,})[ \t]*(?:=[ \t]*\w+[ \t]*)?;/gm;
const OWN_CLASS = /^[ \t]*class[ \t]+([A-Z]\w{3,})/gm;
const DEFINES =
  /\b(?:class|module|struct|interface|enum|type|trait|union|record|protocol|typedef|import|use|include)\b/;
const MOST_JUDGING = 50;

async function reachesOf({
  place,
  baseline,
  meaning,
  before,
  now,
}: MentionOptions): Promise<(text: string) => readonly string[]> {
  const judging = meaning.definitions
    .filter(({ kind, part, path }) => {
      if (part !== null || !before.has(path)) return false;
      // What a check runs may judge, or be the work.
      const judges = kind === "test" || kind === "script";
      return judges || (kind === "input" && isCode(path) && before.get(path) === now.get(path));
    })
    .map(({ path }) => path)
    .slice(0, MOST_JUDGING);
  const texts = [...(await readKept(place, baseline.kept, new Set(judging))).values()].map(({ content }) =>
    content.toString("utf8").slice(0, LONGEST_TEXT),
  );
  const namesOf = (pattern: RegExp): ReadonlySet<string> =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)));
  const macros = namesOf(OWN_MACRO);
  const variables = namesOf(OWN_VARIABLE);
  const classes = namesOf(OWN_CLASS);
  return (text) => {
    const lines = codeLines(text);
    const isDefined = (name: string): boolean =>
      lines.some((line) => DEFINES.test(line) && new RegExp(`\\b${name}\\b`).test(line));
    return [
      ...[...text.matchAll(OWN_ASSERT)].map(([found]) => found.replaceAll(/\s+/g, " ").trim()),
      ...reached(text, /^[ \t]*#[ \t]*(define)[ \t]+(\w+)/gm, macros).map((name) => `#define ${name}`),
      ...reached(text, /\b(extern)\b[^;({]*?\b(\w+)[^;({\w]*(?:__attribute__[^;]*)?;/g, variables).map(
        (name) => `extern int ${name}`,
      ),
      ...reached(lines.join("\n"), /(^|[^\w.:@$"'-])([A-Z]\w{3,})(?=[.\w]*[.:([])/gm, classes).filter(
        (name) => !isDefined(name),
      ),
    ];
  };
}

function reached(text: string, pattern: RegExp, names: ReadonlySet<string>): readonly string[] {
  if (names.size === 0) return [];
  const found = [...text.matchAll(pattern)].map(([, , name = ""]) => name);
  return [...new Set(found)].filter((name) => names.has(name));
}

/** Source that since the opening reaches into what judges it, where both are linked or loaded together, unless the spec names that. */
export async function newlyReaching(options: MentionOptions): Promise<readonly string[]> {
  const reaches = await reachesOf(options);
  return newWords(options, reaches, (found) => options.spec.includes(/\w+$/.exec(found)?.[0] ?? found));
}
