/** A line of a file: its code without what strings contain, and its comments without their marks. */
export interface ReadLine {
  readonly code: string;
  readonly comments: readonly string[];
}

interface Marks {
  readonly hash: boolean;
  readonly slashes: boolean;
  /** Quotes of strings that may have several lines. */
  readonly long: readonly string[];
  readonly quotes: string;
}

const HASHES =
  /\.(?:py|pyi|rb|rake|sh|bash|ksh|bats|exs?|pl|r|ya?ml|toml)$|(?:^|\/)(?:Makefile|Dockerfile)$/i;

function marksOf(path: string): Marks {
  if (HASHES.test(path))
    return {
      hash: true,
      slashes: false,
      long: /\.(?:pyi?|exs?)$/.test(path) ? ['"""', "'''"] : [],
      quotes: `"'`,
    };
  if (path.endsWith(".php")) return { hash: true, slashes: true, long: [], quotes: `"'` };
  const long = /\.(?:java|kts?|swift|scala|cs)$/.test(path) ? ['"""'] : [];
  // A quote in Rust may begin a lifetime.
  if (path.endsWith(".rs")) return { hash: false, slashes: true, long, quotes: '"' };
  return { hash: false, slashes: true, long: [...long, "`"], quotes: `"'` };
}

/** Splits a file by line. Good enough to tell a comment from a string; a text that no language allows is split all the same. */
export function readLines(path: string, text: string): readonly ReadLine[] {
  const marks = marksOf(path);
  const lines: ReadLine[] = [];
  let open: string | null = null;
  for (const line of text.split("\n")) {
    const comments: string[] = [];
    let code = "";
    let at = 0;
    while (at < line.length) {
      if (open !== null) {
        const end = line.indexOf(open, at);
        const inside = line.slice(at, end === -1 ? line.length : end);
        if (open === "*/") comments.push(inside);
        at = end === -1 ? line.length : end + open.length;
        if (end !== -1) open = null;
        continue;
      }
      const comment = commentAt(line, at, marks);
      const long = marks.long.find((each) => line.startsWith(each, at));
      if (comment === "line") {
        comments.push(line.slice(at));
        at = line.length;
      } else if (comment === "block") {
        open = "*/";
        at += 2;
      } else if (long !== undefined) {
        open = long;
        at += long.length;
      } else if (marks.quotes.includes(line.charAt(at))) {
        at = endOfString(line, at);
        code += '""';
      } else {
        code += line.charAt(at);
        at += 1;
      }
    }
    lines.push({ code, comments: comments.flatMap(partsOf) });
  }
  return lines;
}

function commentAt(line: string, at: number, { hash, slashes }: Marks): "line" | "block" | null {
  if (slashes && line.startsWith("//", at)) return "line";
  if (slashes && line.startsWith("/*", at)) return "block";
  // Not `$#`, `${name#prefix}` nor PHP's `#[attribute]`.
  const starts = at === 0 || /[\s;]/.test(line.charAt(at - 1));
  return hash && line.charAt(at) === "#" && starts && !(slashes && line.charAt(at + 1) === "[")
    ? "line"
    : null;
}

/** Behind the closing quote; a string ends with its line. */
function endOfString(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let at = start + 1; at < line.length; at += 1) {
    if (line.charAt(at) === "\\") at += 1;
    else if (line.charAt(at) === quote) return at + 1;
  }
  return line.length;
}

/** A reason and a directive may share a comment: `# because # noqa`. */
function partsOf(comment: string): readonly string[] {
  return comment
    .split(/#|\/\/|<!--/)
    .map((part) => part.replace(/^[\s*!/]+/, "").trimEnd())
    .filter((part) => part !== "");
}
