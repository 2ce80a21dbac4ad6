/** The lines of a TOML file whose key lies below a name, however it is written: `[tool.pytest]` or `tool.pytest.x = 1`. */
export function tomlPart(text: string, name: string): string | null {
  const lines: string[] = [];
  let section = "";
  let isInside = false;
  let open: Open = { quote: null, depth: 0 };
  for (const line of text.split("\n")) {
    if (open.quote === null && open.depth === 0) {
      const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
      if (header !== undefined) {
        section = withoutQuotes(header);
        isInside = isWithin(section, name);
        if (isInside) lines.push(`[${section}]`);
        continue;
      }
      const key = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(
        line,
      )?.[1];
      if (key !== undefined) isInside = isWithin(`${section}.${withoutQuotes(key)}`.replace(/^\./, ""), name);
    }
    if (isInside && !isBlank(line, open)) lines.push(line.trim());
    open = openAfter(line, open);
  }
  return lines.length === 0 ? null : lines.join("\n");
}

/** A section of an INI file, or all sections whose name begins with `NAME:`. */
export function iniPart(text: string, name: string): string | null {
  const lines: string[] = [];
  let isInside = false;
  for (const line of text.split("\n")) {
    const header = /^\[([^\]]*)\]/.exec(line)?.[1]?.trim();
    if (header !== undefined) isInside = header === name || header.startsWith(`${name}:`);
    if (isInside && !/^\s*(?:[#;].*)?$/.test(line)) lines.push(line.trim());
  }
  return lines.length === 0 ? null : lines.join("\n");
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

function isBlank(line: string, open: Open): boolean {
  return open.quote === null && /^\s*(?:#.*)?$/.test(line);
}

const MARKS = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[[\]{}]/g;

/** Whether a value goes on in the next line: in a long string or in an open bracket. */
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
