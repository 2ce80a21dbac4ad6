import { join } from "node:path";
import { readConfigText, userConfigFiles } from "./config-text.ts";
import { findGitFolders } from "./git-folders.ts";
import { runGit } from "./run-git.ts";

/** What was found, by the text of the settings: searched again when they change. */
const found = new Map<string, readonly string[]>();

/** Git 2.54 and later also run hooks from the configuration; each has to be switched off by name. */
export async function configuredHooksOff(root: string): Promise<readonly string[]> {
  const folders = findGitFolders(root);
  const own =
    folders === null
      ? []
      : [join(folders.commonFolder, "config"), join(folders.gitFolder, "config.worktree")];
  const { text, hasHiddenParts } = readConfigText([...own, ...userConfigFiles()]);
  // Without the machine's own settings, which don't change while the process runs.
  const question = `${root}\n${text}`;
  const names = found.get(question) ?? (await askGit(root));
  if (names !== null && !hasHiddenParts) found.set(question, names);
  return switchedOff(names ?? []);
}

/** Null if git doesn't say. */
async function askGit(root: string): Promise<readonly string[] | null> {
  const outcome = await runGit({ root, args: ["config", "--includes", "--name-only", "-z", "--list"] });
  if (!outcome.ok) return null;
  const keys = outcome.stdout.toString("utf8").split("\0");
  return keys.flatMap((key) => /^hook\.(.*)\.(?:command|event)$/s.exec(key)?.[1] ?? []);
}

function switchedOff(names: readonly string[]): readonly string[] {
  return [...new Set(["reference-transaction", ...names])].flatMap((name) => [
    "-c",
    `hook.${name}.enabled=false`,
  ]);
}
