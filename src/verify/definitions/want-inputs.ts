import { keyOf } from "./definition.ts";
import { isJudge } from "./judge-names.ts";
import { isData, isNamedAsExpected } from "./judging-data.ts";
import { namedFiles } from "./named-files.ts";
import { folderOf, isBelow, pathIn } from "./project-path.ts";
import { want, type Survey } from "./survey.ts";
import { isCode } from "./test-files.ts";
import { namesInSource } from "./want-tests.ts";

const MOST_SCRIPTS = 50;
const LOOPED_OVER = /\bfor[ \t]+\w+[ \t]+in[ \t]+([^;\n]{1,500})/g;
const FROM_A_VARIABLE = /^["']?\$[({]?[^/]*\//;

/**
 * What a script that judges reads: data, and helpers beside it. Whether it judges or is the work isn't certain, unless its name
 * says so. Found once, at the opening, like what tests mention.
 */
export async function wantInputs(survey: Survey, folder: string): Promise<void> {
  if (!survey.isFirstLook) return;
  const scripts = [...survey.wanted.values()].filter(
    ({ kind, path, part }) =>
      part === null && survey.has.has(path) && (kind === "script" || kind === "input"),
  );
  const read = new Set<string>();
  for (const { path } of scripts.slice(0, MOST_SCRIPTS)) {
    const text = (await survey.files.read(path)) ?? "";
    const home = folderOf(path);
    const isHelper = (each: string): boolean => home !== "" && isBelow(each, home) && isJudge(each);
    const named = namedFiles({ path, text, folders: [folder] }, survey.has);
    for (const each of [...named, ...loopedOver(text, [home, folder], survey)])
      if (isCode(each) ? isHelper(each) : isData(each) || isNamedAsExpected(each)) read.add(each);
  }
  const unknown = [...read].filter((path) => !survey.wanted.has(keyOf({ path, part: null })));
  const ofSource = await namesInSource(survey, unknown.filter(isData));
  for (const path of unknown) {
    if (isNamedAsExpected(path)) want(survey, "test", path);
    else if (!ofSource.has(path)) want(survey, "input", path);
  }
}

/** `for each in t/*.in`: everything in that folder, since a script finds what belongs to a file by its name. */
function loopedOver(text: string, folders: readonly string[], survey: Survey): readonly string[] {
  const found = [...text.matchAll(LOOPED_OVER)]
    .flatMap(([, words = ""]) => words.split(/\s+/))
    .map((word) => word.replace(FROM_A_VARIABLE, "").replaceAll(/["']/g, ""))
    .filter((word) => word.includes("/"))
    .flatMap((word) => folders.map((folder) => pathIn(folder, folderOf(word))));
  const within = new Set(found.filter((path) => path !== null && path !== ""));
  return survey.files.paths.filter((path) => within.has(folderOf(path)));
}
