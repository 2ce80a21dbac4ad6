import { isBelow, pathIn } from "../project-path.ts";
import type { Call, Survey } from "../survey.ts";

export interface NamedPaths {
  /** Where the runner looks; empty: everywhere. */
  readonly scope: readonly string[];
  readonly globs: readonly string[];
  /** Files that the command names as tests, whatever they are called. */
  readonly explicit: readonly string[];
  /** Files that the command names as configuration. */
  readonly config: readonly string[];
}

const CONFIG_OPTION =
  /^(?:-c|-p|-r|-f|--?.*(?:config|setup|rc-?file|project|require|import|loader|tsconfig|options|env-file|preload|ignore-path|plugin|resolver|rootdir|settings).*)$/;
/** Options without a value, so the word after them is a path. */
const PLAIN_OPTION =
  /^(?:-[a-zA-Z]{0,1}[qvxslR]+|--(?:test|exit|run|bail|silent|verbose|quiet|coverage|ci|watch|no-.*|once|passWithNoTests|forbid-only|all|color|recursive|doctest-modules|fail-fast|failfast|strict|noEmit|check|race))$/;

/** The paths among a runner's arguments. Unknown arguments don't restrict anything. */
export function namedPaths({ words, folder }: Call, survey: Survey): NamedPaths {
  const scope: string[] = [];
  const globs: string[] = [];
  const explicit: string[] = [];
  const config: string[] = [];
  let isUnclear = false;
  const args = words.slice(1);
  args.forEach((word, at) => {
    const [option, value] = /^(--?[\w-]+)=(.+)$/.exec(word)?.slice(1, 3) ?? [null, null];
    const before = value === null ? (args[at - 1] ?? "") : (option ?? "");
    if (value === null && word.startsWith("-")) return;
    const isBehindOption =
      value !== null || (before.startsWith("-") && before !== "--" && !PLAIN_OPTION.test(before));
    const text = (value ?? word).replace(/::.*$|(?<=\.rb):\d+$|\/?\.\.\.$/, "");
    const path = pathIn(folder, text, survey.root);
    if (/[$`]/.test(text)) isUnclear = true;
    if (path === null || /[$`]/.test(text)) return;
    const isFile = survey.has.has(path);
    const isGlob = /[*?{[]/.test(text);
    if (isBehindOption) {
      if (CONFIG_OPTION.test(before) && (isFile || /^\.{0,2}\/|\.\w+$/.test(text))) config.push(path);
      else if (isFile) explicit.push(path);
    } else if (isGlob) {
      globs.push(path);
      scope.push(path.replace(/(?:^|\/)[^/]*[*?{[].*$/, ""));
    } else if (isFile) {
      explicit.push(path);
      scope.push(path);
    } else if (path !== folder && survey.files.paths.some((each) => isBelow(each, path))) scope.push(path);
    else if (path === folder) isUnclear = true;
  });
  return { scope: isUnclear ? [] : scope, globs, explicit, config };
}
