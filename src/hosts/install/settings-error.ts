import { errnoOf } from "../../files/errno.ts";

/** Settings that we cannot read as the host would. The message says what is wrong with them. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** What is no trouble with settings or files is a bug, and goes on as one. */
export function sentenceFor(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const code = errnoOf(error);
  if (code === undefined) throw error;
  const path = error instanceof Error && "path" in error ? String(error.path) : "The settings file";
  return `${path} cannot be read or written (${code}); put that right, then try again.`;
}
