import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readOrEmpty } from "../files/read-file.ts";
import { findGitFolders } from "./git-files.ts";
import { runGit, gitEnvironment, spawnGit } from "./run-git.ts";

/** Shows whether something is mentioned and whether something changed; only git knows the value of a setting. */
interface ConfigText {
  readonly text: string;
  /** It includes a file that only git can find. */
  readonly hasHiddenParts: boolean;
}

const MOST_FILES = 50;

/** Where git looks for the user's own settings. */
function userConfigFiles(): readonly string[] {
  return [join(homedir(), ".gitconfig"), join(userConfigFolder(), "config")];
}

/** Git's own, within the user's folder for settings. */
function userConfigFolder(): string {
  return join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git");
}

/** The text of these settings and of what they include, whatever the condition, read without git. */
function readConfigText(files: readonly string[]): ConfigText {
  const waiting = [...files];
  const texts = new Map<string, string>();
  let hasHiddenParts = false;
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (texts.has(file)) continue;
    if (texts.size === MOST_FILES) return { text: JSON.stringify([...texts]), hasHiddenParts: true };
    const text = readOrEmpty(file);
    texts.set(file, text);
    for (const path of mentionsInclude(text) ? pathsIn(text) : []) {
      if (/["\\#;]|^%|^~[^/]/.test(path)) hasHiddenParts = true;
      else waiting.push(resolve(dirname(file), path.replace(/^~(?=\/)/, homedir())));
    }
  }
  return { text: JSON.stringify([...texts]), hasHiddenParts };
}

function mentionsInclude(text: string): boolean {
  return /\[\s*include/i.test(text);
}

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bpath\s*=(.*)/gi)].map(([, path = ""]) => path.trim());
}

/** All settings of a repository, but the machine's own, which don't change while the process runs. */
function settingsOf(root: string): ConfigText {
  const folders = findGitFolders(root);
  const own =
    folders === null
      ? []
      : [join(folders.commonFolder, "config"), join(folders.gitFolder, "config.worktree")].filter((file) =>
          existsSync(file),
        );
  const { text, hasHiddenParts } = readConfigText([...own, ...userConfigFiles()]);
  // What is included may depend on the place.
  return { text: mentionsInclude(text) ? `${root}\n${text}` : text, hasHiddenParts };
}

/** What was found, by the text of the settings: searched again when they change. */
const found = new Map<string, readonly string[]>();

/** Git 2.54 and later also run hooks from the configuration; each has to be switched off by name. */
export async function configuredHooksOff(root: string): Promise<readonly string[]> {
  const { text, hasHiddenParts } = settingsOf(root);
  const names = found.get(text) ?? (await namesInSettings(root, /^hook\.(.*)\.(?:command|event)$/s));
  if (names !== null && !hasHiddenParts) found.set(text, names);
  return switchedOff(names ?? []);
}

/** Whether these settings name somebody who commits. */
const named = new Map<string, boolean>();

/** Whether the settings say who commits; git would make a name up from the machine's. */
export async function hasIdentity(root: string): Promise<boolean> {
  const { text, hasHiddenParts } = settingsOf(root);
  const known = named.get(text);
  if (known !== undefined) return known;
  const args = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"];
  const outcome = await runGit({ root, args });
  // A git that failed for another reason says nothing about the settings.
  const isAnswer = outcome.ok || outcome.message.includes("auto-detection is disabled");
  if (isAnswer && !hasHiddenParts) named.set(text, outcome.ok);
  return outcome.ok;
}

/** The names that settings give to what this form finds in their keys; null if git doesn't say. */
export async function namesInSettings(root: string, form: RegExp): Promise<readonly string[] | null> {
  const outcome = await runGit({ root, args: ["config", "--includes", "--name-only", "-z", "--list"] });
  if (!outcome.ok) return null;
  const keys = outcome.stdout.toString("utf8").split("\0");
  return [...new Set(keys.flatMap((key) => form.exec(key)?.[1] ?? []))];
}

function switchedOff(names: readonly string[]): readonly string[] {
  return [...new Set(["reference-transaction", ...names])].flatMap((name) => [
    "-c",
    `hook.${name}.enabled=false`,
  ]);
}

/** Git's answers by the text of the settings; asked again when that text changes. */
const told = new Map<string, string>();

/** The user's `core.excludesFile`. Runs git only if the user's settings could have one. */
export async function userExcludesFile(folder: string, signal: AbortSignal): Promise<string> {
  const global = process.env["GIT_CONFIG_GLOBAL"];
  const files = global === undefined ? userConfigFiles() : [global];
  const { text, hasHiddenParts } = readConfigText(files);
  const fallback = join(userConfigFolder(), "ignore");
  if (!/excludesfile/i.test(text) && !mentionsInclude(text)) return fallback;
  const question = `${folder}\n${fallback}\n${text}`;
  const answer = told.get(question) ?? (await askGit(folder, signal)) ?? fallback;
  if (!hasHiddenParts && !signal.aborted) told.set(question, answer);
  return answer;
}

async function askGit(folder: string, signal: AbortSignal): Promise<string | null> {
  const global = process.env["GIT_CONFIG_GLOBAL"];
  const outcome = await spawnGit({
    args: ["config", "--global", "--includes", "--type=path", "-z", "core.excludesFile"],
    cwd: folder,
    env: gitEnvironment({ GIT_DIR: folder, ...(global === undefined ? {} : { GIT_CONFIG_GLOBAL: global }) }),
    signal,
  });
  return outcome.ok ? (outcome.stdout.toString("utf8").split("\0")[0] ?? "") : null;
}
