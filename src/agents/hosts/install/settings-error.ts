import { errnoOf } from "../../../system/files/path-errors.ts";

/** Settings that we cannot read as the host would. The message says why. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Anything other than a problem with settings or files is a bug and is rethrown. */
export function sentenceFor(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const code = errnoOf(error);
  if (code === undefined) throw error;
  const path = error instanceof Error && "path" in error ? String(error.path) : "The settings file";
  return `${path} cannot be read or written (${code}); fix this, then try again.`;
}
