/** Where to start looking, and what to take there. */
export interface PathGlob {
  /** The literal folder names (or the file name, at the end). */
  readonly base: readonly string[];
  matches(path: string): boolean;
}

/** Longer than any path on most file systems, so not a pattern that somebody meant. */
const LONGEST_GLOB = 1_000;

/** Paths and globs are relative to the root, with slashes. A folder's name means everything inside it. */
export async function parsePathGlob(text: string): Promise<PathGlob> {
  if (text.length > LONGEST_GLOB)
    throw new Error(`"${text.slice(0, 60)}…" has more than ${LONGEST_GLOB} characters`);
  const { default: picomatch } = await import("picomatch");
  const glob = text
    .replace(/^(\.?\/+)+(?=.)/, (start) => (start.startsWith("/") ? start : ""))
    .replaceAll(/\/{2,}/g, "/");
  if (glob === "" || glob === "./") throw new Error(`"${text}" names nothing`);
  if (glob.startsWith("/") || /^[a-z]:/i.test(glob))
    throw new Error(`"${text}" is not relative to the project`);
  if (glob.split("/").includes("..")) throw new Error(`"${text}" leads out of the project`);
  if (/^!(?!\()/.test(glob)) throw new Error(`"${text}" is a negation, which is not supported`);
  if (glob === ".") return { base: [], matches: () => true };

  const pattern = glob.replace(/\/$/, "");
  const { base, isGlob } = picomatch.scan(pattern);
  if (!isGlob) {
    const name = base.replaceAll(/\\(.)/g, "$1");
    return { base: name.split("/"), matches: (path) => path === name || path.startsWith(`${name}/`) };
  }
  const matches = picomatch(glob.endsWith("/") ? `${pattern}/**` : pattern, { dot: true });
  // An escaped character could stand for itself in the base.
  const literal = base.includes("\\") || base === "" ? [] : base.split("/");
  return { base: literal, matches: (path) => matches(path) };
}

/** Whether a path matches one of several globs. */
export async function pathMatcher(globs: readonly string[]): Promise<(path: string) => boolean> {
  const parsed = await Promise.all(globs.map(parsePathGlob));
  return (path) => parsed.some((glob) => glob.matches(path));
}
