import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, posix, relative, sep, win32 } from "node:path";
import { errnoOf } from "../../system/files/path-errors.ts";

/** Whether a path is inside the project, judging by its text. */
export function isRelativeInside(path: string): boolean {
  if (path.includes("\0") || posix.isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)) {
    return false;
  }
  const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  return parts.length > 0 && !parts.includes("..");
}

/** Where a path really leads; throws if a link leads it out of the project or nowhere. */
export function pathInProject(project: string, path: string, link: "followed" | "itself"): string {
  const root = realpathSync(project);
  const whole = join(root, path);
  const real = link === "followed" ? realPath(whole) : join(realPath(dirname(whole)), basename(whole));
  const inside = relative(root, real);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || win32.isAbsolute(inside)) {
    throw new Error(`${path} leads out of the project`);
  }
  return real;
}

/** Resolves the existing part of a path that doesn't fully exist. A dangling link doesn't count as existing. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || isLink(path)) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
