/** A line of a TOML or INI file, and whether it belongs to the requested section. */
interface SectionLine {
  readonly text: string;
  readonly isInside: boolean;
  /** It is under a header of that section, so it means the same wherever the section is. */
  readonly hasOwnHeader: boolean;
  readonly saysNothing: boolean;
}

type ReadLines = (text: string, name: string) => readonly SectionLine[];

/** The lines whose key is inside a name, however it is written: `[tool.pytest]` or `tool.pytest.x = 1`. */
export const tomlLines: ReadLines = (text, name) => {
  let section = "";
  let isInside = false;
  let open: Open = { quote: null, depth: 0 };
  return text.split("\n").map((line) => {
    const isStart = open.quote === null && open.depth === 0;
    const header = isStart ? TOML_HEADER.exec(line)?.[1] : undefined;
    const key = isStart ? TOML_KEY.exec(line)?.[1] : undefined;
    if (header !== undefined) section = withoutQuotes(header);
    if (header !== undefined) isInside = isWithin(section, name);
    else if (key !== undefined) {
      isInside = isWithin(section === "" ? withoutQuotes(key) : `${section}.${withoutQuotes(key)}`, name);
    }
    const saysNothing = open.quote === null && /^\s*(?:#.*)?$/.test(line);
    if (header === undefined) open = openAfter(line, open);
    return { text: line, isInside, hasOwnHeader: isWithin(section, name), saysNothing };
  });
};

const TOML_HEADER = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const TOML_KEY = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/;

/** A section with that name, and all whose name starts with `NAME:`. */
export const iniLines: ReadLines = (text, name) => {
  let isInside = false;
  return text.split("\n").map((line) => {
    const header = /^\[([^\]]*)\]/.exec(line)?.[1]?.trim();
    if (header !== undefined) isInside = header === name || header.startsWith(`${name}:`);
    return { text: line, isInside, hasOwnHeader: true, saysNothing: /^\s*(?:[#;].*)?$/.test(line) };
  });
};

/** The content of a section; null if the file has no such section. */
export function sectionPart(lines: readonly SectionLine[]): string | null {
  const said = lines.filter((line) => line.isInside && !line.saysNothing).map(({ text }) => text.trim());
  return said.length === 0 ? null : said.join("\n");
}

/** A file with the section from another file; null if that section cannot be moved. */
export function withSection(lines: readonly SectionLine[], other: readonly SectionLine[]): string | null {
  const moved = other.filter((line) => line.isInside);
  if (moved.some((line) => !line.hasOwnHeader)) return null;
  const kept = lines.filter((line) => !line.isInside);
  return [...kept, ...moved].map(({ text }) => text).join("\n");
}

function isWithin(key: string, name: string): boolean {
  return key === name || key.startsWith(`${name}.`);
}

function withoutQuotes(key: string): string {
  return key.replaceAll(/["'\s]/g, "");
}

interface Open {
  readonly quote: '"""' | "'''" | null;
  readonly depth: number;
}

const MARKS = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[[\]{}]/g;

/** Whether a value continues on the next line: in a long string or an open bracket. */
function openAfter(line: string, before: Open): Open {
  let { quote, depth } = before;
  for (const [mark] of line.matchAll(MARKS)) {
    if (mark === '"""' || mark === "'''") {
      if (quote === null) quote = mark;
      else if (quote === mark) quote = null;
    } else if (quote === null) {
      if (mark === "[" || mark === "{") depth += 1;
      if (mark === "]" || mark === "}") depth = Math.max(0, depth - 1);
    }
  }
  return { quote, depth };
}
