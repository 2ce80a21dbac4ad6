import { listed, withFoldersFolded } from "../core/listed.ts";
import { oneLine } from "../system/text/plain-text.ts";

/** The first few files, for a sentence: `src/cart.js, .venv/ (1204 files) and 3 more`. */
export function fileList(
  files: readonly string[],
  most = 3,
  written: (file: string) => string = (file) => oneLine(file, 120),
): string {
  return listed(withFoldersFolded(files).map(written), most);
}
