/** Tables of ours at the end of a file, between two comments: what is before them stays as it is, byte for byte. */
export interface TomlBlock {
  with(text: string | null, lines: readonly string[]): string;
  without(text: string): string | null;
  /** The lines of ours; none: they aren't in it. */
  linesIn(text: string): readonly string[];
}

/**
 * `title` is on the comments. A client may have written tables of its own between or behind them, or rewritten the file without
 * comments: then only the tables that `isOurs` knows are taken out.
 */
export function tomlBlock(title: string, isOurs: (table: readonly string[]) => boolean): TomlBlock {
  const [begin, end] = [
    `# Loopwright's ${title}. loop uninstall removes them.`,
    `# The end of Loopwright's ${title}.`,
  ];
  const isComment = (line: string): boolean => line === begin || line === end;

  function whole(text: string): { readonly block: string; readonly at: number } | null {
    const from = text.indexOf(`${begin}\n`);
    const to = text.indexOf(`${end}\n`, from);
    if (from === -1 || to === -1) return null;
    const tables = tablesIn(text.slice(from + begin.length + 1, to));
    if (!tables.every((table) => table.join("").trim() === "" || isOurs(table))) return null;
    const at = from > 0 && text[from - 1] === "\n" ? from - 1 : from;
    return { block: text.slice(at, to + end.length + 1), at };
  }

  function without(text: string): string | null {
    const found = whole(text);
    if (found !== null) {
      const rest = text.slice(0, found.at) + text.slice(found.at + found.block.length);
      return rest === "" && text.startsWith(begin) ? null : rest;
    }
    const tables = tablesIn(text);
    if (!tables.some(isOurs)) return text;
    return tables
      .filter((table) => !isOurs(table))
      .flat()
      .filter((line) => !isComment(line))
      .join("\n");
  }

  return {
    with(text, lines) {
      const block = [begin, ...lines, end, ""].join("\n");
      if (text === null) return block;
      const found = whole(text);
      if (found !== null && found.block.trimStart() === block) return text;
      return `${without(text) ?? ""}\n${block}`;
    },
    without,
    linesIn: (text) => tablesIn(text).filter(isOurs).flat(),
  };
}

/** The lines of a file by its tables; the first ones have no header. */
function tablesIn(text: string): readonly (readonly string[])[] {
  const tables: string[][] = [[]];
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line)) tables.push([]);
    tables.at(-1)?.push(line);
  }
  return tables;
}
