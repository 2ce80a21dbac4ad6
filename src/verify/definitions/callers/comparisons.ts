import { isHeldAgainst, isNamedAsExpected, isTestPath } from "../test-files.ts";
import { isBelow, pathIn } from "../project-files.ts";
import { want, type Call, type Reader, type Survey } from "../survey.ts";
import { parsePathGlob } from "../../../system/tree/path-glob.ts";
import { optionValues } from "./wrappers.ts";

const COMPARISONS = new Set(["diff", "cmp", "comm", "sdiff", "colordiff"]);
const GREPS = new Set(["grep", "egrep", "fgrep", "rg"]);

/**
 * `node app.js | diff - golden.txt`: the data a program is compared with. What the command itself writes is the output to
 * compare, and what appears after the opening is the work.
 */
export const readComparison: Reader = async (call, survey) => {
  for (const word of survey.isFirstLook ? comparedWords(call) : []) {
    if (VARIABLE.test(word)) {
      for (const path of await pathsLike(call.folder, word, survey)) want(survey, "test", path);
      continue;
    }
    const path = pathIn(call.folder, word, survey.root);
    if (path === null || path === "" || survey.written.has(path)) continue;
    if (survey.has.has(path)) {
      if (isHeldAgainst(path)) want(survey, "test", path);
    } else if (isNamedAsExpected(path)) {
      for (const each of survey.files.paths) if (isBelow(each, path)) want(survey, "test", each);
    }
  }
  // Its arguments may also name files that judge.
  return false;
};

const VARIABLE = /\*|\$\w|\$[{(]/;
const VARIABLES = /\*|\$\{[^}]*\}|\$\([^)]*\)|\$\w+/g;

/** `golden/$name.txt`: the files that a word with variables may mean, if the rest of it says enough. */
async function pathsLike(folder: string, word: string, survey: Survey): Promise<readonly string[]> {
  const path = pathIn(folder, word.replaceAll(/["']/g, "").replaceAll(VARIABLES, "*"), survey.root);
  if (path === null || !/^[\w.@+-]+\/|\.\w{2,}$/.test(path)) return [];
  const glob = await parsePathGlob(path).catch(() => null);
  if (glob === null) return [];
  const paths = survey.files.paths.filter((each) => glob.matches(each));
  return paths.some((each) => survey.written.has(each)) ? [] : paths.filter(isHeldAgainst);
}

function comparedWords({ program, words }: Call): readonly string[] {
  const args = words.slice(1);
  const isGit = program === "git" && args.includes("diff") && args.includes("--no-index");
  if (COMPARISONS.has(program) || isGit) return args.filter((word) => !word.startsWith("-"));
  return GREPS.has(program)
    ? optionValues(args, ["--file", ...args.filter((word) => /^-\w*f$/.test(word))])
    : [];
}

const SEARCHERS = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);

/** `! grep -r TODO src`: words that may be paths; whether they were is for others to see. */
export function noteSearch({ program, words, folder }: Call, survey: Survey): void {
  if (!SEARCHERS.has(program)) return;
  for (const word of words.slice(1)) {
    const path = word.startsWith("-") ? null : pathIn(folder, word, survey.root);
    if (path !== null && path !== "") survey.lookedAt.add(path);
  }
}

/** `python3 tools/links.py docs`, `terraform fmt -check infra`: folders that a program is told to look through. */
export function noteFolders({ words, folder }: Call, survey: Survey): void {
  for (const word of words.slice(1)) {
    const path = /^[-$]/.test(word) ? null : pathIn(folder, word, survey.root);
    if (path === null || path === "" || survey.has.has(path) || isTestPath(`${path}/a.txt`)) continue;
    if (survey.files.paths.some((each) => isBelow(each, path))) survey.lookedAt.add(path);
  }
}
