import { join } from "node:path";
import { mentionsInclude, readConfigText, userConfigFiles, userConfigFolder } from "../git/config-text.ts";
import { gitEnvironment, spawnGit } from "../git/spawn-git.ts";

/** Git's answers by the text of the settings; asked again when that text changes. */
const told = new Map<string, string>();

/** The user's `core.excludesFile`. Runs git only if the user's settings could have one. */
export async function userExcludesFile(folder: string, signal: AbortSignal): Promise<string> {
  const named = process.env["GIT_CONFIG_GLOBAL"];
  const files = named === undefined ? userConfigFiles() : [named];
  const { text, hasHiddenParts } = readConfigText(files);
  const fallback = join(userConfigFolder(), "ignore");
  if (!/excludesfile/i.test(text) && !mentionsInclude(text)) return fallback;
  const question = `${folder}\n${fallback}\n${text}`;
  const answer = told.get(question) ?? (await askGit(folder, signal)) ?? fallback;
  if (!hasHiddenParts && !signal.aborted) told.set(question, answer);
  return answer;
}

async function askGit(folder: string, signal: AbortSignal): Promise<string | null> {
  const named = process.env["GIT_CONFIG_GLOBAL"];
  const outcome = await spawnGit({
    args: ["config", "--global", "--includes", "--type=path", "-z", "core.excludesFile"],
    cwd: folder,
    env: gitEnvironment({ GIT_DIR: folder, ...(named === undefined ? {} : { GIT_CONFIG_GLOBAL: named }) }),
    signal,
  });
  return outcome.ok ? (outcome.stdout.toString("utf8").split("\0")[0] ?? "") : null;
}
