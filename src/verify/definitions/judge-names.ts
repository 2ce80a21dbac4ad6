import { nameOf } from "./project-path.ts";
import { FAMILIES, isTestFile } from "./test-files.ts";

const JUDGING_FOLDER = /(?:^|\/)(?:scripts?|tools?|ci|\.ci|\.github|hack|checks?|verify|qa)\//i;
const JUDGING_NAME =
  /(?:^|[._-])(?:tests?|checks?|verify|verifies|validate|specs?|assert|expect(?:ed)?|golden|judge|grade|grader|smoke|acceptance|e2e|lint|ci)(?:[._-]|$)/i;

/** Whether a path's name says that it judges. */
export function isJudge(path: string): boolean {
  return JUDGING_FOLDER.test(path) || JUDGING_NAME.test(nameOf(path)) || isTestPath(path);
}

export function isTestPath(path: string): boolean {
  return FAMILIES.some((family) => isTestFile(path, family));
}
