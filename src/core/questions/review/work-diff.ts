/** A line of a diff. */
export interface DiffLine {
  readonly kind: "added" | "removed" | "context";
  /** In the file as it is now; null for a line that was removed. */
  readonly line: number | null;
  readonly text: string;
}

export interface DiffFile {
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

/** A changed file, and how much of it changed; null: it isn't text. */
export interface DiffStat {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

/** What a reviewer is shown of the work. */
export interface WorkDiff {
  readonly stats: readonly DiffStat[];
  readonly files: readonly DiffFile[];
}

const MOST_LINES = 2_000;
const MOST_FILES = 200;
const LONGEST_LINE = 400;

const GENERATED =
  /(?:^|\/)(?:node_modules|dist|vendor|__snapshots__)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|Gemfile\.lock|composer\.lock)$|\.min\.\w+$|\.(?:snap|map)$/;

/** The files worth reading as a whole: not those that are generated, that aren't text, or that are too large. */
export function readableFiles(stats: readonly DiffStat[]): readonly string[] {
  return stats
    .filter(({ path, added, removed }) => added !== null && removed !== null && !GENERATED.test(path))
    .filter(({ added, removed }) => (added ?? 0) + (removed ?? 0) <= MOST_LINES)
    .map(({ path }) => path)
    .slice(0, MOST_FILES);
}

export interface ShownDiff {
  readonly text: string;
  readonly files: readonly DiffFile[];
  /** Files that were left out, or that are shown in part. */
  readonly unseen: readonly string[];
}

/** As much of a diff as fits, whole files as long as there is room, and a line about each of the rest. */
export function shownDiff({ stats, files }: WorkDiff, limit: number): ShownDiff {
  const shown: DiffFile[] = [];
  const parts: string[] = [];
  let left = limit;
  for (const file of files) {
    const text = fileText(file);
    if (text.length > left) continue;
    left -= text.length;
    shown.push(file);
    parts.push(text);
  }
  const whole = new Set(shown.map(({ path }) => path));
  const rest = stats.filter(({ path }) => !whole.has(path));
  const listed = rest.map(
    ({ path, added, removed }) => `${path} (${added === null ? "not text" : `+${added} −${removed ?? 0}`})`,
  );
  const missing =
    listed.length === 0 ? [] : [`Changed too, and not shown here:\n${bounded(listed).join("\n")}`];
  return { text: [...parts, ...missing].join("\n\n"), files: shown, unseen: rest.map(({ path }) => path) };
}

const MOST_LISTED = 300;

function bounded(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LISTED;
  return more > 0 ? [...lines.slice(0, MOST_LISTED), `and ${more} more`] : lines;
}

const MARKS = { added: "+", removed: "-", context: " " } as const;

function fileText({ path, lines }: DiffFile): string {
  let next: number | null = null;
  const rows = lines.flatMap(({ kind, line, text }) => {
    const begins = line !== null && line !== next ? [`@@ line ${line} @@`] : [];
    if (line !== null) next = line + 1;
    const cut = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
    return [...begins, `${MARKS[kind]}${cut}`];
  });
  return [`=== ${path}`, ...rows].join("\n");
}
