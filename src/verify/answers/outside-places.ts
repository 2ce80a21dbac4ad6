import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { isWithin } from "../../system/files/folders.ts";

/** What a shell separates words by, and what stands around them in a text. */
const BETWEEN = /[\s"'`=,;|&<>()]+/;

export interface Places {
  /** The project's. */
  readonly root: string;
  /** Where relative paths begin. */
  readonly folder: string;
}

/**
 * Whether a text names what is there outside the project, also as a shell reads it. A test may give its work what to delete or to
 * move, and half of `rm -rf ~/trash` is `rm -rf ~`.
 */
export function namesOutside(text: string, { root, folder }: Places): boolean {
  const words = text.split(BETWEEN).filter((word) => word !== "");
  return words.some((word, index) => {
    const place = placeIn(word);
    const path = resolve(folder, place);
    const isInside = !isAbsolute(place) && isWithin(path, root);
    // A slash between words divides, or begins a comment.
    if (isInside || (dirname(path) === path && index < words.length - 1)) return false;
    return existsSync(path);
  });
}

/** Up to a pattern, its folder. */
function placeIn(word: string): string {
  const plain = word
    .replace(/^~(?=\/|$)/, homedir())
    .replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => process.env[name] ?? "");
  const [fixed = ""] = plain.split(/[*?[{]/, 1);
  return fixed === plain ? plain : dirname(`${fixed}x`);
}
