import { readFileSync, readdirSync, realpathSync, statSync, statfsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Whether a path is a folder itself or lies in it. Both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The same for where a path really leads, through links; it need not exist yet, and may be relative to the folder. */
export function leadsInto(path: string, folder: string): boolean {
  return isWithin(realPlace(resolve(folder, path)), realOrSame(folder));
}

/** The path without links, as far as it exists. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
}

/** What a folder holds, in order; nothing where it is gone or can't be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** A path without links; one that leads nowhere, or is removed at this moment, as it is. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Magic numbers of the file systems that share files over a network (Linux, statfs(2)). */
const NETWORK_TYPES: { readonly [magic: number]: string } = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x5346414f: "AFS",
  0x00c36400: "CephFS",
  0x01021997: "9P",
};

const NETWORK_NAMES = /^(nfs\d?|cifs|smb3?|smbfs|afs|ceph|9p|fuse\.sshfs|davfs)$/;

/** The kind of file system a folder is on, as far as the system reports it. */
export function fileSystemOf(folder: string): { readonly name: string; readonly isNetwork: boolean } {
  const mount = mountOf(folder);
  if (mount !== null) return { name: mount, isNetwork: NETWORK_NAMES.test(mount) };
  try {
    const name = NETWORK_TYPES[statfsSync(folder).type];
    return { name: name ?? "local", isNetwork: name !== undefined };
  } catch {
    return { name: "unknown", isNetwork: false };
  }
}

/** The type of the mount with the folder; null if there is no list of mounts. */
function mountOf(folder: string): string | null {
  let table: string;
  try {
    table = readFileSync("/proc/self/mounts", "utf8");
  } catch {
    return null;
  }
  let best = { point: "", type: "" };
  for (const line of table.split("\n")) {
    const [, point = "", type = ""] = line.split(" ");
    if (point !== "" && isWithin(folder, point) && point.length >= best.point.length) best = { point, type };
  }
  return best.type === "" ? null : best.type;
}
