import { pathIn } from "../project-path.ts";
import type { Call, Survey } from "../survey.ts";

const SEARCHERS = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);

/** `! grep -r TODO src`: words that may be paths; whether they were is for others to see. */
export function noteSearch({ program, words, folder }: Call, survey: Survey): void {
  if (!SEARCHERS.has(program)) return;
  for (const word of words.slice(1)) {
    const path = word.startsWith("-") ? null : pathIn(folder, word, survey.root);
    if (path !== null && path !== "") survey.lookedAt.add(path);
  }
}
