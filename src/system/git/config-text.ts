import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readOrEmpty } from "./read-or-empty.ts";

/** Shows whether something is mentioned and whether something changed; only git knows the value of a setting. */
export interface ConfigText {
  readonly text: string;
  /** It includes a file that only git can find. */
  readonly hasHiddenParts: boolean;
}

const MOST_FILES = 50;

/** Where git looks for the user's own settings. */
export function userConfigFiles(): readonly string[] {
  return [join(homedir(), ".gitconfig"), join(userConfigFolder(), "config")];
}

/** Git's own, within the user's folder for settings. */
export function userConfigFolder(): string {
  return join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git");
}

/** The text of these settings and of what they include, whatever the condition, read without git. */
export function readConfigText(files: readonly string[]): ConfigText {
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

export function mentionsInclude(text: string): boolean {
  return /\[\s*include/i.test(text);
}

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bpath\s*=(.*)/gi)].map(([, path = ""]) => path.trim());
}
