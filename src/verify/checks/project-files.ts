import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const LARGEST_FILE_BYTES = 1024 * 1024;

/** What discovery may read of a project: the text of small files and the names in a folder. Never throws. */
export interface ProjectFiles {
  /** Null if it is missing, not a file, too large or unreadable. */
  read(path: string): Promise<string | null>;
  has(path: string): Promise<boolean>;
  names(folder: string): Promise<readonly string[]>;
}

export function projectFiles(root: string): ProjectFiles {
  return {
    read: (path) => readSmallFile(join(root, path)).catch(() => null),
    has: (path) =>
      stat(join(root, path)).then(
        (found) => found.isFile(),
        () => false,
      ),
    names: (folder) => readdir(join(root, folder)).catch(() => []),
  };
}

async function readSmallFile(path: string): Promise<string | null> {
  // Checked before opening it: opening a pipe would wait for a writer.
  if (!(await stat(path)).isFile()) return null;
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return size > LARGEST_FILE_BYTES ? null : await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
