const LENGTH_LIMIT = 1024;

/** A path below a folder, as a path below the root. */
export function pathBelow(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

/** The folders from this one up to the root, which is the last. */
export function foldersUpFrom(folder: string): readonly string[] {
  const parts = folder === "" ? [] : folder.split("/");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), ""];
}

/** What leads nowhere below the root, or is no glob at all, stays as it is: whoever reads it says so. */
const NOT_RELATIVE = /^$|^\/|^[a-z]:|^!(?!\()/i;

/** A glob that was written in a folder, as a glob of the root. `../` leads out of the folder, and not out of the root. */
export function globFrom(folder: string, glob: string): string {
  if (folder === "" || NOT_RELATIVE.test(glob)) return glob;
  const parts = folder.split("/");
  let rest = glob;
  for (let step = STEP.exec(rest); step !== null; step = STEP.exec(rest)) {
    if (step[1] === ".." && parts.pop() === undefined) return glob;
    rest = rest.slice(step[0].length);
  }
  // A folder is called what it is called: `[slug]` means no character of a set.
  const base = parts.join("/").replaceAll(/[\\*?[\]{}()|]/g, String.raw`\$&`);
  if (rest === "") return base === "" ? "." : base;
  return pathBelow(base, rest);
}

const STEP = /^(\.\.?)(?:\/+|$)/;

/**
 * Whether a text names the project's root (the empty text) or a folder below it, relative to it and with slashes.
 * Each folder has one spelling: no `.`, no empty part, and no way up or out.
 */
export function isFolderBelowRoot(text: string): boolean {
  if (text === "") return true;
  if (text.length > LENGTH_LIMIT || text.includes("\\") || text.includes("\0")) return false;
  return text.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
