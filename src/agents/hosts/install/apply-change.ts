import type { SettingsChange } from "./installer.ts";
import { sentenceFor } from "./settings-error.ts";
import { readIfThere, writeSettings } from "./settings-file.ts";

/** Writes what was shown. If it was not written: one sentence that says why. */
export function applyChange({ path, before, after }: SettingsChange): string | null {
  try {
    if (readIfThere(path) !== before) return `${path} changed meanwhile, so nothing was written; try again.`;
    writeSettings(path, after);
    return null;
  } catch (error) {
    return sentenceFor(error);
  }
}
