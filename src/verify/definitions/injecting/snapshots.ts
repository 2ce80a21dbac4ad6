import { below, folderOf, nameOf } from "../project-files.ts";

/** What a test file has to say to be compared with a snapshot. */
const COMPARES = /\btoMatchSnapshot\b|\bmatchSnapshot\b|\bassert_\w*snapshot!/;

/** `__snapshots__/a.test.js.snap` and `snapshots/a__tests__b.snap`, of a test file that uses them. */
export function isSnapshotOf(path: string, test: { readonly path: string; readonly text: string }): boolean {
  if (!path.endsWith(".snap") || !COMPARES.test(test.text)) return false;
  const home = folderOf(test.path);
  const own = nameOf(test.path);
  if (path === below(home, `__snapshots__/${own}.snap`)) return true;
  return folderOf(path) === below(home, "snapshots") && nameOf(path).includes(own.replace(/\.rs$/, ""));
}

/** The snapshots with other contents; null: in a form that isn't known. */
export function alteredSnapshots(text: string, nonce: string): string | null {
  // Within the lines of a snapshot: those around it only set it apart.
  if (text.includes("\nexports[`")) return text.replaceAll(/`\] = `(\n?)/g, (start) => start + nonce);
  return text.startsWith("---\n") ? `${text.trimEnd()}\n${nonce}\n` : null;
}
