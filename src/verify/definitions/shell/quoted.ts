import { quoted as inQuotes } from "../../../system/text/command-line.ts";

/** A word as a shell reads it back; a pattern stays one. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) ? word : inQuotes(word);
}
