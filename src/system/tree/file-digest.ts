import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { join } from "node:path";

/** sha256 over mode and content of a file; a symbolic link's content is its text. The modes are git's. */
export async function fileDigest(root: string, path: string): Promise<string> {
  const full = join(root, path);
  if ((await lstat(full)).isSymbolicLink()) {
    const target = await readlink(full, { encoding: "buffer" });
    return createHash("sha256").update("120000\0").update(target).digest("hex");
  }
  const file = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const executable = ((await file.stat()).mode & 0o100) !== 0;
    const hash = createHash("sha256").update(executable ? "100755\0" : "100644\0");
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}
