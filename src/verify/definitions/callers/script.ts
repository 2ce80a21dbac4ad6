import { keyOf } from "../definition.ts";
import { isJudge } from "../judge-names.ts";
import { isNamedAsHelper } from "../judging-data.ts";
import { nameOf } from "../project-path.ts";
import { noteScript, want, type Call, type Follow, type Survey } from "../survey.ts";

/** What such a file sets applies to everything after it. */
const SETS_UP = /env|setup|config|vars|activate/i;

/**
 * A shell script of the project. It judges with its own exit code, unless something else compares what it does: then it is the
 * work, unless its name or what it calls says that it judges. So is a file that is only read into another script: the functions
 * that the script tests.
 */
export async function followScript(
  { path, text, call }: { readonly path: string; readonly text: string; readonly call: Call },
  survey: Survey,
  follow: Follow,
): Promise<void> {
  const runs = survey.runs.length;
  const judgedSource = survey.judgesSource;
  const isReadIn = call.program === "source" || call.program === ".";
  await follow({ line: text, folder: call.folder });
  const callsJudges = survey.runs.length > runs || survey.judgesSource !== judgedSource;
  const isHelper = isJudge(path) || isNamedAsHelper(path) || (isReadIn && SETS_UP.test(nameOf(path)));
  const judgesItself = call.isCompared !== true && (!isReadIn || !survey.has.has(path));
  if (judgesItself || isHelper || callsJudges) want(survey, "script", path);
  // What it calls ends before it does.
  if (!isReadIn && survey.wanted.has(keyOf({ path, part: null }))) noteScript(survey, call, path);
}
