import { join } from "node:path";
import { configText, mentionsInclude, userConfigFiles, userConfigFolder } from "../git/config-text.ts";
import { gitEnvironment, spawnGit } from "../git/spawn-git.ts";

/** What git said, by the text of the settings that it read: asked again when they change. */
const told = new Map<string, string | null>();

/** The user's `core.excludesFile`. Git is asked only where the user's settings could have one. */
export async function userExcludesFile(folder: string, signal: AbortSignal): Promise<string> {
  const text = await configText(userConfigFiles());
  const file = /excludesfile/i.test(text) || mentionsInclude(text) ? await ask(folder, text, signal) : null;
  return file ?? join(userConfigFolder(), "ignore");
}

async function ask(folder: string, text: string, signal: AbortSignal): Promise<string | null> {
  const question = `${folder}\n${text}`;
  const known = told.get(question);
  if (known !== undefined) return known;
  const answer = await askGit(folder, signal);
  if (!signal.aborted) told.set(question, answer);
  return answer;
}

async function askGit(folder: string, signal: AbortSignal): Promise<string | null> {
  const own = process.env["GIT_CONFIG_GLOBAL"];
  const outcome = await spawnGit({
    args: ["config", "--global", "--includes", "--type=path", "-z", "core.excludesFile"],
    cwd: folder,
    env: gitEnvironment({ GIT_DIR: folder, ...(own === undefined ? {} : { GIT_CONFIG_GLOBAL: own }) }),
    signal,
  });
  return outcome.ok ? (outcome.stdout.toString("utf8").split("\0")[0] ?? "") : null;
}
