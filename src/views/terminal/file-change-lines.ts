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
  const lines = changes.slice(0, SHOWN_CHANGES).map(({ path, kind, added, deleted }) => {
    const counts = added === null || deleted === null ? "" : `  +${added} -${deleted}`;
    return `  ${MARKS[kind]} ${oneLine(path, 60)}${terminal.paint("dim", counts)}`;
  });
  const more = changes.length - SHOWN_CHANGES;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}
