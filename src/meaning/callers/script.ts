import { want, type Call, type Follow, type Survey } from "../survey.ts";
import { isJudge } from "../judge-names.ts";

/**
 * A shell script of the project. It judges with its own exit code, unless something else compares what it does: then it is the
 * work, unless its name or what it calls says that it judges.
 */
export async function followScript(
  { path, text, call }: { readonly path: string; readonly text: string; readonly call: Call },
  survey: Survey,
  follow: Follow,
): Promise<void> {
  const runs = survey.runs.length;
  const judgedSource = survey.judgesSource;
  await follow({ line: text, folder: call.folder });
  const callsJudges = survey.runs.length > runs || survey.judgesSource !== judgedSource;
  if (call.isCompared !== true || isJudge(path) || callsJudges) want(survey, "script", path);
}
