import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readBounded } from "../files/read-file.ts";
import { isObjectId, refFromFiles, type GitFolders } from "./git-files.ts";
import { readLooseCommit } from "./loose-objects.ts";

const OWN = "refs/loopwright/";
const LARGEST_BYTES = 32 * 1024 * 1024;

/** Settings of a repository with which git gives its files other rights than any program would. */
const SHARED = /sharedrepository/i;

/**
 * Lets a ref of ours lead to a commit that was just made, under the lock that git would take, and without a process. `from`: where it
 * leads now, if that matters; null: nowhere. False: nothing was changed, and git has to be asked, also to say why it can't be done.
 */
export function writeOwnRef(
  folders: GitFolders,
  ref: string,
  { to, from }: { readonly to: string; readonly from?: string | null },
): boolean {
  const { commonFolder } = folders;
  const path = join(commonFolder, ref);
  const before = ref.startsWith(OWN) ? refFromFiles(folders, ref) : null;
  if (before === null || existsSync(join(commonFolder, "logs", ref))) return false;
  if (!isObjectId(to) || readLooseCommit(join(commonFolder, "objects"), to) === null) return false;
  const lock = `${path}.lock`;
  let file: number;
  try {
    if (SHARED.test(readBounded(join(commonFolder, "config"), LARGEST_BYTES))) return false;
    mkdirSync(dirname(path), { recursive: true });
    file = openSync(lock, "wx", 0o666);
  } catch {
    return false;
  }
  try {
    // Nobody else changes it now.
    const isFree = !isInTheWay(folders, ref) && isExpected(refFromFiles(folders, ref), from);
    if (!isFree) throw new Error("git has to say why");
    writeSync(file, `${to}\n`);
    fdatasyncSync(file);
    renameSync(lock, path);
    return true;
  } catch {
    rmSync(lock, { force: true });
    return false;
  } finally {
    closeSync(file);
  }
}

function isExpected(now: string | null, from: string | null | undefined): boolean {
  if (now === null) return false;
  return from === undefined || now === (from ?? "missing");
}

/** No ref has a name that is a folder in another's. Of those in files, the system sees to that. */
function isInTheWay({ commonFolder }: GitFolders, ref: string): boolean {
  const packed = join(commonFolder, "packed-refs");
  if (!existsSync(packed)) return false;
  const text = readBounded(packed, LARGEST_BYTES);
  const parts = ref.split("/");
  const outer = parts.map((_, index) => parts.slice(0, index + 1).join("/")).slice(0, -1);
  return text.includes(` ${ref}/`) || outer.some((each) => text.includes(` ${each}\n`));
}
