const LENGTH_LIMIT = 1024;

/**
 * Whether a text names the project's root (the empty text) or a folder below it, relative to it and with slashes.
 * Each folder has one spelling: no `.`, no empty part, and no way up or out.
 */
export function isFolderBelowRoot(text: string): boolean {
  if (text === "") return true;
  if (text.length > LENGTH_LIMIT || text.includes("\\") || text.includes("\0")) return false;
  return text.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
