import { withFoldersFolded } from "../../core/listed.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Terminal } from "./terminal.ts";

const SHOWN_CHANGES = 12;
const MARKS = { added: "A", changed: "M", deleted: "D" } as const;

interface FileChange {
  readonly path: string;
  readonly kind: keyof typeof MARKS;
  readonly added: number | null;
  readonly deleted: number | null;
}

export function fileChangeLines(terminal: Terminal, changes: readonly FileChange[]): readonly string[] {
  const rows = rowsOf(changes);
  const lines = rows.slice(0, SHOWN_CHANGES).map(({ path, kind, added, deleted }) => {
    const counts = added === null || deleted === null ? "" : `  +${added} -${deleted}`;
    return `  ${MARKS[kind]} ${oneLine(path, 60)}${terminal.paint("dim", counts)}`;
  });
  const more = rows.length - SHOWN_CHANGES;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}

/** A folder that a tool filled is one row. */
function rowsOf(changes: readonly FileChange[]): readonly FileChange[] {
  const byPath = new Map(changes.map((each) => [each.path, each]));
  const added = changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
  const folded = withFoldersFolded(added).map(
    (path): FileChange => byPath.get(path) ?? { path, kind: "added", added: null, deleted: null },
  );
  const others = changes.filter(({ kind }) => kind !== "added");
  return folded.length === added.length ? changes : [...others, ...folded];
}
