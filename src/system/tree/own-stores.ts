import { relative, sep } from "node:path";

/** What loops write themselves isn't part of the tree they are judged by. */
const OWN_FOLDERS = [".loop", ".jwz"];
const OWN_FILES = [".claude/idle-loop.local.md"];

export interface OwnStores {
  includes(path: string): boolean;
  /** The same as lines of a git exclude file. */
  readonly excludeLines: readonly string[];
}

/** Paths are relative to the root, with slashes. The state folder counts if it is inside the project (such as a home folder). */
export function ownStores(root: string, stateHome: string): OwnStores {
  const statePath = relative(root, stateHome).split(sep).join("/");
  const stateInside = statePath !== "" && statePath !== ".." && !/^(\.\.\/|\/|[a-z]:)/i.test(statePath);
  const folders = stateInside ? [...OWN_FOLDERS, statePath] : OWN_FOLDERS;
  return {
    includes: (path) =>
      OWN_FILES.includes(path) || folders.some((folder) => path === folder || path.startsWith(`${folder}/`)),
    excludeLines: [
      ...folders.map((folder) => `/${escapePattern(folder)}`),
      ...OWN_FILES.map((file) => `/${file}`),
    ],
  };
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`);
}
