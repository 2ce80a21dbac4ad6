import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

const MOST_FILES = 50;

/** Where git looks for the user's own settings. */
export function userConfigFiles(): readonly string[] {
  const own = process.env["GIT_CONFIG_GLOBAL"];
  return own === undefined ? [join(homedir(), ".gitconfig"), join(userConfigFolder(), "config")] : [own];
}

/** Git's own, within the user's folder for settings. */
export function userConfigFolder(): string {
  return join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git");
}

/**
 * The text of these settings and of what they include, as far as that can be found without git. It tells whether something is
 * mentioned, and whether something changed; what a setting is, only git can say.
 */
export async function configText(files: readonly string[]): Promise<string> {
  const waiting = [...files];
  const texts = new Map<string, string>();
  for (let file = waiting.shift(); file !== undefined && texts.size < MOST_FILES; file = waiting.shift()) {
    if (texts.has(file)) continue;
    const text = await readFile(file, "utf8").catch(() => "");
    texts.set(file, text);
    waiting.push(...includedBy(file, text));
  }
  return JSON.stringify([...texts]);
}

/** Without regard to conditions. */
function includedBy(file: string, text: string): readonly string[] {
  if (!mentionsInclude(text)) return [];
  const paths = [...text.matchAll(/\bpath[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t\r]*$/gim)].map(
    ([, path = ""]) => path,
  );
  return paths.map((path) => resolve(dirname(file), path.replace(/^~(?=\/)/, homedir())));
}

export function mentionsInclude(text: string): boolean {
  return /\[\s*include/i.test(text);
}
