import { isObject } from "../../../core/plain-object.ts";
/** A value in a JSON file by the names that lead to it; names may hold anything but a slash and a dot. Null: absent. */
export function jsonPart(json: unknown, part: string): string | null {
  const found = valueAt(json, part);
  return found === undefined ? null : canonical(found);
}

/** A script's name may hold dots, so only the first one separates. */
function valueAt(value: unknown, part: string): unknown {
  const dot = part.indexOf(".");
  const own = ownObject(value);
  if (dot === -1) return own[part];
  return ownObject(own[part.slice(0, dot)])[part.slice(dot + 1)];
}

/** Parses JSON with comments, trailing commas and a byte order mark; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch {
    if (!/\/[/*]|,\s*[}\]]/.test(plain)) return undefined;
    try {
      return JSON.parse(withoutComments(plain));
    } catch {
      return undefined;
    }
  }
}

function withoutComments(text: string): string {
  return text
    .replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_all, string: string | undefined) => string ?? " ",
    )
    .replace(
      /("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g,
      (_all, string: string | undefined, end: string) => string ?? end,
    );
}

export function ownObject(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) return Object.create(null) as {};
  return Object.assign(Object.create(null), value) as Record<string, unknown>;
}

/** The same text for the same value, whatever the order of its names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

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

/**
 * The blocks of a build file about testing: the plugins of a pom.xml, the blocks of a build.gradle, the replacements of a go.mod.
 * The rest names what the source needs.
 */
const READERS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  "surefire plugins": (text) => [
    ...text
      .split("<plugin>")
      .slice(1)
      .map((rest) => rest.split("</plugin>", 1)[0] ?? "")
      .filter((plugin) => /surefire|failsafe/.test(plugin)),
    ...linesWith(text, /<(?:skipTests|skipITs|maven\.test)/),
  ],
  "testing blocks": (text) => [
    ...blocksAfter(text, /\b(?:test|Test|integrationTest|testing)\b/),
    ...linesWith(text, /ignoreFailures|useJUnit|\btest\w*\.enabled/i),
  ],
  replacements: (text) => [
    ...linesWith(text, /^\s*replace\s+[^(]/),
    ...text
      .split(/^\s*replace\s*\(/m)
      .slice(1)
      .map((rest) => rest.split(")", 1)[0] ?? ""),
  ],
};

export function markedPart(text: string, part: string): string | null {
  const blocks = Object.hasOwn(READERS, part) ? (READERS[part]?.(text) ?? []) : [];
  return blocks.length === 0 ? null : blocks.map((block) => block.replaceAll(/\s+/g, " ").trim()).join("\n");
}

function linesWith(text: string, mark: RegExp): readonly string[] {
  return text.split("\n").filter((line) => mark.test(line));
}

/** From a line that opens a block to the line that closes it. */
function blocksAfter(text: string, mark: RegExp): readonly string[] {
  const blocks: string[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    if (depth === 0 && !(line.includes("{") && mark.test(line))) continue;
    blocks.push(line);
    depth += (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0);
    depth = Math.max(0, depth);
  }
  return blocks;
}
